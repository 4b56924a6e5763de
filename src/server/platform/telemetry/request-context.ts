import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** Why something is done right now: the request that asked for it, also of a job that it left behind, and that job. */
export type RequestContext = { request?: string; job?: string; queue?: string }

const contexts = new AsyncLocalStorage<RequestContext>()

/** Runs something, and whatever it waits for, on behalf of a request or job; log lines and letters say so. */
export const runWithContext = <Result>(cause: RequestContext, run: () => Result): Result =>
  contexts.run(cause, run)

/** On whose behalf this runs; nothing at the start, and in timers that were set then. */
export const currentContext = (): RequestContext => contexts.getStore() ?? {}

const shed = new WeakSet<RequestContext>()

/** Says of the request that runs that there was no room for it: no fault of anyone, and nothing was done. */
export const markAsShed = (): void => void shed.add(currentContext())
export const wasShed = (cause: RequestContext = currentContext()): boolean => shed.has(cause)

/** Crockford's: no letter in it looks or sounds like a number. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new request's id: ten signs in two groups, which a person can read out by telephone; a thousand million million of them. */
export function newRequestId(): string {
  const signs = Array.from(randomBytes(10), (byte) => alphabet[byte % 32]).join('')
  return `${signs.slice(0, 5)}-${signs.slice(5)}`
}
