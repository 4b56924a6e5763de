import type { Quality } from './call-state.ts'

/** What the browser had counted at a moment (milliseconds). Jitter and round trip in seconds, as the statistics have them. */
export type Sample = {
  at: number
  received: number
  lost: number
  bytes: number
  jitter: number
  roundTrip: number | null
}

/** How it went between two samples: milliseconds, a share from 0 to 1, kilobits a second. */
export type Measured = { rtt: number | null; loss: number; jitter: number; bitrate: number }

type Limits = { rtt: number; loss: number; jitter: number }
/** Beyond these one notices. ITU-T G.114 has 150 ms one way unnoticed; Opus hides single packets; players hold back some 30 ms. */
const fair: Limits = { rtt: 300, loss: 0.03, jitter: 30 }
/** Beyond these it is hard to talk. G.114 advises against 400 ms one way; words get lost with one packet of ten. */
const poor: Limits = { rtt: 800, loss: 0.1, jitter: 100 }

/** How often it is measured, in milliseconds. */
export const sampleEvery = 2_000
/** Samples until what is shown becomes worse or better: a bar that flickers says nothing. */
const patience = { worse: 2, better: 3 }

/** How it went between two samples. Counters that fell started anew, with another way. */
export function measure(before: Sample, after: Sample): Measured {
  const grown = (field: 'received' | 'lost' | 'bytes') => Math.max(0, after[field] - before[field])
  const all = grown('received') + grown('lost')
  const milliseconds = Math.max(1, after.at - before.at)
  return {
    rtt: after.roundTrip === null ? null : after.roundTrip * 1_000,
    // Nothing comes from whoever has no microphone, too; that the way is broken is told by other signs.
    loss: all === 0 ? 0 : grown('lost') / all,
    jitter: after.jitter * 1_000,
    bitrate: (grown('bytes') * 8) / milliseconds,
  }
}

export function rate({ jitter, loss, rtt }: Measured): Quality {
  const exceeds = (limits: Limits) => (rtt ?? 0) > limits.rtt || loss > limits.loss || jitter > limits.jitter
  if (exceeds(poor)) return 'poor'
  return exceeds(fair) ? 'fair' : 'good'
}

/** What is shown, and how many samples in a row were worse, or better. */
export type Shown = { quality: Quality; worse: number; better: number }

const order: readonly Quality[] = ['poor', 'fair', 'good']

/** What is shown after one more sample; the first is believed at once. */
export function steady(shown: Shown | null, rated: Quality): Shown {
  const step = shown ? order.indexOf(rated) - order.indexOf(shown.quality) : 0
  const worse = step < 0 ? (shown?.worse ?? 0) + 1 : 0
  const better = step > 0 ? (shown?.better ?? 0) + 1 : 0
  const isBelieved = !shown || worse >= patience.worse || better >= patience.better
  return isBelieved ? { quality: rated, worse: 0, better: 0 } : { quality: shown.quality, worse, better }
}
