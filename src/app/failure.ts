import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { databaseFault, isConnectionLost } from '../platform/database/client.ts'
import { NoSpace } from '../platform/storage/receive.ts'

/** Ended by this code, a start that never served is tried once more: the database went away while it began. */
const tryAgain = 75

/** Why a start failed: one sentence with cause and cure, and where more is written. `exitCode` is the process's. */
class StartFailure extends Error {
  exitCode: number
  constructor(sentence: string, log: string | undefined, cause: unknown, exitCode = 1) {
    super(log ? `${sentence} Log: ${log}` : sentence, { cause })
    this.exitCode = exitCode
  }
}

const full = /no space left on device|disk quota exceeded/i
const lastWords = 10_000

/** What PostgreSQL has written since we began: where it could not write, it ends, and we only see that it is gone. */
const saidSince = (log: string) =>
  readFileSync(log, 'utf8')
    .slice(-lastWords)
    .split('\n')
    .filter(
      (line) => Date.parse(line.slice(0, '2026-01-31 12:00:00.000 UTC'.length)) >= performance.timeOrigin,
    )
    .join('\n')

/** The failure of a start, as the console tells it. `dataDir` is where the embedded database is, if it is one. */
export function startFailure(error: unknown, dataDir: string | undefined): unknown {
  const file = path.join(dataDir ?? '', 'postgres/server.log')
  const log = dataDir && existsSync(file) ? file : undefined
  const fail = (sentence: string, exitCode?: number) => new StartFailure(sentence, log, error, exitCode)
  const { code, path: place } = systemFault(error)
  const isLost = isConnectionLost(error)
  const words = chain(error)
  const isGone = isLost || words.startsWith('PostgreSQL did not start')
  if (error instanceof NoSpace || full.test(words) || (isGone && log && full.test(saidSince(log))))
    return fail(`The disk${dataDir ? ` of ${dataDir}` : ''} is full: free some space and start again.`)
  if (place && ['EACCES', 'EPERM', 'EROFS'].includes(code))
    return fail(
      `${place} cannot be written: start as the user who owns it, or choose another folder (DATA_DIR=/path npm start).`,
    )
  if (isLost)
    return fail(
      'The connection to the database was lost while starting: the machine may be very busy, or somebody ended PostgreSQL. Start again.',
      tryAgain,
    )
  if (databaseFault(error).code)
    return fail(
      `The database could not be prepared (${innermost(error).message}): start again, and if that fails too, look into its log.`,
    )
  // A sentence of our own is a plain error; any other is a fault of the program's.
  if (!(error instanceof Error) || (error.constructor === Error && !code)) return error
  return fail(
    `The start failed (${error.message}): start again, and if that fails too, report what LOG_LEVEL=debug npm start says.`,
  )
}

/** An error and its causes, the outermost first. */
function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}

const innermost = (error: unknown) => causes(error).at(-1)!

/** Their words without those of a failed query, which quotes what was written. */
const chain = (error: unknown) =>
  causes(error)
    .filter(({ message }) => !message.startsWith('Failed query'))
    .map(({ message }) => message)
    .join('\n')

function systemFault(error: unknown): { code: string; path?: string | undefined } {
  const found = causes(error).find((one) => 'path' in one) as NodeJS.ErrnoException | undefined
  return { code: found?.code ?? '', path: found?.path }
}
