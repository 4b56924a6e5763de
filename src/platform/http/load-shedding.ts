import type { Context, MiddlewareHandler } from 'hono'
import { overload } from '../../shared/overload.ts'
import { refusals } from '../../shared/refusal.ts'
import { log, markAsShed } from '../telemetry/log.ts'
import { barePage, barePolicy } from './error-handler.ts'
import type { LoadLimits } from './load-env.ts'
import { networkOf } from './network.ts'
import type { HttpEnv } from './types.ts'

/** A request in progress; `arrived` says whether its whole body was received. */
type Admitted = { arrived: () => boolean }

/** How long more than `sustainedLimit` requests may be in progress: the burst of one page's own requests is no overload. */
const SUSTAINED_AFTER_MS = 1_000

/** Delayed by more than this, in milliseconds, the process answers nobody in time: visitors without a session are rejected first. */
const LATE_MS = 1_000

/** The interval between two log lines about rejected requests. */
const LOG_EVERY_MS = 10_000

export type LoadShedder = ReturnType<typeof createLoadShedder>

/**
 * Counts the requests in progress and decides which to reject. Under load most of the latency is time in the queue, so a
 * queue that does not drain by itself is kept short: admitted requests are answered in time, the rest are rejected at once.
 * `now` counts milliseconds.
 */
export function createLoadShedder(
  { peakLimit, sustainedLimit }: LoadLimits,
  now = () => performance.now(),
  lateness = loopLateness(),
) {
  const inside = new Set<Admitted>()
  let belowLimitAt = now()
  let shed = 0
  let unlogged = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  // Half of the limit: a sustained overload is held at the limit itself, where every answer would look like its end.
  const look = () => {
    if (inside.size <= sustainedLimit / 2) belowLimitAt = now()
  }
  /** Requests whose body is complete: one that is received slowly takes no capacity. */
  const waiting = () => [...inside].reduce((count, { arrived }) => count + (arrived() ? 1 : 0), 0)
  const isFull = (isRead: boolean) => {
    if (inside.size < sustainedLimit) return false
    const limit = isRead && now() - belowLimitAt > SUSTAINED_AFTER_MS ? sustainedLimit : peakLimit
    return inside.size >= limit && waiting() >= limit
  }
  const countShed = () => {
    shed++
    unlogged++
    if (now() - loggedAt < LOG_EVERY_MS) return
    log.warn({ turnedAway: unlogged, inside: inside.size }, 'load shedding: requests rejected')
    unlogged = 0
    loggedAt = now()
  }

  return {
    /**
     * Whether there is capacity; if not, the request is rejected unread. Writes are admitted up to `peakLimit`. What
     * never waits is not in progress for long: pages of visitors without a session are measured by the process's delay.
     */
    admits(changes: boolean, isAnonymous = false): boolean {
      look()
      const full = isFull(!changes) || (isAnonymous && !changes && lateness() > LATE_MS)
      if (full) countShed()
      return !full
    },
    /** Counts a request until its response is ready; the time a client takes to read it does not count. */
    async within(guest: Admitted, run: () => Promise<void>): Promise<void> {
      inside.add(guest)
      try {
        await run()
      } finally {
        inside.delete(guest)
        look()
      }
    },
    /** Counts a request that was rejected elsewhere. */
    turnedAway: countShed,
    figures: () => ({ inside: inside.size, shed }),
  }
}

const everyMs = 250

/** How late the process is, in milliseconds: by how much its last timer, or the one that is due, was delayed. */
function loopLateness(): () => number {
  let due = performance.now() + everyMs
  let late = 0
  setInterval(() => {
    late = performance.now() - due
    due = performance.now() + everyMs
  }, everyMs).unref()
  return () => Math.max(late, performance.now() - due)
}

/** Never shed: health checks, cheap requests, and streams, which stay open by design. */
const always = /^\/(healthz$|readyz$|live$|assets\/|icons\/|favicon\.svg$|sw\.js$)/
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** How many reads are in progress at once: of a session or an API key, of a network without one, and of a network in all. */
const share = { session: 8, visitors: 2, network: 24 }
/** How many more of them wait; further ones are rejected. */
const mostWaiting = 200

/** Reads that wait for others' systems, or for files, keep no one from pages. */
const slow = /^\/(session\/callback|files|documents)\//

/**
 * Rejects requests above the limit before their session and body are read: a retry is safe. Reads beyond the share of
 * whoever asks wait for their own, so that others do not wait for them.
 */
export function shedLoad(
  shedder: LoadShedder,
  tokenOf: (cookies: string | null) => string | null,
): MiddlewareHandler<HttpEnv> {
  const shares = ownShares()
  return async (c, next) => {
    if (always.test(c.req.path)) return next()
    const token = tokenOf(c.req.header('cookie') ?? null)
    const isRead = reads.has(c.req.method)
    // Only the API reads a key.
    const key = c.req.path.startsWith('/api/v1/') ? c.req.header('authorization') : undefined
    const admitted = async () => {
      if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
      if (!shedder.admits(!isRead, !token && !key)) return refusal(c)
      const { incoming } = c.env ?? {}
      return shedder.within({ arrived: () => incoming?.complete ?? true }, next)
    }
    if (!isRead || slow.test(c.req.path)) return admitted()
    const network = networkOf(c.get('clientAddress'))
    const who = token ?? `${network} ${key ?? ''}`
    if (Math.max(shares.waiting(who), shares.waiting(network)) >= mostWaiting) {
      shedder.turnedAway()
      return refusal(c)
    }
    const most = token || key ? share.session : share.visitors
    return shares.within(who, most, () => shares.within(network, share.network, admitted))
  }
}

/** Runs at most so many at once for each `who`; the others of the same wait in their order, each for a turn of the loop. */
function ownShares() {
  const all = new Map<string, { inside: number; queue: (() => void)[] }>()
  return {
    waiting: (who: string) => all.get(who)?.queue.length ?? 0,
    async within<Result>(who: string, most: number, run: () => Promise<Result>): Promise<Result> {
      const own = all.get(who) ?? { inside: 0, queue: [] }
      all.set(who, own)
      if (own.inside < most) own.inside++
      else await new Promise<void>((begin) => own.queue.push(begin))
      try {
        return await run()
      } finally {
        const next = own.queue.shift()
        if (next) setImmediate(next)
        else if (--own.inside === 0) all.delete(who)
      }
    },
  }
}

/** Spread, so that clients do not retry at the same moment. */
const seconds = () => 2 + Math.floor(Math.random() * 4)

function refusal(c: Context<HttpEnv>): Response {
  markAsShed()
  const later = String(seconds())
  c.header('retry-after', later)
  c.header(overload.header, '1')
  c.header('cache-control', 'no-store')
  if (!c.req.header('accept')?.includes('text/html')) return c.json(forPrograms(c.get('requestId')), 503)
  const isRead = reads.has(c.req.method)
  // The page reloads by itself; the user sends a form again.
  if (isRead) c.header('refresh', later)
  c.header('content-security-policy', barePolicy)
  const advice = isRead ? overload.read : overload.change
  return c.html(barePage(title, [description, advice], c.get('requestId')), 503)
}

const { title, description } = overload

/** The formats that programs read: operations, phones on site, the public API. */
const forPrograms = (requestId: string) => ({
  ok: false,
  code: 'unavailable',
  title,
  description,
  detail: description,
  status: 503,
  requestId,
  error: { code: 'unavailable', title, description },
})
