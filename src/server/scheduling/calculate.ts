import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { and, eq, sql } from 'drizzle-orm'
import { log } from '../app/log.ts'
import type { Db } from '../platform/database/database.ts'
import {
  type DayPlanProgress,
  dayPlans,
  type StoredDayPlan,
} from '../platform/database/schema/staff-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Report, Task } from './report.ts'

/** How often the row is written while it is worked out. */
const beatMs = 500
/** How much longer than its time a thread may take before it is ended. */
const graceMs = 10_000

type Calculation = { id: string; task: Task; versions: Record<string, number>; file?: string }

/**
 * Works a plan out in a thread of its own, and keeps its row true to how far it is. It ends by itself; when the row is no
 * longer running, since somebody stopped it; or when the thread dies, which is the plan's failure and nobody else's.
 */
export function calculate(db: Db, { id, task, versions, file = workerFile() }: Calculation): void {
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
