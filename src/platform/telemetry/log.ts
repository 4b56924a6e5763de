import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { messageDropped, traceIds } from './spans.ts'

const isLevel = (name: string | undefined): name is string =>
  name !== undefined && (name === 'silent' || name in pino.levels.values)

/** One JSON line per entry on standard output. Never pass form values, addresses, e-mails or an error's SQL message. */
export const log = pino({
  // An invalid level is reported with the other variables (env.ts).
  level: isLevel(process.env.LOG_LEVEL) ? process.env.LOG_LEVEL : 'info',
  serializers: { err: withoutPersonalData },
  // The context of the line; a line's own fields of the same name come after, and win.
  mixin: () => ({ ...named(currentContext()), ...traceIds() }),
})

/** The log's own name of a request is short, since every line has it. */
const named = ({ by, known, network, proved, request, ...rest }: RequestContext) => ({
  ...(request && { req: request }),
  ...rest,
})

/**
 * Database errors quote their parameters, so only fields without them are kept: name, code, constraint, and where it
 * was thrown.
 */
export function withoutPersonalData(error: unknown) {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  // The job queue reports objects like errors that are no Error.
  if (!(error instanceof Error)) return withoutPersonalData(Object.assign(new Error(), error))
  const cause = (error.cause ?? error) as { code?: string; constraint?: string }
  const isQuery = error.name === 'DrizzleQueryError' || error.message.startsWith('Failed query')
  return {
    type: error.name,
    ...(isQuery ? {} : { message: error.message }),
    ...(cause.code && { code: cause.code, constraint: cause.constraint }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .slice(0, 12),
  }
}

/** The cause of the current work: the request and its customer, also for a job that it sent, and that job. */
export type RequestContext = {
  request?: string
  by?: string
  /** Of the request's sender; neither it nor `by` is logged. */
  network?: string
  /** Whether the sender is known: by the session of an account with a verified e-mail, or by their browser. */
  proved?: boolean
  /** The account that the browser knows, hashed: its password is checked apart from the network's. */
  known?: string
  job?: string
  queue?: string
}

const contexts = new AsyncLocalStorage<RequestContext>()

/** Runs a function, and everything it awaits, in the context of a request or job; log lines and letters include it. */
export const runWithContext = <Result>(cause: RequestContext, run: () => Result): Result =>
  contexts.run(cause, run)

/** The current context; empty at the start, and in timers that were set then. */
export const currentContext = (): RequestContext => contexts.getStore() ?? {}

/** Notes whose request this is: what follows from it is counted as theirs. */
export const causedBy = (who: Pick<RequestContext, 'by' | 'known' | 'network' | 'proved'>): void =>
  void Object.assign(currentContext(), who)

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

/** Counts and logs a message that was not sent, since it would be of no use any more. */
export function noteDropped(queue: string, kind: string): void {
  messageDropped({ queue, kind })
  log.info({ queue, kind }, 'message dropped: outdated')
}
