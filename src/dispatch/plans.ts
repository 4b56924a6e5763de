import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Service } from '../appointments/rules/appointment.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import {
  type DayPlanProgress,
  dayPlans,
  type StoredDayPlan,
  users,
} from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { bySpanish } from '../shared/text.ts'
import { type DayInput, loadDay } from './apply-plan.ts'
import { type DayOutcome, type DayQuestion, gapOf, type Load } from './rules/day-plan.ts'
import { planUndoFor } from './undo-plan.ts'

/** How often the row is updated during the calculation. */
const beatMs = 500

/** How much longer than its time a thread may take before it is ended. */
const graceMs = 10_000

type Calculation = { id: string; task: PlanTask; versions: Record<string, number>; file?: string }

/**
 * Calculates a plan in a separate thread, and keeps its row up to date. It ends when it is finished; when the row is no
 * longer running, since a manager stopped it; or when the thread dies, which fails this plan only.
 */
function calculate(db: Db, { id, task, versions, file = workerFile() }: Calculation): void {
  let progress: DayPlanProgress | null = null
  let plan: StoredDayPlan | null = null
  let writing = Promise.resolve()
  // Not the flags of this process: they concern its own entry file.
  const worker = new Worker(file, {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  worker.unref()
  const write = (state: 'running' | 'ready' | 'stopped' | 'failed') => {
    const set = {
      state,
      ...(progress && { progress }),
      ...(plan && { plan }),
      beatAt: sql`now()`,
      version: sql`version + 1`,
    }
    writing = writing.then(async () => {
      const written = await db
        .update(dayPlans)
        .set(set)
        .where(and(eq(dayPlans.id, id), eq(dayPlans.state, 'running')))
      if (written.rowCount === 0) return void worker.terminate()
      announce(db, { people: [], desk: false })
    })
    writing = writing.catch((err) => {
      log.warn({ err, plan: id }, 'day plan progress not saved')
      void worker.terminate()
    })
  }
  const beat = setInterval(() => write('running'), beatMs)
  const late = setTimeout(() => end(plan ? 'stopped' : 'failed'), task.seconds * 1000 + graceMs)
  for (const timer of [beat, late]) timer.unref()
  let ended = false
  const end = (state: 'ready' | 'stopped' | 'failed') => {
    if (ended) return
    ended = true
    clearInterval(beat)
    clearTimeout(late)
    write(state)
    void worker.terminate()
  }
  worker.on('message', (report: Report) => {
    progress = report.progress ?? progress
    if (report.outcome) plan = { ...report.outcome, stuck: report.stuck, versions }
    if (report.ended) end('ready')
  })
  worker.on('error', (err: Error) => {
    // The library's stack holds its whole source in one line.
    log.error({ plan: id, message: err.message.slice(0, 300) }, 'day plan worker failed')
    end('failed')
  })
  worker.on('exit', () => end('failed'))
}

/** From the source, beside which the build stands; found as the folder of built files is. */
const workerFile = () => path.resolve('src/dispatch/worker.ts')

/** How long a plan is worked on. */
const planSeconds = 10

/** Calculations at once, over all days and processes: each takes a processor. */
const mostAtOnce = 2

/** A row not updated for this long, or by a clock that was ahead, belongs to a process that ended. */
const isSilent = sql`beat_at not between now() - interval '15 seconds' and now() + interval '15 seconds'`

/**
 * Starts calculating a day's plan; returns its id. Another click, or another manager with the same zones, gets the one
 * that runs already. `file` is the thread's file, for tests.
 */
export async function startPlan(
  db: Db,
  actor: Actor,
  input: DayInput,
  now: Date,
  file?: string,
): Promise<string> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  if (input.date < localDate(toMinutes(now))) refuse('failed-precondition', 'Ese día ya pasó.')
  const staffing = await currentStaffing(db)
  const { question, versions } = await loadDay(db.$client, staffing, input, now)
  if (Object.keys(versions).length === 0)
    refuse('failed-precondition', 'Ese día no hay citas por asignar en esas zonas.')
  const { id, isNew } = await begin(db, actor, input)
  if (isNew) calculate(db, { id, versions, task: { question, seconds: planSeconds }, ...(file && { file }) })
  announce(db, { people: [], desk: false })
  return id
}

const begin = (db: Db, actor: Actor, { date, zones }: DayInput) =>
  transaction(
    db,
    async (tx) => {
      await tx
        .update(dayPlans)
        .set({ state: 'failed' })
        .where(and(eq(dayPlans.state, 'running'), isSilent))
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
    // One start at a time, so that two see each other.
    'select pg_advisory_xact_lock(726004)',
  )

/** Ends a calculation with the best plan so far; its thread finds out at its next beat. */
export async function stopPlan(db: Db, actor: Actor, id: string): Promise<void> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  if (!isId(id)) refuse('not-found')
  const [stopped] = await db
    .update(dayPlans)
    .set({ state: 'stopped', version: sql`version + 1` })
    .where(and(eq(dayPlans.id, id), eq(dayPlans.state, 'running'), sql`plan is not null`))
    .returning({ id: dayPlans.id })
  if (!stopped) refuse('failed-precondition', 'Ya no se está calculando, o todavía no hay un plan que usar.')
  announce(db, { people: [], desk: false })
}

/** The input of the thread. */
export type PlanTask = { question: DayQuestion; seconds: number }

/** The thread's report: its progress, and a better plan each time there is one. */
export type Report = {
  progress: { phase: string; cost: number; bound: number | null; seconds: number } | null
  outcome: DayOutcome | null
  /** Appointments that no one may take by the rules alone, which stay as they are. */
  stuck: string[]
  ended: boolean
}

/** A plan as its screen shows it; names instead of ids, null for no one. */
export type ShownPlan = {
  id: string
  state: 'running' | 'ready' | 'stopped' | 'failed' | 'applied'
  madeAt: Date
  /** What it may change is no longer as it was, so that it can't be applied. */
  isOutdated: boolean
  progress: DayPlanProgress | null
  result: PlanResult | null
  /** Whether who reads it can undo that it was applied: for how many seconds, null for as long as nothing changes. */
  undo: Awaited<ReturnType<typeof planUndoFor>>
}
export type PlanResult = {
  people: { id: string; name: string; before: Load; after: Load }[]
  moves: Move[]
  travel: { before: number; after: number }
  left: { before: number; after: number }
  /** How many no one may take by the rules, which stay as they are. */
  stuck: number
  /** What applying it leaves to be confirmed: appointments, and the people who have them. */
  toConfirm: { visits: number; people: number }
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
  toId: string | null
}

/** The last plan for a day and its zones, and how many appointments of them may change hands. */
export async function planOfDay(db: Db, actor: Actor, input: DayInput, now: Date) {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const staffing = await currentStaffing(db)
  const { versions } = await loadDay(db.$client, staffing, input, now)
  const [row] = await db
    .select({
      plan: dayPlans,
      isSilent: sql<boolean>`${dayPlans.state} = 'running' and ${isSilent}`,
    })
    .from(dayPlans)
    .where(
      and(eq(dayPlans.date, input.date), sql`${dayPlans.zones} = ${sql.param([...input.zones])}::text[]`),
    )
    .orderBy(desc(dayPlans.createdAt))
    .limit(1)
  return { open: Object.keys(versions).length, plan: row ? await shown(db, actor, row, versions) : null }
}

type Row = { plan: typeof dayPlans.$inferSelect; isSilent: boolean }

async function shown(
  db: Db,
  actor: Actor,
  { plan: row, isSilent }: Row,
  versions: Record<string, number>,
): Promise<ShownPlan> {
  const state = isSilent ? 'failed' : row.state
  const isOver = state === 'ready' || state === 'stopped' || state === 'applied'
  const [result, undo] = await Promise.all([
    isOver && row.plan ? resultOf(db, row.plan) : null,
    planUndoFor(db, actor, row),
  ])
  return {
    id: row.id,
    state,
    madeAt: row.createdAt,
    isOutdated:
      (state === 'ready' || state === 'stopped') && printOf(row.plan?.versions) !== printOf(versions),
    progress: row.progress,
    result,
    undo,
  }
}

const printOf = (versions: Record<string, number> = {}) =>
  Object.entries(versions)
    .map((one) => one.join())
    .sort()
    .join(' ')

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
    return known ? [{ ...known, from: nameOf(from), to: nameOf(to), toId: to }] : []
  })
  const { travel, left, cost, bound } = plan
  return {
    travel,
    left,
    cost,
    bound,
    gap: gapOf(plan),
    stuck: plan.stuck.length,
    toConfirm: toConfirmOf(plan),
    people: plan.people
      .map((one) => ({ ...one, name: nameOf(one.id) ?? '' }))
      .sort((a, b) => savedBy(b) - savedBy(a) || bySpanish(a.name, b.name)),
    moves: moves.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : 1)),
  }
}

function toConfirmOf({ visits }: StoredDayPlan) {
  const takers = visits.flatMap(({ to }) => (to === null ? [] : [to]))
  return { visits: takers.length, people: new Set(takers).size }
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
