import type { Signal } from '../../domain/page-message.ts'

export type Tracks = { audio: MediaStreamTrack | null; video: MediaStreamTrack | null }
const kinds = ['audio', 'video'] as const

type Wiring = {
  /** Gives way when both offer at once: the customer. */
  polite: boolean
  config: RTCConfiguration
  tracks: Tracks
  send: (signal: Signal) => void
  connection: (state: RTCPeerConnectionState) => void
  remote: (stream: MediaStream) => void
}

/** How long an offer waits for its answer before it is said again, in milliseconds: messages get lost with their socket. */
const answerTakes = 5_000

/**
 * The connection between two sittings, by the perfect negotiation of the W3C's WebRTC specification. Only the impolite
 * side makes the two transceivers, with its first offer: those that a rolled back offer made would not be used again,
 * and each side would have four.
 */
export function createPeer({ polite, config, send, ...wiring }: Wiring) {
  const connection = new RTCPeerConnection(config)
  const remote = new MediaStream()
  const negotiation = createNegotiation(connection, { polite, send, prepare })
  let tracks = wiring.tracks

  if (!polite) for (const kind of kinds) connection.addTransceiver(tracks[kind] ?? kind)
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
      if (!polite || connection.remoteDescription) connection.restartIce()
    },
    close() {
      negotiation.close()
      connection.onconnectionstatechange = connection.ontrack = null
      connection.close()
    },
  }
}
export type Peer = ReturnType<typeof createPeer>

type Talk = Pick<Wiring, 'polite' | 'send'> & { prepare: () => Promise<void> }

/** Offers and answers. What goes wrong with one is left to the next try. */
function createNegotiation(connection: RTCPeerConnection, { polite, send, prepare }: Talk) {
  let isOffering = false
  let isAnswering = false
  let again: ReturnType<typeof setTimeout> | undefined

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
    if (!candidate) return send({ candidate: null })
    const { sdpMid, sdpMLineIndex, usernameFragment } = candidate
    send({ candidate: { candidate: candidate.candidate, sdpMid, sdpMLineIndex, usernameFragment } })
  }

  function say() {
    clearTimeout(again)
    const description = connection.localDescription
    if (!description) return
    send({ description: { type: description.type, sdp: description.sdp } })
    again = setTimeout(repeat, answerTakes)
  }
  /** Says an offer again that has no answer yet. To hear one twice does no harm. */
  function repeat() {
    if (connection.signalingState === 'have-local-offer') say()
  }
  async function negotiate(description: RTCSessionDescriptionInit) {
    const isReady = !isOffering && (connection.signalingState === 'stable' || isAnswering)
    const isOffer = description.type === 'offer'
    // Our own offer goes first.
    if (isOffer && !isReady && !polite) return
    // The answer to an offer that was said twice.
    if (!isOffer && connection.signalingState !== 'have-local-offer') return
    isAnswering = !isOffer
    await connection.setRemoteDescription(description).finally(() => {
      isAnswering = false
    })
    if (!isOffer) return
    await prepare()
    await connection.setLocalDescription()
    say()
  }
  return {
    repeat,
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
