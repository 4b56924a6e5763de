import type { Signal } from '../../rules/schema.ts'
import type { CallState, Quality } from './call-state.ts'
import type { Ice } from './join-mark.ts'
import { createPeer, type Peer, type Tracks } from './peer.ts'

type Wiring = {
  ice: Ice
  set: (change: Partial<CallState>) => void
  signal: (to: string, signal: Signal) => void
}

/** Both stays in the room, and what connects them. */
type Pair = { own: string; theirs: string; peer: Peer; way: Way; close: () => void }

/** The most signals kept that came before their sender was seen in the room. */
const mostEarly = 100

/** Connects the user's stay in the room with the other side's: another stay on either side is another connection. */
export function createPairing({ ice, set, signal }: Wiring) {
  let pair: Pair | null = null
  let tracks: Tracks = { audio: null, video: null }
  let early: { from: string; signal: Signal }[] = []
  let isReachable = false

  function follow({ phase, room }: CallState, isSeated: boolean) {
    const own = phase === 'talking' ? room?.sitting : null
    const theirs = room?.peer?.sitting
    if (pair && (pair.own !== own || pair.theirs !== theirs)) end()
    const wasReachable = isReachable
    isReachable = isSeated && room?.peer?.lost === false
    // A side that comes back may have missed an offer.
    if (isReachable && !wasReachable) pair?.peer.repeat()
    pair?.way.hold(!isReachable)
    if (!own || !theirs || !room) return
    if (!pair) begin(own, theirs, room.side === 'customer')
  }
  function begin(own: string, theirs: string, polite: boolean) {
    const config = ice.known()
    // It was requested when the socket opened, and follows the room at once.
    if (!config) return
    const way = createIceRecovery({
      restart,
      tell: (way) => set(way === 'open' ? { way } : { way, quality: null }),
    })
    const peer = createPeer({
      polite,
      config,
      tracks,
      send: (said) => signal(theirs, said),
      connection: way.connection,
      nothingFound: way.nothingFound,
      remote: (remote) => set({ remote }),
    })
    const stop = watchQuality(peer, (quality) => set({ quality }))
    const close = () => {
      stop()
      way.close()
      peer.close()
    }
    pair = { own, theirs, peer, way, close }
    set({ way: 'connecting' })
    way.hold(!isReachable)
    for (const { from, signal } of early) if (from === theirs) peer.hear(signal)
    early = []
  }
  async function restart() {
    const restarted = pair
    const config = await ice.fresh()
    if (restarted && restarted === pair) restarted.peer.restart(config)
  }
  function end() {
    pair?.close()
    pair = null
    set({ way: 'none', remote: null, quality: null })
  }
  return {
    follow,
    hear(from: string, signal: Signal) {
      if (pair?.theirs === from) pair.peer.hear(signal)
      else early = [...early, { from, signal }].slice(-mostEarly)
    },
    put(changed: Tracks) {
      tracks = changed
      pair?.peer.put(changed).catch(() => {})
    },
    tryAgain: () => pair?.way.tryAgain(),
    end,
  }
}

type Source = { isConnected: () => boolean; stats: () => Promise<RTCStatsReport> }
type Report = Record<string, unknown> & { type: string; id: string }

/** Measures how the other side comes through while it does, every two seconds until what it returns is called. */
function watchQuality({ isConnected, stats }: Source, tell: (quality: Quality | null) => void) {
  let before: Sample | null = null
  let shown: Shown | null = null
  const take = async () => {
    const after = sampleOf(await stats())
    if (!isConnected()) {
      before = shown = null
      return tell(null)
    }
    const measured = before && measureConnection(before, after)
    before = after
    if (!measured) return
    shown = steady(shown, rate(measured))
    tell(shown.quality)
  }
  const timer = setInterval(() => void take().catch(() => {}), sampleEvery)
  return () => clearInterval(timer)
}

