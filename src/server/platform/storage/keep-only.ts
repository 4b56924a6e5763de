import { Refusal } from '../../../domain/shared/refusal.ts'
import { log } from '../../app/log.ts'
import { type Db, databaseFault } from '../database/database.ts'
import type { Drive } from './drive.ts'
import { dropOrphans } from './sweep.ts'

type Store = { db: Db; drive: Drive }

/**
 * Runs the change that bytes on the drive are for. Refused, they go again, unless a living row names them; done, those go that
 * it does not need any more. What can't be told (the answer to a commit was lost) is left to the sweep.
 */
export async function keepOnly<Result>(
  { db, drive }: Store,
  keys: readonly string[],
  change: () => Promise<Result>,
  unneeded: (result: Result) => Promise<readonly string[]> | readonly string[],
): Promise<Result> {
  let result: Result
  try {
    result = await change()
  } catch (error) {
    if (isRefused(error)) await dropped(() => dropOrphans(db, drive, keys))
    throw error
  }
  await dropped(async () => dropOrphans(db, drive, await unneeded(result)))
  return result
}

const isRefused = (error: unknown) =>
  error instanceof Refusal || databaseFault(error).constraint !== undefined

/** What came of the change stands, whatever becomes of this. */
const dropped = (drop: () => Promise<unknown>) =>
  drop().catch((err) => log.warn({ err }, 'bytes that nobody needs are left to the sweep'))
