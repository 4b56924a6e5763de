import { failed, Refusal, type Result } from '../shared/refusal.ts'
import { databaseRefusal } from './database/client.ts'
import { log } from './telemetry/log.ts'

/** Runs an operation of the store: an error becomes its result, also an internal one, which is logged. */
export async function toResult<T>(run: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await run() }
  } catch (error) {
    if (error instanceof Refusal) return failed(error)
    const refusal = databaseRefusal(error)
    if (refusal) return failed(refusal)
    log.error({ err: error }, 'user command failed')
    return failed(new Refusal('unknown'))
  }
}
