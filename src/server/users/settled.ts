import { failed, Refusal, type Result } from '../../domain/shared/refusal.ts'
import { log } from '../app/log.ts'
import { databaseRefusal } from '../platform/database/faults.ts'

/** Runs an operation of the store: whatever it throws becomes its answer, a bug too, which goes to the log. */
export async function settled<T>(run: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await run() }
  } catch (error) {
    if (error instanceof Refusal) return failed(error)
    const refusal = databaseRefusal(error)
    if (refusal) return failed(refusal)
    log.error({ err: error }, 'an operation of the store failed')
    return failed(new Refusal('unknown'))
  }
}
