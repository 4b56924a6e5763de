import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Ask } from '../bench/load.ts'

/**
 * What became of a request: answered as it should; refused for a reason of the product's (a slot that was just taken);
 * turned away with the time to come again; or failed.
 */
export type Outcome = 'answered' | 'refused' | 'away' | 'failed'
/** `at` is when it was due, in milliseconds since the start; `ms` is from then to the last byte; `late` how long after that it was sent. */
export type Mark = { kind: string; at: number; ms: number; late: number; outcome: Outcome; status: number }

/** A request of the mix, and the statuses that are its good answers. */
export type Request = { kind: string; ask: Ask; good: readonly number[] }

/** Milliseconds after which nobody waits any longer. */
const patience = 15_000

/** When each of `rate` requests a second is due, for so many seconds: at random, as people come, and whatever became of those before. */
export function* arrivals(rate: number, seconds: number): Generator<number> {
  for (let at = gap(); at < seconds * 1000; at += gap()) yield at
  function gap() {
    return (-Math.log(1 - Math.random()) / rate) * 1000
  }
}

/**
 * Sends what is due when it is due, however long the answers take, and counts each from the moment it was due: a server
 * that stalls is not asked less, and what should have been asked meanwhile waits with the rest.
 */
export async function drive(
  ask: (wanted: Ask) => Promise<Answer>,
  due: Iterable<number>,
  next: () => Request,
  marks: Mark[] = [],
): Promise<Mark[]> {
  const started = performance.now()
  const open = new Set<Promise<void>>()
  for (const at of due) {
    const early = started + at - performance.now()
    if (early > 0) await pause(early)
    const one = sendOne(ask, next(), { at, started }, marks)
    open.add(one)
    one.finally(() => open.delete(one))
  }
  await Promise.all(open)
  return marks
}

/** Sends one request and notes what became of it. */
export async function sendOne(
  ask: (wanted: Ask) => Promise<Answer>,
  { kind, ask: wanted, good }: Request,
  { at, started }: { at: number; started: number },
  marks: Mark[],
): Promise<void> {
  const late = performance.now() - started - at
  const answer = await Promise.race([ask(wanted), pause(patience, null, { ref: false })]).catch(() => null)
  const ms = performance.now() - started - at
  marks.push({ kind, at, ms, late, outcome: outcomeOf(answer, good), status: answer?.status ?? 0 })
}

function outcomeOf(answer: Answer | null, good: readonly number[]): Outcome {
  if (!answer) return 'failed'
  if (good.includes(answer.status)) return 'answered'
  if ([429, 503].includes(answer.status)) return answer.headers['retry-after'] ? 'away' : 'failed'
  return answer.status === 409 ? 'refused' : 'failed'
}
