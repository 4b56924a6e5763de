import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { affectedUserIds } from '../appointments/rules/appointment.ts'
import { type AppointmentRow, transition } from '../appointments/transition.ts'
import { type Kept, revived } from '../appointments/undo.ts'
import {
  type Db,
  databaseFault,
  isId,
  type Queryable,
  type Tx,
  transaction,
} from '../platform/database/client.ts'
import { dayPlans, type StoredDayPlan } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { dropFollowing, followingWaits } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockDays, lockingStaffing } from '../scheduling/choose.ts'
import { currentStaffing, type Staffing, staffingInside } from '../scheduling/roster.ts'
import { blocksUndo, whyNot } from '../scheduling/rules/eligibility.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { refuse } from '../shared/refusal.ts'
import { type HandedOver, loadDay, othersThan, writeAll } from './apply-plan.ts'
import { askAbout } from './rules/day-plan.ts'

const tooLate = 'Los avisos ya salieron: cambia cada cita en el tablero si hace falta.'
const changed = 'Una de sus citas cambió después. El reparto se queda: cambia cada cita en el tablero.'
const taken =
  'Otra cita tomó un lugar mientras tanto, o alguien ya no puede. El reparto se queda: cambia cada cita en el tablero.'

/** The plan as it was applied, by its row's version then. */
type Undoing = { id: string; version: number }

/**
 * Puts back all that one press of the actor's gave out by a plan, confirmations included, or nothing with a message: half
 * a plan is one that nobody worked out. Refused once a letter went out, one of its appointments changed since, or a place
 * was taken. Sent twice, it is undone once.
 */
export async function undoPlan(db: Db, actor: Actor, undoing: Undoing, now: Date): Promise<void> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  if (!isId(undoing.id)) refuse('not-found')
  const staffing = await currentStaffing(db)
  const people = await transaction(db, (tx) => putAllBack(tx, actor, undoing, staffing, now), lockingStaffing)
  announce(db, { people })
}

async function putAllBack(
  tx: Tx,
  actor: Actor,
  { id, version }: Undoing,
  known: Staffing,
  now: Date,
): Promise<string[]> {
  const [row] = await tx.select().from(dayPlans).where(eq(dayPlans.id, id)).for('update')
  if (!row?.plan) return refuse('not-found')
  const held = await heldBy(tx, row.plan, 'update')
  if (row.version === version + 1 && held.some(({ last }) => isUndoOf(last, actor, id))) return []
  if (row.state !== 'applied' || row.version !== version) refuse('aborted', changed)
  const given = givenBy(row.plan, held, { actor, id }) ?? refuse('aborted', changed)
  const told = given.filter(({ before }) => before !== null)
  if (
    !(await dropFollowing(
      tx,
      told.map(({ held }) => held),
    ))
  )
    refuse('failed-precondition', tooLate)
  const people = given.flatMap(({ from, to }) => [from, to].filter((person) => person !== null))
  await lockDays(tx, people, row.date)
  await restore(tx, actor, id, given, now).catch((error: unknown) => {
    if (databaseFault(error).code === '23P01') refuse('already-exists', taken)
    throw error
  })
  await assertAllFit(tx, given, await staffingInside(tx, known), row, now)
  await tx.update(dayPlans).set({ state: 'ready', version: sql`version + 1` }).where(eq(dayPlans.id, id))
  return given.flatMap(({ held }) => affectedUserIds(held))
}

/** How long a plan can still be undone by the actor: in seconds; null where nobody is to be told of it; or not at all. */
export async function planUndoFor(
  db: Db,
  actor: Actor,
  { id, plan, state, version }: typeof dayPlans.$inferSelect,
): Promise<{ seconds: number | null; version: number } | null> {
  if (state !== 'applied' || !plan) return null
  const given = givenBy(plan, await heldBy(db, plan), { actor, id }) ?? []
  if (given.length === 0) return null
  const told = given.filter(({ before }) => before !== null)
  if (told.length === 0) return { seconds: null, version }
  const seconds = await followingWaits(
    db,
    told.map(({ held }) => held),
  )
  return seconds > 0 ? { seconds, version } : null
}

