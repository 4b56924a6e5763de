import type { Server } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../telemetry/log.ts'

/** How long requests may take to finish, jobs to end, connections to close: together less than ten seconds. */
export const stopMs = { requests: 4_500, jobs: 3_500, connections: 500, all: 9_500 } as const

/** Kept connections learn with their next answer that it was the last; one idle for this long is closed. */
const lastAnswersMs = 250

/** `replaced`: another process already serves at the same port. */
type Leaving = { replaced: boolean }

/**
 * Closes what was opened, in reverse order, once, at the first SIGINT, SIGTERM or SIGHUP, and ends the process after
 * this many milliseconds at the latest: an embedded PostgreSQL that is still stopping does so alone, and the next start
 * waits for it.
 */
export function stopper(longest: number = stopMs.all) {
  const steps: ((leaving: Leaving) => unknown)[] = []
  let ending: Promise<void> | undefined
  const now = (leaving: Leaving = { replaced: false }) => {
    ending ??= (async () => {
      for (const step of steps.reverse())
        await Promise.try(step, leaving).catch((err) => log.error({ err }, 'shutdown step failed'))
    })()
    return ending
  }
  const end = (leaving?: Leaving) =>
    void atMost(longest, now(leaving), 'everything').then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end())
  // The supervisor was killed: nobody would start this one again, and the next `npm start` finds port and data free.
  process.once('disconnect', () => end())
  if (process.connected === false) end()
  return { after: (step: (leaving: Leaving) => unknown) => void steps.push(step), now, end }
}

/** Accepts no more connections, and lets every open request finish; one that takes too long is cut. */
export function drain(server: Server) {
  return atMost(stopMs.requests + lastAnswersMs, answerTheRest(server), 'requests')
}

async function answerTheRest(server: Server) {
  if (!server.listening) return
  const cut = setTimeout(() => server.closeAllConnections(), stopMs.requests)
  const closed = new Promise((resolve) => server.once('close', resolve))
  // Only after the event loop has accepted pending connections: those still pending at the close are cut off.
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

/** Waits for something to end, but no longer than this. */
export async function atMost(ms: number, ending: Promise<unknown>, what: string) {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.warn({ what, ms }, 'shutdown timeout')
    late.resolve()
  }, ms)
  await Promise.race([ending, late.promise]).finally(() => clearTimeout(timer))
}
