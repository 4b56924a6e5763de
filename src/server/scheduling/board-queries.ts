import type { z } from 'zod'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type AppointmentState,
  activeStates,
  doneStates,
  performers,
  type Service,
  services,
} from '../../domain/appointments/appointment.ts'
import type { givingInput } from '../../domain/appointments/schema.ts'
import { type BoardDay, type BoardPerson, type BoardVisit, shortName } from '../../domain/scheduling/board.ts'
import { managesSchedule, type Roster, zoneCount } from '../../domain/scheduling/roster.ts'
import { addDays, daysOn, localDate, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { bySpanish } from '../../domain/shared/text.ts'
import { assign } from '../appointments/assign.ts'
import { changeTime, getAppointment } from '../appointments/change-time.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import type { Db } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { currentStaffing, type Staffing, zoneOf } from './roster.ts'

/** The board of a local date (2026-11-24) for the manager: who works, and every appointment but the cancelled ones. */
export async function boardOf(db: Db, actor: Actor, date: string, now: Date): Promise<BoardDay> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const day = daysOn(date, 1)[0]!
  const staffing = await currentStaffing(db)
  const visits = await visitsBetween(db, day.start, day.end)
  const busy = new Set(visits.map(({ personId }) => personId))
  const { hours, stepMinutes, bufferMinutes, services: rules, holidays } = staffing.settings
  const today = localDate(toMinutes(now))
  return {
    day,
    now: toMinutes(now),
    people: peopleOn(staffing, day.weekday)
      .filter(({ active, id }) => active || busy.has(id))
      .sort((a, b) => performers.indexOf(a.kind) - performers.indexOf(b.kind) || bySpanish(a.name, b.name)),
    visits,
    settings: { hours, stepMinutes, bufferMinutes, services: rules, holidays },
    travel: [...staffing.travel],
    beyond: services.filter((service) => date > addDays(today, rules[service].horizonDays)),
  }
}

type Row = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  start: number
  minutes: number
  municipality: string | null
  name: string | null
  lastname: string | null
  customerId: string
  personId: string | null
  confirmed: boolean
  version: number
}

async function visitsBetween(db: Db, from: number, to: number): Promise<BoardVisit[]> {
  const { rows } = await db.$client.query<Row>({
    name: 'board_of_day',
    // Two halves, for each has an index of its own: those to be done, and those that ended.
    text: `select a.id, a.folio, a.service, a.state, (extract(epoch from a.starts_at) / 60)::int as start, a.minutes, a.municipality,
        a.customer_id as "customerId", customer.name, customer.lastname, a.assignee_id as "personId", a.confirmed_at is not null as confirmed, a.version
      from (
        select * from appointments where starts_at >= $1 and starts_at < $2
          and state in (${literals(activeStates)})
        union all
        select * from appointments where starts_at >= $1 and starts_at < $2
          and state in (${literals(doneStates)}) and state <> 'cancelled'
      ) a join users customer on customer.id = a.customer_id
      order by a.starts_at, a.id`,
    values: [toDate(from), toDate(to)],
  })
  return rows.map(({ start, minutes, municipality, name, lastname, ...row }) => ({
    ...row,
    start,
    end: start + minutes,
    zone: zoneOf(municipality),
    customer: shortName(name, lastname),
  }))
}

/** The roster's people as rows again, with the shifts of one weekday. */
const peopleOn = ({ people, roster }: Staffing, weekday: number): BoardPerson[] =>
  people.map(({ id, name }, person) => ({
    id,
    name,
    kind: performers[roster.kinds[person]!]!,
    active: roster.active[person] === 1,
    zones: [...Array(zoneCount).keys()].filter((zone) => roster.zones[person]! & (1 << zone)),
    shifts: shiftsOf(roster, person, weekday),
    timeOff: offOf(roster, person),
  }))

function shiftsOf({ shiftAt, shiftFrom, shiftTo }: Roster, person: number, weekday: number) {
  const [from, to] = [shiftAt[person * 7 + weekday]!, shiftAt[person * 7 + weekday + 1]!]
  return [...shiftFrom.subarray(from, to)].map((start, n) => ({
    weekday,
    from: start,
    to: shiftTo[from + n]!,
  }))
}

function offOf({ offAt, offEnds, offStarts }: Roster, person: number) {
  const [from, to] = [offAt[person]!, offAt[person + 1]!]
  return [...offStarts.subarray(from, to)].map((start, n) => ({ start, end: offEnds[from + n]! }))
}

type Narrowed = { zones: readonly string[]; service: Service | undefined }
export type BoardCounts = { waiting: number; withoutPerson: number; enRoute: number }

/**
 * The appointments that wait for the manager in some zones (none is all) and of a service, on any day; and those under
 * way now.
 */
export async function boardCounts(db: Db, actor: Actor, { zones, service }: Narrowed): Promise<BoardCounts> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const { rows } = await db.$client.query<BoardCounts>({
    // A text for each way of narrowing, since a plan that serves them all would use no index.
    text: `select count(*)::int as waiting, (count(*) filter (where assignee_id is null))::int as "withoutPerson",
        (select count(*)::int from appointments where state = 'en_route') as "enRoute"
      from appointments where state = 'requested' and service in (${literals(service ? [service] : services)})
        ${zones.length > 0 ? 'and municipality = any($1)' : ''}`,
    values: zones.length > 0 ? [[...zones]] : [],
  })
  return rows[0]!
}

type BoardMove = z.output<typeof givingInput>

/** The manager assigns an appointment to a person, at its time or at another one: that person must be available. */
export async function moveOnBoard(
  db: Db,
  actor: Actor,
  id: string,
  move: BoardMove,
  now: Date,
): Promise<AppointmentRow> {
  const row = await getAppointment(db, actor, id)
  const stays = !move.startsAt || move.startsAt.getTime() === row.startsAt.getTime()
  if (stays) return assign(db, actor, id, move, now)
  return changeTime(db, actor, id, { ...move, startsAt: move.startsAt! }, now)
}
