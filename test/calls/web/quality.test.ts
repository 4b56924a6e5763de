import type { Quality } from '../../../src/calls/screens/rtc/call-state.ts'
import { levelOf } from '../../../src/calls/screens/rtc/level.ts'
import {
  type ConnectionMeasure,
  measureConnection,
  rate,
  type Sample,
  type Shown,
  sampleOf,
  steady,
} from '../../../src/calls/screens/rtc/pair.ts'

const sample: Sample = { at: 0, received: 1_000, lost: 10, bytes: 100_000, jitter: 0.005, roundTrip: 0.04 }

test.each<[string, Partial<Sample>, Partial<ConnectionMeasure>]>([
  [
    'more packets',
    { received: 1_090, lost: 20, bytes: 350_000, jitter: 0.012 },
    { rtt: 40, loss: 0.1, jitter: 12, bitrate: 1_000 },
  ],
  ['silence, and no round trip', { roundTrip: null }, { loss: 0, bitrate: 0, rtt: null }],
  ['counters that began anew', { received: 50, lost: 0, bytes: 4_000 }, { loss: 0, bitrate: 0 }],
])('measures two samples with %s', (_, change, measured) => {
  expect(measureConnection(sample, { ...sample, at: 2_000, ...change })).toMatchObject(measured)
})

const perfect: ConnectionMeasure = { rtt: 20, loss: 0, jitter: 2, bitrate: 1_500 }
test.each<[Partial<ConnectionMeasure>, Quality]>([
  [{ rtt: 300, loss: 0.03, jitter: 30 }, 'good'],
  [{ rtt: null }, 'good'],
  [{ rtt: 301 }, 'fair'],
  [{ loss: 0.031 }, 'fair'],
  [{ jitter: 31 }, 'fair'],
  [{ rtt: 801 }, 'poor'],
  [{ loss: 0.11 }, 'poor'],
  [{ jitter: 101 }, 'poor'],
])('rates %j as %s', (measured, quality) => {
  expect(rate({ ...perfect, ...measured })).toBe(quality)
})

test.each<[string, string]>([
  ['gpgpg', 'ggggg'],
  ['gfp', 'ggp'],
  ['gpp', 'ggp'],
  ['pgg', 'ppp'],
  ['pggg', 'pppg'],
  ['pffgg', 'pppgg'],
  ['fgpgg', 'fffff'],
])('shows samples %s steadily as %s', (samples, shows) => {
  const word: Record<string, Quality> = { g: 'good', f: 'fair', p: 'poor' }
  let shown: Shown | null = null
  const seen = [...samples].map((letter) => {
    shown = steady(shown, word[letter]!)
    return shown.quality[0]
  })
  expect(seen.join('')).toBe(shows)
})

const statistics = (...reports: object[]) =>
  new Map(reports.map((report, id) => [id, { id, ...report }])) as unknown as RTCStatsReport
const inbound = (kind: string, packetsReceived: number, packetsLost: number, more: object) => ({
  type: 'inbound-rtp',
  kind,
  packetsReceived,
  packetsLost,
  ...more,
})
const voice = inbound('audio', 100, 1, { bytesReceived: 5_000, jitter: 0.01 })
const picture = inbound('video', 900, 4, { bytesReceived: 95_000, jitter: 0.2 })

test('the statistics of a browser are added up, with the jitter of the voice', () => {
  expect(sampleOf(statistics(voice, picture))).toMatchObject({
    received: 1_000,
    lost: 5,
    bytes: 100_000,
    jitter: 0.01,
    roundTrip: null,
  })
})

test('the statistics of a browser give the round trip of the pair in use, else that of the other side', () => {
  const transport = { type: 'transport', selectedCandidatePairId: 'used' }
  const pair = { id: 'idle', type: 'candidate-pair', nominated: true, state: 'succeeded' }
  const idle = { ...pair, currentRoundTripTime: 0.9 }
  const used = { ...pair, id: 'used', currentRoundTripTime: 0.05 }
  expect(sampleOf(statistics(idle, used, transport)).roundTrip).toBe(0.05)
  const remote = { type: 'remote-inbound-rtp', kind: 'audio', roundTripTime: 0.07 }
  expect(sampleOf(statistics(voice, remote)).roundTrip).toBe(0.07)
})

test('gives levels from 0 to 1 by perceived loudness', () => {
  const level = (height: number) => levelOf(new Float32Array(128).fill(height))
  expect([0, 0.0001, 0.5, 1].map(level)).toEqual([0, 0, 1, 1])
  expect(level(0.1)).toBeGreaterThan(level(0.05))
  expect(level(0.1)).toBeLessThan(2 * level(0.05))
})
