import { Refusal, type RefusalCode } from '../../../domain/shared/refusal.ts'
import { log } from '../../app/log.ts'
import { databaseFault } from './database.ts'

/** What a SQLSTATE, or its class, says of a change that was lawful in itself; what is not here is a bug. */
const meanings: readonly [RegExp, RefusalCode][] = [
  [/^57014/, 'deadline-exceeded'],
  [/^(55P03|40001|40P01)/, 'aborted'],
  [/^(08|57P|53)/, 'unavailable'],
  [/^XX00[12]/, 'data-loss'],
  [/^XX/, 'internal'],
  [/^(22003|22008)/, 'out-of-range'],
  [/^0A/, 'unimplemented'],
  [/^P0001/, 'unknown'],
]

/** How the pool says that there is no database: these errors have no SQLSTATE. */
const gone = /connection terminated|not queryable|timeout exceeded when trying to connect/i
/** What the system says of a connection that can't be made, or that broke. */
const waysIn = new Set(['connect', 'getaddrinfo'])
const broken = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'])
const isLost = ({ message, code = '', syscall = '' }: NodeJS.ErrnoException) =>
  waysIn.has(syscall) || broken.has(code) || gone.test(message)

/** The refusal behind a database that failed us, which goes to the log; null for anything else. */
export function databaseRefusal(error: unknown): Refusal | null {
  const { code } = databaseFault(error)
  const status = code ? meanings.find(([pattern]) => pattern.test(code))?.[1] : lostIn(error)
  if (!status) return null
  log.error({ err: error, status }, 'the database failed a request')
  return new Refusal(status)
}

function lostIn(error: unknown): 'unavailable' | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) if (isLost(fault)) return 'unavailable'
  return undefined
}
