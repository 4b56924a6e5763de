import type { Signal } from '../../rules/schema.ts'

export type Tracks = { audio: MediaStreamTrack | null; video: MediaStreamTrack | null }
const kinds = ['audio', 'video'] as const

type Wiring = Talk & {
  config: RTCConfiguration
  tracks: Tracks
  connection: (state: RTCPeerConnectionState) => void
  remote: (stream: MediaStream) => void
}

/** For so long after an offer of the other side its search is also ours, in ms: a second one would abort it. */
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
      // Before the first offer arrived there is nothing to restart.
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

type Talk = {
  /** Yields when both offer at once: the customer. */
  polite: boolean
  send: (signal: Signal) => void
  /** No candidate of our own: the only sign of a relay that refuses us. */
  nothingFound: () => void
}

/** How long an offer waits for its answer before it is sent again, in ms: messages get lost with their socket. */
const answerTakes = 5_000

/** Offers and answers; `prepare` runs before each answer. An error in one is left to the next try. */
function createNegotiation(
  connection: RTCPeerConnection,
  prepare: () => Promise<void>,
  { polite, send, nothingFound }: Talk,
) {
  let isOffering = false
  let isAnswering = false
  let again: ReturnType<typeof setTimeout> | undefined
  let heardOffer = Number.NEGATIVE_INFINITY
  let found = 0

  connection.onnegotiationneeded = async () => {
    try {
      isOffering = true
      await connection.setLocalDescription()
      say()
    } catch {
      // Closed meanwhile.
    } finally {
      isOffering = false
    }
  }
  connection.onicecandidate = ({ candidate }) => {
    if (!candidate) return ended()
    found += 1
    const { sdpMid, sdpMLineIndex, usernameFragment } = candidate
    send({ candidate: { candidate: candidate.candidate, sdpMid, sdpMLineIndex, usernameFragment } })
  }
  function ended() {
    send({ candidate: null })
    if (found === 0) nothingFound()
    found = 0
  }
  function say() {
    clearTimeout(again)
    const description = connection.localDescription
    if (!description) return
    send({ description: { type: description.type, sdp: description.sdp } })
    again = setTimeout(repeat, answerTakes)
  }
  /** Sends an offer without an answer again. Receiving one twice does no harm. */
  function repeat() {
    if (connection.signalingState === 'have-local-offer') say()
  }
  async function negotiate(description: RTCSessionDescriptionInit) {
    const isReady = !isOffering && (connection.signalingState === 'stable' || isAnswering)
    const isOffer = description.type === 'offer'
    // Our own offer takes precedence.
    if (isOffer && !isReady && !polite) return
    // The answer to an offer that was sent twice.
    if (!isOffer && connection.signalingState !== 'have-local-offer') return
    isAnswering = !isOffer
    await connection.setRemoteDescription(description).finally(() => {
      isAnswering = false
    })
    if (!isOffer) return
    heardOffer = performance.now()
    await prepare()
    await connection.setLocalDescription()
    say()
  }
  return {
    repeat,
    /** Milliseconds since the other side offered. */
    sinceOffer: () => performance.now() - heardOffer,
    hear(signal: Signal) {
      const done =
        'description' in signal
          ? negotiate(signal.description as RTCSessionDescriptionInit)
          : connection.addIceCandidate(signal.candidate as RTCIceCandidateInit | null)
      // A candidate of an offer that was ignored, or of one that is over.
      done.catch(() => {})
    },
    close() {
      clearTimeout(again)
      connection.onnegotiationneeded = connection.onicecandidate = null
    },
  }
}
