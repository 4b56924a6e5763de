import type { Quality } from './call-state.ts'
import { measure, rate, type Sample, type Shown, sampleEvery, steady } from './quality.ts'

type Source = { isConnected: () => boolean; stats: () => Promise<RTCStatsReport> }
type Report = Record<string, unknown> & { type: string; id: string }

/** Measures how the other side comes through while it does, every two seconds until what it returns is called. */
export function watchQuality({ isConnected, stats }: Source, tell: (quality: Quality | null) => void) {
  let before: Sample | null = null
  let shown: Shown | null = null
  const take = async () => {
    const after = sampleOf(await stats())
    if (!isConnected()) {
      before = shown = null
      return tell(null)
    }
    const measured = before && measure(before, after)
    before = after
    if (!measured) return
    shown = steady(shown, rate(measured))
    tell(shown.quality)
  }
  const timer = setInterval(() => void take().catch(() => {}), sampleEvery)
  return () => clearInterval(timer)
}

/** What counts of a browser's statistics. */
export function sampleOf(stats: RTCStatsReport): Sample {
  const reports: Report[] = []
  stats.forEach((report: Report) => void reports.push(report))
  const inbound = reports.filter(({ type }) => type === 'inbound-rtp')
  const sum = (field: string) => inbound.reduce((total, report) => total + numberIn(report, field), 0)
  // The picture's jitter is the encoder's as well; the voice's is that of the way.
  const voice = inbound.find(({ kind }) => kind === 'audio')
  return {
    at: performance.now(),
    received: sum('packetsReceived'),
    lost: sum('packetsLost'),
    bytes: sum('bytesReceived'),
    jitter: voice ? numberIn(voice, 'jitter') : 0,
    roundTrip: roundTripIn(reports),
  }
}

/** Of the pair of candidates in use; some browsers say it only of what the other side reports. */
function roundTripIn(reports: readonly Report[]): number | null {
  const transport = reports.find(({ type }) => type === 'transport')
  const pair = reports.find(
    ({ type, id, nominated, state }) =>
      id === transport?.selectedCandidatePairId ||
      (!transport && type === 'candidate-pair' && nominated === true && state === 'succeeded'),
  )
  const remote = reports.find(({ type, kind }) => type === 'remote-inbound-rtp' && kind === 'audio')
  const found = pair?.currentRoundTripTime ?? remote?.roundTripTime
  return typeof found === 'number' ? found : null
}

const numberIn = (report: Report, field: string) => (typeof report[field] === 'number' ? report[field] : 0)
