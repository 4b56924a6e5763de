import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { dayPlans } from '../platform/database/schema/staff-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { calculate } from './calculate.ts'
import { type DayWish, loadDay } from './day.ts'
import { currentStaffing } from './roster.ts'

/** How long a plan is worked on. */
export const planSeconds = 10
/** Calculations at once, over all days and processes: each takes a processor. */
const mostAtOnce = 2
/** A row that was not written for so long is of a process that ended. */
export const silence = sql`interval '15 seconds'`

/**
 * Begins to work out a day's plan; the answer is its id. Another click, or another manager with the same zones, gets the one
 * that runs already. `file` is what the thread runs, for tests.
 */
export async function startPlan(
  db: Db,
  actor: Actor,
  wish: DayWish,
  now: Date,
  file?: string,
): Promise<string> {
  if (actor.kind !== 'manager') refuse('permission-denied')
  if (wish.date < localDate(toMinutes(now))) refuse('failed-precondition', 'Ese día ya pasó.')
  const staffing = await currentStaffing(db)
  const { question, versions } = await loadDay(db.$client, staffing, wish, now)
  if (Object.keys(versions).length === 0)
    refuse('failed-precondition', 'Ese día no hay citas por confirmar en esas zonas.')
  const { id, isNew } = await begin(db, actor, wish)
  if (isNew) calculate(db, { id, versions, task: { question, seconds: planSeconds }, ...(file && { file }) })
  announce(db, { people: [], desk: false })
  return id
}

const begin = (db: Db, actor: Actor, { date, zones }: DayWish) =>
  transaction(
    db,
    async (tx) => {
      await tx
        .update(dayPlans)
        .set({ state: 'failed' })
        .where(and(eq(dayPlans.state, 'running'), sql`beat_at < now() - ${silence}`))
      const running = await tx.select().from(dayPlans).where(eq(dayPlans.state, 'running'))
      const same = running.find((one) => one.date === date)
      if (same && same.zones.join() === zones.join()) return { id: same.id, isNew: false }
      if (same)
        refuse('failed-precondition', 'Ya se está calculando ese día con otras zonas. Espera a que termine.')
      if (running.length >= mostAtOnce)
        refuse('resource-exhausted', 'Ya hay dos cálculos en marcha. Espera a que termine uno.')
      const [made] = await tx
        .insert(dayPlans)
        .values({ date, zones: [...zones], madeBy: actor.id })
        .returning({ id: dayPlans.id })
      return { id: made!.id, isNew: true }
    },
    // One beginning at a time, so that two see each other.
    'select pg_advisory_xact_lock(726004)',
  )

/** Ends a calculation with the best plan so far; its thread finds out at its next beat. */
export async function stopPlan(db: Db, actor: Actor, id: string): Promise<void> {
  if (actor.kind !== 'manager') refuse('permission-denied')
  if (!isId(id)) refuse('not-found')
  const [stopped] = await db
    .update(dayPlans)
    .set({ state: 'stopped', version: sql`version + 1` })
    .where(and(eq(dayPlans.id, id), eq(dayPlans.state, 'running'), sql`plan is not null`))
    .returning({ id: dayPlans.id })
  if (!stopped) refuse('failed-precondition', 'Ya no se está calculando, o todavía no hay un plan que usar.')
  announce(db, { people: [], desk: false })
}