/** The figures used of a browser's statistics. */
export function sampleOf(stats: RTCStatsReport): Sample {
  const reports: Report[] = []
  stats.forEach((report: Report) => void reports.push(report))
  const inbound = reports.filter(({ type }) => type === 'inbound-rtp')
  const sum = (field: string) => inbound.reduce((total, report) => total + numberIn(report, field), 0)
  // Video jitter includes the encoder's; audio jitter is that of the connection.
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

/** Of the pair of candidates in use; some browsers give it only in the other side's reports. */
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

/** The browser's counters at a moment (milliseconds). Jitter and round trip in seconds, as in the statistics. */
export type Sample = {
  at: number
  received: number
  lost: number
  bytes: number
  jitter: number
  roundTrip: number | null
}

/** The quality between two samples: milliseconds, a share from 0 to 1, kilobits a second. */
export type ConnectionMeasure = { rtt: number | null; loss: number; jitter: number; bitrate: number }

type Limits = { rtt: number; loss: number; jitter: number }

/**
 * Beyond these it is noticeable. ITU-T G.114 has 150 ms one way unnoticed; Opus hides single packets; players hold
 * back some 30 ms.
 */
const fair: Limits = { rtt: 300, loss: 0.03, jitter: 30 }

/** Beyond these it is hard to talk. G.114 advises against 400 ms one way; words get lost with one packet of ten. */
const poor: Limits = { rtt: 800, loss: 0.1, jitter: 100 }

/** How often it is measured, in milliseconds. */
const sampleEvery = 2_000

/** Samples until the shown quality becomes worse or better: a flickering bar is useless. */
const patience = { worse: 2, better: 3 }

/** The quality between two samples. Counters that fell started again, with another connection. */
export function measureConnection(before: Sample, after: Sample): ConnectionMeasure {
  const grown = (field: 'received' | 'lost' | 'bytes') => Math.max(0, after[field] - before[field])
  const all = grown('received') + grown('lost')
  const milliseconds = Math.max(1, after.at - before.at)
  return {
    rtt: after.roundTrip === null ? null : after.roundTrip * 1_000,
    // A side without a microphone sends nothing, too; other signs show that the connection is broken.
    loss: all === 0 ? 0 : grown('lost') / all,
    jitter: after.jitter * 1_000,
    bitrate: (grown('bytes') * 8) / milliseconds,
  }
}

export function rate({ jitter, loss, rtt }: ConnectionMeasure): Quality {
  const exceeds = (limits: Limits) => (rtt ?? 0) > limits.rtt || loss > limits.loss || jitter > limits.jitter
  if (exceeds(poor)) return 'poor'
  return exceeds(fair) ? 'fair' : 'good'
}

/** What is shown, and how many samples in a row were worse, or better. */
export type Shown = { quality: Quality; worse: number; better: number }

const order: readonly Quality[] = ['poor', 'fair', 'good']

/** What is shown after one more sample; the first applies at once. */
export function steady(shown: Shown | null, rated: Quality): Shown {
  const step = shown ? order.indexOf(rated) - order.indexOf(shown.quality) : 0
  const worse = step < 0 ? (shown?.worse ?? 0) + 1 : 0
  const better = step > 0 ? (shown?.better ?? 0) + 1 : 0
  const isBelieved = !shown || worse >= patience.worse || better >= patience.better
  return isBelieved ? { quality: rated, worse: 0, better: 0 } : { quality: shown.quality, worse, better }
}

type RecoveryWiring = {
  /** Tries to connect once more: an ICE restart. */
  restart: () => void
  tell: (way: CallState['way']) => void
}

/** How long one try has, and how long a break that repairs itself may last; milliseconds. */
const tryTakes = 15_000
const grace = 3_000

/** Failed tries until `no_way`: before the first success, and after one, when networks change. */
const enough = { first: 2, later: 4 }

/** How long to wait after so many failed tries, in milliseconds. The tries never end while both are in the room. */
const retryWait = (failures: number): number => [0, 1_000, 3_000, 6_000, 10_000][failures] ?? 15_000

/** Watches the connection to the other side and restarts it whenever it breaks. */
export function createIceRecovery({ restart, tell }: RecoveryWiring) {
  let isOpen = false
  let wasOpen = false
  let isTrying = true
  let isHeld = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function later(ms: number, run: () => void) {
    clearTimeout(timer)
    if (!isHeld) timer = setTimeout(run, ms)
  }
  function attempt() {
    isTrying = true
    restart()
    later(tryTakes, failed)
  }
  function failed() {
    isTrying = false
    failures += 1
    if (failures >= (wasOpen ? enough.later : enough.first)) tell('no_way')
    later(retryWait(failures), attempt)
  }
  function opened() {
    clearTimeout(timer)
    isOpen = wasOpen = true
    isTrying = false
    failures = 0
    tell('open')
  }
  function broke(wait: number) {
    isOpen = false
    tell('reconnecting')
    later(wait, attempt)
  }
  later(tryTakes, failed)
  return {
    connection(state: RTCPeerConnectionState) {
      if (state === 'connected') opened()
      else if (isOpen && state === 'disconnected') broke(grace)
      else if (isOpen && state === 'failed') broke(0)
      // It broke before, and the break became final within its grace period.
      else if (state === 'failed' && wasOpen && !isTrying && failures === 0) later(0, attempt)
      else if (state === 'failed' && isTrying) failed()
    },
    /** No candidate of our own: the rest of this try's time can be skipped. */
    nothingFound() {
      if (isTrying && !wasOpen) failed()
    },
    /** Without signalling, or without the other side, no connection can be negotiated: then it waits. */
    hold(held: boolean) {
      if (isHeld === held) return
      isHeld = held
      clearTimeout(timer)
      if (held || isOpen) return
      failures = 0
      attempt()
    },
    tryAgain() {
      if (isOpen) return
      failures = 0
      tell(wasOpen ? 'reconnecting' : 'connecting')
      attempt()
    },
    close: () => clearTimeout(timer),
  }
}
type Way = ReturnType<typeof createIceRecovery>
