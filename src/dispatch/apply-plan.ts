import { asc, eq, inArray, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Actor } from '../access/rules/actor.ts'
import { activeStates, affectedUserIds, type Service } from '../appointments/rules/appointment.ts'
import type { ProposedAssignment } from '../appointments/rules/schema.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { type Db, databaseFault, isId, type Tx, transaction } from '../platform/database/client.ts'
import { literals, record } from '../platform/database/lists.ts'
import { dayPlans, type StoredDayPlan } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockDays, lockingStaffing } from '../scheduling/choose.ts'
import { currentStaffing, type Staffing, staffingInside, zoneOf } from '../scheduling/roster.ts'
import { whyNot } from '../scheduling/rules/eligibility.ts'
import { busyOf, managesSchedule } from '../scheduling/rules/roster.ts'
import { daysOn, toDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { askAbout, type DayQuestion, type DayRow, isOnTheRoad } from './rules/day-plan.ts'

/** An appointment that changes hands by a plan. */
export type HandedOver = { held: AppointmentRow; from: string | null; to: string | null }

type Applied = { changes: HandedOver[]; plan: StoredDayPlan; version: number }

/**
 * Applies a plan: all of it in one transaction, or nothing with a message. It is refused when an appointment of it
 * changed since, or when a person can no longer take their visits. Applied twice it is applied once. Returns how many
 * appointments changed hands now, the assignments it left to be confirmed, which are the same each time, and the version
 * of the plan by which that is undone.
 */
export async function applyPlan(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<{ moved: number; proposed: ProposedAssignment[]; version: number }> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  if (!isId(id)) refuse('not-found')
  const staffing = await currentStaffing(db)
  const { changes, plan, version } = await transaction(
    db,
    (tx) => apply(tx, actor, id, staffing, now),
    lockingStaffing,
  )
  announce(db, { people: changes.flatMap(({ held }) => affectedUserIds(held)) })
  return { moved: changes.length, proposed: proposedBy(plan), version }
}

/** The appointments of an applied plan that have a person, in the version that applying it left. */
const proposedBy = ({ versions, visits }: StoredDayPlan): ProposedAssignment[] =>
  visits.flatMap(({ id, from, to }) => {
    const seen = versions[id]
    if (to === null || seen === undefined) return []
    return [{ appointmentId: id, assigneeId: to, version: from === to ? seen : seen + 1 }]
  })

async function apply(tx: Tx, actor: Actor, id: string, known: Staffing, now: Date): Promise<Applied> {
  const [row] = await tx.select().from(dayPlans).where(eq(dayPlans.id, id)).for('update')
  if (!row) return refuse('not-found')
  const { date, plan, state } = row
  if (plan && state === 'applied') return { changes: [], plan, version: row.version }
  if (!plan || (state !== 'ready' && state !== 'stopped'))
    return refuse('failed-precondition', 'Este plan no se puede aplicar. Calcula de nuevo.')
  const changes = await holdAll(tx, plan)
  await lockDays(
    tx,
    changes.flatMap(({ from, to }) => [from, to].filter((person) => person !== null)),
    date,
  )
  // A person was given another visit at one of the planned times meanwhile.
  await writeAll(tx, actor, changes, { name: 'optimise', trail: { planId: id } }).catch((error: unknown) => {
    if (databaseFault(error).code === '23P01') refuseChanged()
    throw error
  })
  const staffing = await staffingInside(tx, known)
  const { question } = await loadDay(tx.$client, staffing, { date, zones: [] }, now)
  if (!allStand(question, plan)) refuseChanged()
  await tx
    .update(dayPlans)
    .set({ state: 'applied', appliedAt: now, version: sql`version + 1` })
    .where(eq(dayPlans.id, id))
  return { changes, plan, version: row.version + 1 }
}

const refuseChanged = () =>
  refuse('aborted', 'Algo cambió en ese día desde que se calculó el plan. Calcula de nuevo.')

/** Locks every appointment of the plan, as it was when the plan was made; returns those that change hands. */
async function holdAll(tx: Tx, { versions, visits }: StoredDayPlan): Promise<HandedOver[]> {
  const rows = await tx
    .select()
    .from(appointments)
    .where(inArray(appointments.id, Object.keys(versions)))
    .orderBy(asc(appointments.id))
    .for('update')
  const isSame = ({ id, state, version }: AppointmentRow) => state === 'requested' && version === versions[id]
  if (rows.length !== Object.keys(versions).length || !rows.every(isSame)) refuseChanged()
  const planned = new Map(visits.map((visit) => [visit.id, visit]))
  return rows.flatMap((held) => {
    const { from, to } = planned.get(held.id) ?? { from: null, to: null }
    return from === to ? [] : [{ held, from, to }]
  })
}

/**
 * Removes all assignees first: two may take each other's place. Neither they nor the customers were notified before, so
 * no letter is sent.
 */
export async function writeAll(
  tx: Tx,
  actor: Actor,
  changes: readonly HandedOver[],
  { name, trail }: { name: string; trail: object },
) {
  if (changes.length === 0) return
  const ids = changes.map(({ held }) => held.id)
  await tx.update(appointments).set({ assigneeId: null }).where(inArray(appointments.id, ids))
  for (const { held, from, to } of changes) {
    await tx
      .update(appointments)
      .set({ assigneeId: to, version: held.version + 1 })
      .where(eq(appointments.id, held.id))
    await record(tx, {
      entity: 'appointment',
      entityId: held.id,
      actorId: actor.id,
      name,
      fromState: held.state,
      toState: held.state,
      data: { from, assigneeId: to, ...trail },
    })
  }
}

/** Whether all people can take their visits of the plan, by the engine's own rules and with the bookings since. */
function allStand(question: DayQuestion, { visits }: StoredDayPlan): boolean {
  const { roster, rows } = question
  const given = new Set(visits.flatMap(({ id, to }) => (to === null ? [] : [id])))
  return rows
    .filter(({ id }) => given.has(id))
    .every(
      (row) =>
        row.person >= 0 &&
        whyNot(roster, othersThan(question, row), row.person, row.start, askAbout(question, row)).length ===
          0,
    )
}

/** What keeps people busy on a day besides one appointment. */
export const othersThan = ({ roster, rows }: DayQuestion, row: DayRow) =>
  busyOf(roster.ids.length, rows.filter((other) => other !== row && other.person >= 0).map(busyRow))

const busyRow = ({ person, start, minutes, zone, service }: DayRow) => ({
  person,
  start,
  zone,
  service,
  end: start + minutes,
})

type Client = Pick<pg.Pool, 'query'>
type Stored = {
  id: string
  version: number
  person: string | null
  start: number
  minutes: number
  municipality: string | null
  service: Service
  state: string
  /** Whether its customer is asked about another time, because of an absence. */
  asked: boolean
}

/** Which appointments may change hands: of a local date, in some municipalities (none is all). */
export type DayInput = { date: string; zones: readonly string[] }

const aDay = 1440

/** A day's appointments as they stand, and those of the days beside it; also the version of each one that may change hands. */
export async function loadDay(client: Client, staffing: Staffing, { date, zones }: DayInput, now: Date) {
  const day = daysOn(date, 1)[0]!
  const { rows } = await client.query<Stored>({
    name: 'day_to_plan',
    text: `select id, version, assignee_id as person, (extract(epoch from starts_at) / 60)::int as start, minutes,
        municipality, service, state, exists (select from move_offers where appointment_id = appointments.id
          and answer is null and expires_at > $3) as asked
      from appointments where state in (${literals(activeStates)})
        and starts_at >= $1 and starts_at < $2 order by starts_at, id`,
    values: [toDate(day.start - aDay), toDate(day.end + aDay), now],
  })
  const mayChange = ({ asked, municipality, service, start, state }: Stored) =>
    state === 'requested' &&
    !asked &&
    isOnTheRoad(service) &&
    start >= Math.max(day.start, toMinutes(now)) &&
    start < day.end &&
    (zones.length === 0 || (municipality !== null && zones.includes(municipality)))
  const { roster, settings, travel } = staffing
  const question: DayQuestion = {
    day,
    roster,
    settings,
    travel,
    rows: rows.map(
      (row): DayRow => ({
        id: row.id,
        person: staffing.indexOf.get(row.person ?? '') ?? -1,
        start: row.start,
        minutes: row.minutes,
        zone: zoneOf(row.municipality),
        service: row.service,
        open: mayChange(row),
      }),
    ),
  }
  const open = rows.filter(mayChange)
  return { question, versions: Object.fromEntries(open.map(({ id, version }) => [id, version])) }
}
