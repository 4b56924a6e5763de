import { randomId } from '../../../ui/random-id.ts'
import {
  type ChatLine,
  type EndedBecause,
  type RoomView,
  type ServerMessage,
  socketPath,
} from '../../rules/protocol.ts'
import { longestLine } from '../../rules/room.ts'
import type { Media } from '../../rules/schema.ts'
import type { Call, CallState } from './call-state.ts'
import { type Captured, createDevices } from './devices.ts'
import { createIce, keepJoinMark } from './join-mark.ts'
import { createPairing } from './pair.ts'
import { createSignalling } from './signalling.ts'

/** A call of this page's. Its socket opens at once; it takes no place in the room before `join`. */
export function createCall(appointmentId: string): Call {
  const store = createStore(initialState)
  const { get, set } = store
  let page = randomId()
  /** Whether a place is wanted, and whether the server gave it on the current socket. */
  let isJoining = false
  let isSeated = false
  /** The media that this page last reported to the server. */
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
  /** Camera and microphone may have turned on after the place was requested and before it was given. */
  function showMedia() {
    if (!isSeated || get().media === shown) return
    shown = get().media
    signalling.send({ type: 'media', media: shown })
  }
  /** Only a participant in the room may write: lines wait until then, and until the server repeats them. */
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
  /** Comes back into a room that was left, with a new page id, since the stay of this one is over. */
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
    flip: devices.flip,
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

/** Holds the state of a call and notifies the subscribers, once for each change. */
export function createStore(first: CallState) {
  let state = first
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(change: Partial<CallState>) {
      const keys = Object.keys(change) as (keyof CallState)[]
      if (keys.every((key) => Object.is(change[key], state[key]))) return
      state = { ...state, ...change }
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** How long the servers have to answer, in milliseconds. */
const patience = 5_000

type Probed = { stun: boolean | null; relay: boolean | null }

/** Whether the STUN and relay servers answer; null where there is none. */
async function probe(config: RTCConfiguration): Promise<Probed> {
  const { hasRelay, hasStun } = serversIn(config)
  if (!hasStun && !hasRelay) return { stun: null, relay: null }
  const { failed, isDone, types } = await gather(config)
  const relay = types.has('relay')
  // Browsers omit a candidate equal to the local address: without NAT, no failure is the only sign of an answer.
  const stun = types.has('srflx') || (isDone && !failed.some((url) => url.startsWith('stun')))
  return { stun: hasStun ? stun : null, relay: hasRelay ? relay : null }
}

/** What kinds of servers a configuration has. */
export function serversIn({ iceServers = [] }: RTCConfiguration) {
  const urls = iceServers.flatMap((server) => server.urls)
  return {
    hasStun: urls.some((url) => /^stuns?:/.test(url)),
    hasRelay: urls.some((url) => /^turns?:/.test(url)),
  }
}

type Gathered = { types: ReadonlySet<string>; failed: readonly string[]; isDone: boolean }

/** Every kind of candidate that comes in time, and the servers that did not answer. */
function gather(config: RTCConfiguration): Promise<Gathered> {
  const connection = new RTCPeerConnection({ ...config, iceTransportPolicy: 'all' })
  const types = new Set<string>()
  const failed: string[] = []
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      clearTimeout(timer)
      connection.onicecandidate = connection.onicecandidateerror = null
      connection.close()
      resolve({ types, failed, isDone })
    }
    const timer = setTimeout(() => end(false), patience)
    connection.onicecandidate = ({ candidate }) => {
      if (!candidate) end(true)
      else if (candidate.type) types.add(candidate.type)
    }
    connection.onicecandidateerror = ({ url }) => void failed.push(url)
    connection.createDataChannel('probe')
    connection.setLocalDescription().catch(() => end(false))
  })
}

/** A call before any message or device. */
export const initialState: CallState = {
  phase: 'lobby',
  ended: null,
  link: 'opening',
  room: null,
  local: null,
  remote: null,
  media: { audio: false, video: false, screen: false },
  theirs: null,
  way: 'none',
  quality: null,
  problem: null,
  chat: [],
  unsent: new Set(),
}

/** The state of a call after a message of the server. */
export function heard(state: CallState, message: ServerMessage): CallState {
  if (message.type === 'room') return withRoom(state, message.room)
  if (message.type === 'chat') return withLines(state, message.lines)
  return state
}

/** A call that ended: its chat stays. */
export const over = (state: CallState, because: EndedBecause): CallState => ({
  ...state,
  phase: 'ended',
  ended: because,
})

/** The same object while nothing was switched. */
export const sameMedia = (before: Media, now: Media): Media =>
  before.audio === now.audio && before.video === now.video && before.screen === now.screen ? before : now

/** A line written here, until the server repeats it. */
export const written = (state: CallState, line: ChatLine): CallState => ({
  ...state,
  chat: [...state.chat, line],
  unsent: new Set([...state.unsent, line.id]),
})

const isInside = ({ phase }: CallState) => phase === 'waiting' || phase === 'talking'

/** A new connection is not in the room until it joined again: until then the user's stay is the one known before. */
function withRoom(state: CallState, told: RoomView): CallState {
  if (state.phase === 'ended') return state
  const sitting = told.sitting ?? (isInside(state) ? (state.room?.sitting ?? null) : null)
  const room = { ...told, sitting }
  return { ...state, room, theirs: room.peer?.media ?? null, phase: phaseIn(state, room) }
}

function phaseIn({ phase }: CallState, { peer, sitting }: RoomView): CallState['phase'] {
  if (!sitting) return phase === 'joining' ? 'joining' : 'lobby'
  return peer ? 'talking' : 'waiting'
}

/** Confirmed lines in the order of the server, then those it has not confirmed. */
function withLines(state: CallState, lines: readonly ChatLine[]): CallState {
  const told = new Set(lines.map((line) => line.id))
  const unsent = new Set([...state.unsent].filter((id) => !told.has(id)))
  const others = state.chat.filter((line) => !told.has(line.id))
  const confirmed = [...others.filter((line) => !unsent.has(line.id)), ...lines]
  const inOrder = confirmed.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return { ...state, chat: [...inOrder, ...others.filter((line) => unsent.has(line.id))], unsent }
}
