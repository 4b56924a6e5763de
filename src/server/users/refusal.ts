import {
  type AppointmentState,
  activeStates,
  type Service,
  upcomingStates,
} from '../../domain/appointments/appointment.ts'
import { assignableStates } from '../../domain/appointments/transitions.ts'
import { isHard, type Reason, rank, reasonWords, whyNotAlone } from '../../domain/scheduling/eligibility.ts'
import { dayOf, type LocalDay, timeZone, toMinutes } from '../../domain/shared/calendar.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { daysChanged, peopleChanged } from '../../domain/users/staffing-change.ts'
import { placementOf } from '../appointments/assign.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { askOn, askOnItsDay } from '../scheduling/choose.ts'
import { loadBusy, type Staffing } from '../scheduling/roster.ts'

/** An appointment that a change would leave without a lawful person, as the manager reads and settles it. */
export type Affected = {
  id: string
  folio: string
  service: Service
  startsAt: Date
  customer: string
  assignee: string
  /** The version seen, which comes back with the choice. */
  version: number
  reasons: string[]
  /** Who can take it under the new staffing, the best first. */
  able: { id: string; name: string }[]
  /** Whether the person may keep it, with a written reason: nothing that holds for everybody is against it. */
  canKeep: boolean
}

/** What ends the transaction of a change that is not settled; `errors` by the name of the form's field. */
export class Unsettled extends Error {
  readonly touched: readonly Touched[]
  readonly after: Staffing
  readonly errors: Readonly<Record<string, string>>
  constructor(touched: readonly Touched[], after: Staffing, errors: Readonly<Record<string, string>>) {
    super('unsettled')
    this.touched = touched
    this.after = after
    this.errors = errors
  }
}

/** How many people a list offers for one appointment. */
const offered = 12
const aDay = 1440

/** Refuses with the list. It is made after the rollback, so that nobody waits for it: by the staffing as it would have been. */
export async function refuseUnsettled(
  db: Db,
  { touched, after, errors }: Unsettled,
  now: Date,
): Promise<never> {
  const starts = touched.map(({ startsAt }) => toMinutes(startsAt))
  const range = { from: Math.min(...starts) - aDay, to: Math.max(...starts) + aDay }
  const busy = (await loadBusy(db.$client, range)).of(after)
  const affected = touched.map(({ against, ...row }): Affected => {
    const placement = placementOf(row)
    const able = rank(after.roster, busy, placement.start, askOnItsDay(after, placement, now))
    return {
      id: row.id,
      folio: row.folio,
      service: row.service,
      startsAt: row.startsAt,
      customer: row.customer,
      assignee: row.assignee,
      version: row.version,
      reasons: against.map(reasonWords),
      able: able.slice(0, offered).map(({ id, person }) => ({ id, name: after.people[person]?.name ?? '' })),
      canKeep: !against.some(isHard),
    }
  })
  throw new Refusal('failed-precondition', {
    title: 'Hay citas por resolver',
    description: wordsFor(affected.length),
    details: { affected, errors },
  })
}

const wordsFor = (count: number) =>
  count === 1
    ? 'Con este cambio una cita se queda sin quien pueda atenderla. Elige qué hacer con ella y vuelve a guardar.'
    : `Con este cambio ${count} citas se quedan sin quien pueda atenderlas. Elige qué hacer con cada una y vuelve a guardar.`

/** Refuses, in words, what would take somebody off an appointment that is being carried out. */
export function refuseUnderWay([one]: readonly AppointmentSnapshot[]) {
  if (one)
    refuse(
      'failed-precondition',
      `${one.assignee} está en la cita ${one.folio} en este momento. Haz el cambio cuando la termine.`,
    )
}

/** An appointment that holds somebody and is not over, as the judging of a change needs it. */
type AppointmentSnapshot = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  municipality: string | null
  assigneeId: string
  version: number
  customer: string
  assignee: string
}

/** An appointment against whose person a change brings a reason that was not there before. */
export type Touched = AppointmentSnapshot & { against: Reason[] }

/** What a change of the staffing turns against future appointments: those still to begin, and those under way right now. */
export async function touchedBy(tx: Tx, before: Staffing, after: Staffing, now: Date) {
  if (before.version === after.version) return { waiting: [], underWay: [] }
  const touched = judge(await concerned(tx, before, after, now), before, after, now)
  const isWaiting = ({ state }: AppointmentSnapshot) => assignableStates.includes(state)
  return {
    waiting: touched.filter(isWaiting),
    // Whoever is on the way or at work goes on, unless there is no lawful way to.
    underWay: touched.filter((one) => !isWaiting(one) && one.against.some(isHard)),
  }
}

/** Only appointments that the change can reach: those of the people it touches, or of the days whose rules it changes. */
async function concerned(
  tx: Tx,
  before: Staffing,
  after: Staffing,
  now: Date,
): Promise<AppointmentSnapshot[]> {
  const people = peopleChanged(before.roster, after.roster)
  const days = daysChanged(before.settings, after.settings)
  if (people.length === 0 && days.length === 0) return []
  const { rows } = await tx.$client.query<AppointmentSnapshot>(
    `select a.id, a.folio, a.service, a.state, a.starts_at as "startsAt", a.minutes, a.municipality,
       a.assignee_id as "assigneeId", a.version,
       customer.full_name as customer, person.full_name as assignee
     from appointments a join users customer on customer.id = a.customer_id join users person on person.id = a.assignee_id
     where a.state in (${literals(activeStates)})
       and a.starts_at > $1::timestamptz - interval '1 day' and (upper(a.during) > $1 or a.state not in (${literals(upcomingStates)}))
       and (a.assignee_id = any($2) or $3 or (a.starts_at at time zone $5)::date = any($4::date[]))
     order by a.starts_at, a.id`,
    [now, people, days === 'all', days === 'all' ? [] : days, timeZone],
  )
  return rows
}

/** In the order of their starts, so that each local day is worked out once. */
function judge(
  rows: readonly AppointmentSnapshot[],
  before: Staffing,
  after: Staffing,
  now: Date,
): Touched[] {
  let day: LocalDay | undefined
  return rows.flatMap((row) => {
    const start = toMinutes(row.startsAt)
    if (!day || start < day.start || start >= day.end) day = dayOf(start)
    const known = new Set(against(row, before, day, now).map(({ code }) => code))
    const fresh = against(row, after, day, now).filter(({ code }) => !known.has(code))
    return fresh.length > 0 ? [{ ...row, against: fresh }] : []
  })
}

function against(row: AppointmentSnapshot, staffing: Staffing, day: LocalDay, now: Date): Reason[] {
  const person = staffing.indexOf.get(row.assigneeId)
  // Whoever became something else than technician or analyst is no longer in the roster.
  if (person === undefined) return [{ code: 'wrong_kind' }]
  const placement = placementOf(row)
  return whyNotAlone(staffing.roster, person, placement.start, askOn(day, staffing, placement, now))
}
