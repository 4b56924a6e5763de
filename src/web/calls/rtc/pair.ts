import type { Signal } from '../../../domain/calls/schema.ts'
import type { CallState } from './call-state.ts'
import type { Ice } from './ice.ts'
import { createPeer, type Peer, type Tracks } from './peer.ts'
import { watchQuality } from './sampling.ts'
import { createWay, type Way } from './way.ts'

type Wiring = {
  ice: Ice
  set: (change: Partial<CallState>) => void
  signal: (to: string, signal: Signal) => void
}
/** Both stays in the room, and what connects them. */
type Pair = { own: string; theirs: string; peer: Peer; way: Way; close: () => void }

/** The longest line of signals that came before their sender was seen in the room. */
const mostEarly = 100

/** Connects one's own stay in the room with the other side's: another stay on either side is another connection. */
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
    // Whoever comes back may have missed an offer.
    if (isReachable && !wasReachable) pair?.peer.repeat()
    pair?.way.hold(!isReachable)
    if (!own || !theirs || !room) return
    if (!pair) begin(own, theirs, room.side === 'customer')
  }
  function begin(own: string, theirs: string, polite: boolean) {
    const config = ice.known()
    // Asked for when the socket opened: it follows the room at once.
    if (!config) return
    const way = createWay({ restart, tell: (way) => set(way === 'open' ? { way } : { way, quality: null }) })
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
