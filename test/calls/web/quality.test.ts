import { describe, expect, test } from 'vitest'
import type { Quality } from '../../../src/web/calls/rtc/call-state.ts'
import { levelOf } from '../../../src/web/calls/rtc/level.ts'
import {
  type ConnectionMeasure,
  measureConnection,
  rate,
  type Sample,
  type Shown,
  sampleOf,
  steady,
} from '../../../src/web/calls/rtc/pair.ts'

const sample: Sample = { at: 0, received: 1_000, lost: 10, bytes: 100_000, jitter: 0.005, roundTrip: 0.04 }

describe('two samples', () => {
  test('give milliseconds, a share and kilobits a second', () => {
    const after = { ...sample, at: 2_000, received: 1_090, lost: 20, bytes: 350_000, jitter: 0.012 }
    expect(measureConnection(sample, after)).toEqual({ rtt: 40, loss: 0.1, jitter: 12, bitrate: 1_000 })
  })

  test('of somebody who sends nothing are no loss, and without a round trip none is made up', () => {
    const after = { ...sample, at: 2_000, roundTrip: null }
    expect(measureConnection(sample, after)).toMatchObject({ loss: 0, bitrate: 0, rtt: null })
  })

  test('that begin anew do not count backwards', () => {
    const after = { ...sample, at: 2_000, received: 50, lost: 0, bytes: 4_000 }
    expect(measureConnection(sample, after)).toMatchObject({ loss: 0, bitrate: 0 })
  })
})

const perfect: ConnectionMeasure = { rtt: 20, loss: 0, jitter: 2, bitrate: 1_500 }
test.each<[Partial<ConnectionMeasure>, Quality]>([
  [{}, 'good'],
  [{ rtt: 300, loss: 0.03, jitter: 30 }, 'good'],
  [{ rtt: null }, 'good'],
  [{ bitrate: 0 }, 'good'],
  [{ rtt: 301 }, 'fair'],
  [{ loss: 0.031 }, 'fair'],
  [{ jitter: 31 }, 'fair'],
  [{ rtt: 801 }, 'poor'],
  [{ loss: 0.11 }, 'poor'],
  [{ jitter: 101 }, 'poor'],
])('%j is %s', (measured, quality) => {
  expect(rate({ ...perfect, ...measured })).toBe(quality)
})

test.each<[string, string]>([
  ['g', 'g'],
  ['p', 'p'],
  ['gpgpg', 'ggggg'],
  ['gfp', 'ggp'],
  ['gpp', 'ggp'],
  ['pgg', 'ppp'],
  ['pggg', 'pppg'],
  ['pffgg', 'pppgg'],
  ['fgpgg', 'fffff'],
])('samples %s show %s', (samples, shows) => {
  const word: Record<string, Quality> = { g: 'good', f: 'fair', p: 'poor' }
  let shown: Shown | null = null
  const seen = [...samples].map((letter) => {
    shown = steady(shown, word[letter]!)
    return shown.quality[0]
  })
  expect(seen.join('')).toBe(shows)
})

describe('the statistics of a browser', () => {
  const statistics = (...reports: object[]) =>
    new Map(
      reports.map((report, at) => [String(at), { id: String(at), ...report }]),
    ) as unknown as RTCStatsReport
  const voice = {
    type: 'inbound-rtp',
    kind: 'audio',
    packetsReceived: 100,
    packetsLost: 1,
    bytesReceived: 5_000,
    jitter: 0.01,
  }
  const picture = {
    type: 'inbound-rtp',
    kind: 'video',
    packetsReceived: 900,
    packetsLost: 4,
    bytesReceived: 95_000,
    jitter: 0.2,
  }

  test('are added up, with the jitter of the voice', () => {
    expect(sampleOf(statistics(voice, picture))).toMatchObject({
      received: 1_000,
      lost: 5,
      bytes: 100_000,
      jitter: 0.01,
      roundTrip: null,
    })
  })

  test('tell the round trip of the pair in use', () => {
    const transport = { type: 'transport', selectedCandidatePairId: 'used' }
    const idle = {
      id: 'idle',
      type: 'candidate-pair',
      nominated: true,
      state: 'succeeded',
      currentRoundTripTime: 0.9,
    }
    const used = { ...idle, id: 'used', currentRoundTripTime: 0.05 }
    expect(sampleOf(statistics(idle, used, transport)).roundTrip).toBe(0.05)
  })

  test('tell it by the other side where the pair does not', () => {
    const remote = { type: 'remote-inbound-rtp', kind: 'audio', roundTripTime: 0.07 }
    expect(sampleOf(statistics(voice, remote)).roundTrip).toBe(0.07)
  })
})

test.each([
  [0, 0],
  [0.0001, 0],
  [1, 1],
  [0.5, 1],
])('samples of %d are a level of %d', (height, level) => {
  expect(levelOf(new Float32Array(128).fill(height))).toBe(level)
})

test('twice as loud is higher, and less than twice as high', () => {
  const level = (height: number) => levelOf(new Float32Array(128).fill(height))
  expect(level(0.1)).toBeGreaterThan(level(0.05))
  expect(level(0.1)).toBeLessThan(2 * level(0.05))
})
