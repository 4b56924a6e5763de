import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** The cause of the current work: the request, also for a job that it sent, and that job. */
export type RequestContext = { request?: string; job?: string; queue?: string }

const contexts = new AsyncLocalStorage<RequestContext>()

/** Runs a function, and everything it awaits, in the context of a request or job; log lines and letters include it. */
export const runWithContext = <Result>(cause: RequestContext, run: () => Result): Result =>
  contexts.run(cause, run)

/** The current context; empty at the start, and in timers that were set then. */
export const currentContext = (): RequestContext => contexts.getStore() ?? {}

const shed = new WeakSet<RequestContext>()

/** Marks the current request as shed for lack of capacity: it was not processed, and is no error. */
export const markAsShed = (): void => void shed.add(currentContext())
export const wasShed = (cause: RequestContext = currentContext()): boolean => shed.has(cause)

/** Crockford's alphabet: no letter in it can be mistaken for a number. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A new request's id: ten characters in two groups, which a user can read out by telephone; about 10^15 are possible.
 */
export function newRequestId(): string {
  const signs = Array.from(randomBytes(10), (byte) => alphabet[byte % 32]).join('')
  return `${signs.slice(0, 5)}-${signs.slice(5)}`
}
