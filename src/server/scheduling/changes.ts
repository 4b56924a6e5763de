import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { DayOutcome, DayQuestion } from '../../domain/scheduling/day-plan.ts'
import { managesSchedule } from '../../domain/scheduling/roster.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { log } from '../app/stop.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { type DayPlanProgress, dayPlans, type StoredDayPlan } from '../platform/database/schema/accounts.ts'
import { announce } from '../platform/live/announcements.ts'
import { type DayWish, loadDay } from './apply.ts'
import { currentStaffing } from './roster.ts'

/** How often the row is written while it is worked out. */
const beatMs = 500

/** How much longer than its time a thread may take before it is ended. */
const graceMs = 10_000

type Calculation = { id: string; task: PlanTask; versions: Record<string, number>; file?: string }

/**
 * Works a plan out in a thread of its own, and keeps its row true to how far it is. It ends by itself; when the row is no
 * longer running, since somebody stopped it; or when the thread dies, which is the plan's failure and nobody else's.
 */
function calculate(db: Db, { id, task, versions, file = workerFile() }: Calculation): void {
  let progress: DayPlanProgress | null = null
  let plan: StoredDayPlan | null = null
  let writing = Promise.resolve()
  // Not the flags of this process: they are about its own first file.
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
      log.warn({ err, plan: id }, 'the progress of a plan was not written')
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
    log.error({ plan: id, message: err.message.slice(0, 300) }, 'a plan’s thread failed')
    end('failed')
  })
  worker.on('exit', () => end('failed'))
}

/** From the source, beside which the build stands; found as the folder of built files is. */
const workerFile = () => path.resolve('src/server/scheduling/worker.ts')

/** How long a plan is worked on. */
const planSeconds = 10

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
  if (!managesSchedule(actor)) refuse('permission-denied')
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

/** What the thread is given. */
export type PlanTask = { question: DayQuestion; seconds: number }

/** What it tells: how far it is, and a better plan each time there is one. */
export type Report = {
  progress: { phase: string; cost: number; bound: number | null; seconds: number } | null
  outcome: DayOutcome | null
  /** Appointments that nobody may take by the rules alone, which stay as they are. */
  stuck: string[]
  ended: boolean
}
