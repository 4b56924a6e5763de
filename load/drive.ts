import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Ask } from '../bench/load.ts'

/** A request of some kind, and the status of its good answer. */
export type Request = Ask & { kind: string; good: number }
/**
 * What became of a request: answered as it should; refused for a reason of the product's (a slot that was just taken);
 * turned away with the time to come again; or failed.
 */
type Outcome = 'answered' | 'refused' | 'away' | 'failed'
/** `at` is when it was due, in milliseconds since the start; `ms` is from then to the last byte; status 0 is no answer. */
export type Mark = { kind: string; at: number; ms: number; outcome: Outcome; status: number }
type Send = (wanted: Ask) => Promise<Answer>

/** Milliseconds after which nobody waits any longer. */
const patience = 15_000

/** When each of `rate` requests a second is due, for so many seconds: at random, as people come. */
export function* arrivals(rate: number, seconds: number): Generator<number> {
  const gap = () => (-Math.log(1 - Math.random()) / rate) * 1000
  for (let at = gap(); at < seconds * 1000; at += gap()) yield at
}

/**
 * Sends what is due when it is due, however long the answers take, and counts each from the moment it was due: a server
 * that stalls is not asked less, and what should have been asked meanwhile waits with the rest.
 */
export async function drive(send: Send, due: Iterable<number>, next: () => Request, marks: Mark[] = []) {
  const started = performance.now()
  const open: Promise<Mark>[] = []
  for (const at of due) {
    const early = started + at - performance.now()
    if (early > 0) await pause(early)
    open.push(sendOne(send, next(), marks, started, at))
  }
  await Promise.all(open)
  return marks
}

/** Sends one request, and notes and answers what became of it. */
export async function sendOne(
  send: Send,
  request: Request,
  marks: Mark[],
  started: number,
  at = performance.now() - started,
): Promise<Mark> {
  const answer = await Promise.race([send(request), pause(patience, null, { ref: false })]).catch(() => null)
  const mark = {
    kind: request.kind,
    at,
    ms: performance.now() - started - at,
    outcome: outcomeOf(answer, request),
    status: answer?.status ?? 0,
  }
  marks.push(mark)
  return mark
}

function outcomeOf(answer: Answer | null, { good }: Request): Outcome {
  if (answer?.status === good) return 'answered'
  if (answer?.status === 409) return 'refused'
  const isAway = [429, 503].includes(answer?.status ?? 0) && answer?.headers['retry-after']
  return isAway ? 'away' : 'failed'
}

/** The value below which a share of the numbers lies; 0 for none. */
export const quantile = (values: readonly number[], share: number) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0)

/** How many requests there were, what became of them, and how long those took that were answered or refused. */
export function sumsOf(marks: readonly Mark[]) {
  const { answered = [], refused = [], away = [], failed = [] } = Object.groupBy(marks, (one) => one.outcome)
  const times = [...answered, ...refused].map(({ ms }) => ms)
  return {
    due: marks.length,
    answered: answered.length,
    refused: refused.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    away: away.length,
    failed: failed.length,
  }
}

/** Those due in a part of a run, in seconds from its start. */
export const between = (marks: readonly Mark[], from: number, to: number) =>
  marks.filter(({ at }) => at >= from * 1000 && at < to * 1000)

/** What failed, and with which status. */
export function failuresOf(marks: readonly Mark[]): string {
  const failed = marks.filter(({ outcome }) => outcome === 'failed')
  return [...new Set(failed.map(({ kind, status }) => `${kind}: ${status}`))].join(', ')
}
