import type { Db } from '../database/database.ts'
import { missingMigrations } from '../database/migrate.ts'
import { isGone } from '../database/pulse.ts'
import { jobsRun } from '../jobs/jobs.ts'

/** Longer than the pulse takes to call a database gone (pulse.ts): who is told to come back by a red light is then refused at once. */
const longestLookMs = 4_000

export type Readiness = { ready: boolean; database: boolean; migrations: boolean; jobs: boolean }

/** Whether this process can serve: database reachable, schema as this version needs it, jobs taken. */
export async function readiness(db: Db, withJobs: boolean): Promise<Readiness> {
  const missing = await Promise.race([
    isGone(db) ? null : missingMigrations(db).catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, longestLookMs, null)),
  ])
  const parts = {
    database: missing !== null,
    migrations: missing?.length === 0,
    jobs: !withJobs || jobsRun(),
  }
  return { ready: parts.database && parts.migrations && parts.jobs, ...parts }
}
