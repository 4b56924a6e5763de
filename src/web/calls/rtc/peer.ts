import { createNegotiation, type Talk } from './negotiation.ts'

export type Tracks = { audio: MediaStreamTrack | null; video: MediaStreamTrack | null }
const kinds = ['audio', 'video'] as const

type Wiring = Talk & {
  config: RTCConfiguration
  tracks: Tracks
  connection: (state: RTCPeerConnectionState) => void
  remote: (stream: MediaStream) => void
}

/** For so long after an offer of the other side its search is also ours, in milliseconds: a second one would break it off. */
const searchTakes = 5_000

/**
 * The connection between two sittings, by the perfect negotiation of the W3C's WebRTC specification. Only the impolite
 * side makes the two transceivers, with its first offer: those that a rolled back offer made would not be used again,
 * and each side would have four.
 */
export function createPeer({ config, ...wiring }: Wiring) {
  const connection = new RTCPeerConnection(config)
  const remote = new MediaStream()
  const negotiation = createNegotiation(connection, prepare, wiring)
  let tracks = wiring.tracks

  if (!wiring.polite) for (const kind of kinds) connection.addTransceiver(tracks[kind] ?? kind)
  connection.onconnectionstatechange = () => wiring.connection(connection.connectionState)
  connection.ontrack = ({ track }) => {
    remote.addTrack(track)
    wiring.remote(remote)
  }
  const transceiver = (kind: keyof Tracks) =>
    connection.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)
  async function prepare() {
    for (const kind of kinds) {
      const mine = transceiver(kind)
      if (mine) mine.direction = 'sendrecv'
    }
    await putTracks()
  }
  async function putTracks() {
    await Promise.all(kinds.map((kind) => transceiver(kind)?.sender.replaceTrack(tracks[kind])))
  }
  return {
    ...negotiation,
    stats: () => connection.getStats(),
    isConnected: () => connection.connectionState === 'connected',
    /** What is sent changes without a new negotiation. */
    async put(changed: Tracks) {
      tracks = changed
      await putTracks()
    },
    restart(fresh: RTCConfiguration) {
      if (connection.signalingState === 'closed') return
      connection.setConfiguration(fresh)
      // Before the first offer came there is nothing to start again.
      const isIdle = wiring.polite && !connection.remoteDescription
      if (!isIdle && negotiation.sinceOffer() > searchTakes) connection.restartIce()
    },
    close() {
      negotiation.close()
      connection.onconnectionstatechange = connection.ontrack = null
      connection.close()
    },
  }
}
export type Peer = ReturnType<typeof createPeer>
