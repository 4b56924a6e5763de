import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { currentContext, type RequestContext } from '../platform/telemetry/request-context.ts'
import { traceIds } from '../platform/telemetry/spans.ts'

/** Requests have so long to be answered, jobs to end, connections to close: all together, less than ten seconds. */
export const stopMs = { requests: 4_500, jobs: 3_500, connections: 500, all: 9_500 } as const

/** Kept connections learn with their next answer that it was the last; one that says nothing for so long is closed. */
const lastAnswersMs = 250

/**
 * Runs what was opened backwards, once, at the first SIGINT, SIGTERM or SIGHUP, and ends the process after so many
 * milliseconds at the latest: a PostgreSQL of ours that is still ending does so without us, and the next start waits for it.
 */
export function stopper(longest: number = stopMs.all) {
  const steps: (() => unknown)[] = []
  let ending: Promise<void> | undefined
  const now = () => {
    ending ??= (async () => {
      for (const step of steps.reverse())
        await Promise.try(step).catch((err) => log.error({ err }, 'shutdown step failed'))
    })()
    return ending
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void atMost(longest, now(), 'everything').then(() => process.exit(0)))
  return { after: (step: () => unknown) => void steps.push(step), now }
}

/** Takes no more connections, and lets every request that came be answered; what takes too long is cut. */
export function drain(server: Server) {
  return atMost(stopMs.requests + lastAnswersMs, answerTheRest(server), 'requests')
}

async function answerTheRest(server: Server) {
  if (!server.listening) return
  const cut = setTimeout(() => server.closeAllConnections(), stopMs.requests)
  const closed = new Promise((resolve) => server.once('close', resolve))
  // Right after the loop has taken in what waited at the door: a person who still stands there when it closes is cut off.
  await new Promise(setImmediate)
  // Not yet the idle connections, as http's own close() does: a request may be on its way on any of them.
  Listener.prototype.close.call(server)
  await Promise.race([closed, sleep(lastAnswersMs)])
  const idle = setInterval(() => server.closeIdleConnections(), lastAnswersMs)
  server.closeIdleConnections()
  await closed
  clearInterval(idle)
  clearTimeout(cut)
}

/** Waits for something to end, but not longer than that. */
export async function atMost(ms: number, ending: Promise<unknown>, what: string) {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.warn({ what, ms }, 'shutdown timeout')
    late.resolve()
  }, ms)
  await Promise.race([ending, late.promise]).finally(() => clearTimeout(timer))
}

const isLevel = (name: string | undefined): name is string =>
  name !== undefined && (name === 'silent' || name in pino.levels.values)

/** One JSON line per entry on standard output. Never give it form values, addresses, e-mails or an error's SQL message. */
export const log = pino({
  // A wrong level is named with the other variables (env.ts), once there is a person to tell.
  level: isLevel(process.env.LOG_LEVEL) ? process.env.LOG_LEVEL : 'info',
  serializers: { err: withoutPersonalData },
  // On whose behalf it is written; a line's own words for the same come after, and count.
  mixin: () => ({ ...named(currentContext()), ...traceIds() }),
})

/** The log's own name of a request is short, since every line has it. */
const named = ({ request, ...rest }: RequestContext) => ({ ...(request && { req: request }), ...rest })

/** Database errors quote their parameters, so only what can't hold them is kept: name, code, constraint, and where it was thrown. */
export function withoutPersonalData(error: unknown) {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  // The job queue reports what is like an error, without being one.
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

/** Whether a name or an address is this very machine's, so that no other person can ask there. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether an address of a page is. */
export const isLocal = (url: string): boolean => isLoopback(new URL(url).hostname)
