import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Service } from '../../domain/appointments/appointment.ts'
import { gapOf, type Load } from '../../domain/scheduling/day-plan.ts'
import { managesSchedule } from '../../domain/scheduling/roster.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { bySpanish } from '../../domain/shared/text.ts'
import type { Db } from '../platform/database/client.ts'
import { type DayPlanProgress, dayPlans, users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { type DayWish, loadDay } from './apply.ts'
import { silence } from './changes.ts'
import { currentStaffing } from './roster.ts'

/** A plan as its screen shows it; names instead of ids, null for nobody. */
export type ShownPlan = {
  id: string
  state: 'running' | 'ready' | 'stopped' | 'failed' | 'applied'
  madeAt: Date
  progress: DayPlanProgress | null
  result: PlanResult | null
}
export type PlanResult = {
  people: { id: string; name: string; before: Load; after: Load }[]
  moves: Move[]
  travel: { before: number; after: number }
  left: { before: number; after: number }
  /** How many nobody may take by the rules, which stay as they are. */
  stuck: number
  /** Cost and what no plan can be below, in minutes, and the share between them. */
  cost: number
  bound: number
  gap: number
}
type Move = {
  id: string
  folio: string
  service: Service
  startsAt: Date
  municipality: string | null
  from: string | null
  to: string | null
}

/** The last plan for a day and its zones, and how many appointments of them may change hands. */
export async function planOfDay(db: Db, actor: Actor, wish: DayWish, now: Date) {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const staffing = await currentStaffing(db)
  const { versions } = await loadDay(db.$client, staffing, wish, now)
  const [row] = await db
    .select({
      plan: dayPlans,
      isSilent: sql<boolean>`${dayPlans.state} = 'running' and ${dayPlans.beatAt} < now() - ${silence}`,
    })
    .from(dayPlans)
    .where(and(eq(dayPlans.date, wish.date), sql`${dayPlans.zones} = ${sql.param([...wish.zones])}::text[]`))
    .orderBy(desc(dayPlans.createdAt))
    .limit(1)
  return { open: Object.keys(versions).length, plan: row ? await shown(db, row) : null }
}

type Row = { plan: typeof dayPlans.$inferSelect; isSilent: boolean }

async function shown(db: Db, { plan: row, isSilent }: Row): Promise<ShownPlan> {
  const state = isSilent ? 'failed' : row.state
  const isOver = state === 'ready' || state === 'stopped' || state === 'applied'
  return {
    ...{ id: row.id, state, madeAt: row.createdAt, progress: row.progress },
    result: isOver && row.plan ? await resultOf(db, row.plan) : null,
  }
}

async function resultOf(db: Db, plan: NonNullable<Row['plan']['plan']>): Promise<PlanResult> {
  const moved = plan.visits.filter(({ from, to }) => from !== to)
  const names = await namesOf(
    db,
    plan.people.map(({ id }) => id),
  )
  const facts = await factsOf(
    db,
    moved.map(({ id }) => id),
  )
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? 'Alguien que ya no está'))
  const moves = moved.flatMap(({ id, from, to }) => {
    const known = facts.get(id)
    return known ? [{ ...known, from: nameOf(from), to: nameOf(to) }] : []
  })
  const { travel, left, cost, bound } = plan
  return {
    ...{ travel, left, cost, bound, gap: gapOf(plan), stuck: plan.stuck.length },
    people: plan.people
      .map((one) => ({ ...one, name: nameOf(one.id) ?? '' }))
      .sort((a, b) => savedBy(b) - savedBy(a) || bySpanish(a.name, b.name)),
    moves: moves.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : 1)),
  }
}

const savedBy = ({ before, after }: { before: Load; after: Load }) => before.travel - after.travel

async function namesOf(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>()
  const rows = await db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(inArray(users.id, [...ids]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function factsOf(db: Db, ids: readonly string[]) {
  const { id, folio, service, startsAt, municipality } = appointments
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id, folio, service, startsAt, municipality })
          .from(appointments)
          .where(inArray(id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}
