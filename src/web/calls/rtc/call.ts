import { type EndedBecause, type ServerMessage, socketPath } from '../../../domain/calls/protocol.ts'
import { longestLine } from '../../../domain/calls/room.ts'
import { randomId } from '../../ui/random-id.ts'
import type { Call } from './call-state.ts'
import { type Captured, createDevices } from './devices.ts'
import { createIce } from './ice.ts'
import { keepJoinMark } from './join-mark.ts'
import { createPairing } from './pair.ts'
import { probe } from './probe.ts'
import { createSignalling } from './signalling.ts'
import { heard, initialState, over, sameMedia, written } from './state.ts'
import { createStore } from './store.ts'

/** A call of this page's. Its socket opens at once; it takes no place in the room before `join`. */
export function createCall(appointmentId: string): Call {
  const store = createStore(initialState)
  const { get, set } = store
  let page = randomId()
  /** Whether a place is wanted, and whether the server gave it on the socket that stands now. */
  let isJoining = false
  let isSeated = false
  /** What the server was told that this page sends. */
  let shown = initialState.media

  const signalling = createSignalling(socketPath(appointmentId), {
    link(link) {
      isSeated = false
      set({ link })
      pairing.follow(get(), isSeated)
    },
    opened() {
      signalling.send({ type: 'ice' })
      if (isJoining) takePlace()
    },
    message: hear,
    closedForGood: () => end(get().ended ?? 'over'),
  })
  const ice = createIce(() => signalling.send({ type: 'ice' }))
  const pairing = createPairing({
    ice,
    set,
    signal: (to, signal) => void signalling.send({ type: 'signal', to, signal }),
  })
  const devices = createDevices(captured)
  const forgetMark = keepJoinMark(appointmentId, () => (isJoining ? get().media : null))

  function hear(message: ServerMessage) {
    if (message.type === 'signal') return pairing.hear(message.from, message.signal)
    if (message.type === 'ended') return end(message.because)
    if (message.type === 'ice') ice.heard(message)
    const wasSeated = isSeated
    if (message.type === 'room') isSeated = message.room.sitting !== null
    set(heard(get(), message))
    pairing.follow(get(), isSeated)
    showMedia()
    if (isSeated && !wasSeated) for (const line of get().chat) sendLine(line)
  }
  function takePlace() {
    shown = get().media
    signalling.send({ type: 'join', page, media: shown })
  }
  /** Camera and microphone may have come on after the place was asked for and before it was given. */
  function showMedia() {
    if (!isSeated || get().media === shown) return
    shown = get().media
    signalling.send({ type: 'media', media: shown })
  }
  /** Only who is in the room may write: lines wait until then, and until the server said them again. */
  function sendLine({ id, text }: { id: string; text: string }) {
    if (isSeated && get().unsent.has(id)) signalling.send({ type: 'chat', id, text })
  }
  function captured({ audio, video, media, problem }: Captured) {
    const before = get()
    set({ local: streamOf([audio, video], before.local), media: sameMedia(before.media, media), problem })
    pairing.put({ audio, video })
    showMedia()
  }
  function end(because: EndedBecause) {
    isJoining = isSeated = false
    signalling.close()
    pairing.end()
    devices.release()
    set(over(get(), because))
  }
  /** Comes back into a room that was left: as another page, since the stay of this one is over. */
  function reopen() {
    page = randomId()
    set({ ended: null, link: 'opening' })
    signalling.open()
  }

  signalling.open()
  return {
    ...store,
    state: get,
    preview: devices.preview,
    join() {
      if (get().ended) reopen()
      isJoining = true
      set({ phase: 'joining' })
      takePlace()
    },
    leave() {
      signalling.closeWith({ type: 'leave' })
      end('left')
    },
    setAudio: devices.setAudio,
    setVideo: devices.setVideo,
    setScreen: devices.setScreen,
    choose: devices.choose,
    tryAgain({ audioOnly }) {
      if (audioOnly) void devices.setVideo(false)
      pairing.tryAgain()
    },
    say(typed) {
      const text = [...typed.trim()].slice(0, longestLine).join('')
      const { phase, room } = get()
      if (!text || !room || phase === 'ended') return
      const line = { id: randomId(), side: room.side, text, at: new Date().toISOString() }
      set(written(get(), line))
      sendLine(line)
    },
    ping: signalling.ping,
    probe: async () => probe(await ice.fresh()),
    close() {
      forgetMark()
      end(get().ended ?? 'left')
    },
  }
}

/** The stream of these tracks: the same one while they are. */
function streamOf(tracks: (MediaStreamTrack | null)[], before: MediaStream | null): MediaStream | null {
  const present = tracks.filter((track) => track !== null)
  if (present.length === 0) return null
  const had = before?.getTracks() ?? []
  const isSame = had.length === present.length && present.every((track) => had.includes(track))
  return isSame ? before : new MediaStream(present)
}
