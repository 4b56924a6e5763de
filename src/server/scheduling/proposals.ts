import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isPerformer } from '../../domain/appointments/appointment.ts'
import {
  type Away,
  type Disruption,
  moveOfferEndsAt,
  offersFrom,
  type PlacementProposal,
  placementProposals,
  withOneMore,
} from '../../domain/scheduling/absence.ts'
import { isMovable } from '../../domain/scheduling/board.ts'
import type { Busy, MinuteSpan } from '../../domain/scheduling/roster.ts'
import { managesSchedule } from '../../domain/scheduling/roster.ts'
import { daysOn, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { timeOff, users } from '../platform/database/schema/accounts.ts'
import { loadBusy } from './busy.ts'
import { askOn } from './choose.ts'
import { afterWork, restOf, type StrandedVisit, visitsOf } from './confirm.ts'
import { type Staffing, staffingAt, zoneOf } from './roster.ts'

/** One thing that could become of an appointment; at its own time it is given at once, at another one it is offered. */
export type AbsenceOption = {
  start: number
  personId: string
  name: string
  harm: Disruption
  isOffer: boolean
  endsAt: Date
}
export type Proposed = Pick<
  StrandedVisit,
  'id' | 'folio' | 'service' | 'state' | 'start' | 'customer' | 'version'
> & {
  options: AbsenceOption[]
}
/** Somebody who can't come, and what may become of that day. */
export type AbsencePlan = {
  person: { id: string; name: string; version: number }
  date: string
  /** What is left of the day; null when it is over. */
  span: MinuteSpan | null
  /** The absence, once it is written down: by whom and when. */
  recorded: { by: string | null; isOwn: boolean; at: Date; reason: string | null } | null
  visits: Proposed[]
  /** Under way right now: not for an absence to take away. */
  underWay: StrandedVisit[]
}

/** How many days ahead of the absence another time is looked for, and how many places are shown for one appointment. */
const daysAhead = 14
const shown = 3
const aDay = 1440

/** What a manager may do about everything that somebody has on a local date, the least harm first; null for who has no appointments to carry out. */
export async function absenceOf(
  db: Db,
  actor: Actor,
  personId: string,
  date: string,
  now: Date,
): Promise<AbsencePlan | null> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const person = await personOf(db, personId)
  if (!person) return null
  const rest = restOf(date, now)
  const found = rest ? await visitsOf(db, personId, rest) : []
  const span = rest && afterWork(rest, found)
  const waiting = found.filter(isMovable)
  return {
    person,
    date,
    span,
    recorded: await recordedOn(db, actor, personId, span ?? lastMinuteOf(date)),
    visits: span && waiting.length > 0 ? await proposed(db, personId, date, span, waiting, now) : [],
    underWay: found.filter((visit) => !isMovable(visit)),
  }
}

async function personOf(db: Db, id: string) {
  if (!isId(id)) return null
  const [row] = await db
    .select({
      id: users.id,
      kind: users.kind,
      version: users.version,
      name: users.fullName,
    })
    .from(users)
    .where(eq(users.id, id))
  return row && isPerformer(row.kind) ? { id: row.id, name: row.name, version: row.version } : null
}

function lastMinuteOf(date: string): MinuteSpan {
  const { end } = daysOn(date, 1)[0]!
  return { start: end - 1, end }
}

/** Time off that covers all of it: half a day off is no absence that day. */
async function recordedOn(db: Db, actor: Actor, personId: string, { start, end }: MinuteSpan) {
  const [row] = await db
    .select({
      by: sql<string | null>`nullif(${users.fullName}, '')`,
      isOwn: sql<boolean>`coalesce(${timeOff.approvedBy} = ${actor.id}, false)`,
      at: sql<Date>`${timeOff.approvedAt}`.mapWith(timeOff.approvedAt),
      reason: timeOff.reason,
    })
    .from(timeOff)
    .leftJoin(users, eq(users.id, timeOff.approvedBy))
    .where(
      and(
        eq(timeOff.personId, personId),
        sql`${timeOff.approvedAt} is not null and ${timeOff.during} @> tstzrange(${toDate(start)}, ${toDate(end)})`,
      ),
    )
    .limit(1)
  return row ?? null
}

async function proposed(
  db: Db,
  personId: string,
  date: string,
  span: MinuteSpan,
  visits: readonly StrandedVisit[],
  now: Date,
): Promise<Proposed[]> {
  const days = daysOn(date, daysAhead)
  const loaded = await loadBusy(db.$client, { from: days[0]!.start - aDay, to: days.at(-1)!.end + aDay })
  const staffing = await staffingAt(db, loaded.version)
  const away = { ...span, person: staffing.indexOf.get(personId) ?? -1 }
  let busy = loaded.of(staffing)
  const rows = visits.map((visit) => {
    const places = placesFor(staffing, busy, days, visit, { personId, away, now })
    if (places[0]) busy = withOneMore(busy, staffing.people.length, rowOf(visit, places[0]))
    return { visit, places }
  })
  return rows
    .map(({ visit: { id, folio, service, state, start, customer, version }, places }) => ({
      ...{ id, folio, service, state, start, customer, version },
      options: places.map((place) => optionOf(place, start, staffing, now)),
    }))
    .sort((a, b) => harmOfBest(a) - harmOfBest(b) || a.start - b.start)
}

const harmOfBest = ({ options }: Proposed) => options[0]?.harm.total ?? Number.POSITIVE_INFINITY

function placesFor(
  staffing: Staffing,
  busy: Busy,
  days: ReturnType<typeof daysOn>,
  { id, minutes, moved, municipality, service, start, taken }: StrandedVisit,
  { personId, away, now }: { personId: string; away: Away; now: Date },
): PlacementProposal[] {
  const placement = { service, zone: zoneOf(municipality), start, without: id, promised: true, minutes }
  const ask = { ...askOn(days[0]!, staffing, placement, now), days }
  const wish = { start, personId, moved, taken, away, earliest: offersFrom(toMinutes(now)) }
  return placementProposals(staffing.roster, busy, ask, wish, shown)
}

const rowOf = ({ minutes, municipality, service }: StrandedVisit, { person, start }: PlacementProposal) => ({
  ...{ person, service, zone: zoneOf(municipality) },
  ...{ start, end: start + minutes },
})

const optionOf = (
  { harm, person, personId, start }: PlacementProposal,
  own: number,
  { people }: Staffing,
  now: Date,
): AbsenceOption => ({
  ...{ start, personId, harm, name: people[person]?.name ?? '' },
  isOffer: start !== own,
  endsAt: toDate(moveOfferEndsAt(toMinutes(now), own, start)),
})