type Last = {
  by: string | null
  name: string
  data: { before?: Kept; planId?: string; undoesPlan?: string } | null
} | null
type Held = { held: AppointmentRow; last: Last }

const lastOf = sql<Last>`(select json_build_object('by', last.actor_id, 'name', last.name, 'data', last.data) from events last
  where last.entity = 'appointment' and last.entity_id = appointments.id order by last.id desc limit 1)`

const isUndoOf = (last: Last, { id: by }: Actor, planId: string) =>
  last?.by === by && last.data?.undoesPlan === planId

/** The appointments that a plan has somebody for, or takes somebody off, each with its last event. */
async function heldBy(db: Queryable, { visits }: StoredDayPlan, lock?: 'update'): Promise<Held[]> {
  const ids = visits.filter(({ from, to }) => from !== null || to !== null).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = db
    .select({ held: appointments, last: lastOf })
    .from(appointments)
    .where(inArray(appointments.id, ids))
    .orderBy(asc(appointments.id))
  return lock ? rows.for(lock) : rows
}

/** A change that a plan made, and where it was confirmed then, what the confirmation replaced. */
type Given = HandedOver & { before: Kept | null }

/** What a plan changed and confirmed, where all of it stands as that press of the actor's left it; null where not. */
function givenBy(
  { versions, visits }: StoredDayPlan,
  rows: readonly Held[],
  { actor, id: planId }: { actor: Actor; id: string },
): Given[] | null {
  const planned = new Map(visits.map((visit) => [visit.id, visit]))
  const given: Given[] = []
  for (const { held, last } of rows) {
    const { from, to } = planned.get(held.id)!
    const moved = from !== to
    const seen = versions[held.id] ?? 0
    const applied = moved ? seen + 1 : seen
    const isOwn = last?.by === actor.id
    const isConfirmed = held.version === applied + 1 && isOwn && last.name === 'assign'
    const before = isConfirmed ? (last.data?.before ?? null) : null
    if (before) given.push({ held, from, to, before })
    else if (held.version !== applied || (moved && !(isOwn && last.data?.planId === planId))) return null
    else if (moved) given.push({ held, from, to, before })
  }
  return given
}

/** First off those who were confirmed, then back to whom each had: two may have taken each other's place. */
async function restore(tx: Tx, actor: Actor, id: string, given: readonly Given[], now: Date) {
  const changes: HandedOver[] = []
  for (const { before, from, held, to } of given) {
    const moved = from !== to
    const data = {
      from: held.assigneeId,
      assigneeId: moved ? null : to,
      undoes: held.version,
      undoesPlan: id,
    }
    const set = before && { ...revived(before), ...(moved && { assigneeId: null }) }
    const free = set
      ? await transition(tx, actor, held, 'release', now, set, { reason: 'Se deshizo el reparto', data })
      : held
    if (moved) changes.push({ held: free, from: to, to: from })
  }
  await writeAll(tx, actor, changes, { name: 'undo_optimise', trail: { undoesPlan: id } })
}

/** Refuses where somebody could not take back what they had, their days being held. */
async function assertAllFit(
  tx: Tx,
  given: readonly Given[],
  staffing: Staffing,
  { date }: { date: string },
  now: Date,
) {
  const back = new Set(given.flatMap(({ from, held, to }) => (from !== to && from !== null ? [held.id] : [])))
  const { question } = await loadDay(tx.$client, staffing, { date, zones: [] }, now)
  const fits = question.rows
    .filter(({ id }) => back.has(id))
    .every((row) => {
      if (row.person < 0) return false
      const busy = othersThan(question, row)
      const against = whyNot(question.roster, busy, row.person, row.start, askAbout(question, row))
      return !against.some((reason) => blocksUndo(reason, false))
    })
  if (!fits) refuse('already-exists', taken)
}
