import type { ChatLine, EndedBecause, RoomView, ServerMessage } from '../../../domain/calls/protocol.ts'
import type { Media } from '../../../domain/calls/schema.ts'
import type { CallState } from './call-state.ts'

/** A call before anything was said or opened. */
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

/** What a message of the server makes of a call. */
export function heard(state: CallState, message: ServerMessage): CallState {
  if (message.type === 'room') return withRoom(state, message.room)
  if (message.type === 'chat') return withLines(state, message.lines)
  return state
}

/** A call that ended: what was said in it stays. */
export const over = (state: CallState, because: EndedBecause): CallState => ({
  ...state,
  phase: 'ended',
  ended: because,
})

/** The same object while nothing was switched. */
export const sameMedia = (before: Media, now: Media): Media =>
  before.audio === now.audio && before.video === now.video && before.screen === now.screen ? before : now

/** A line written here, until the server says it again. */
export const written = (state: CallState, line: ChatLine): CallState => ({
  ...state,
  chat: [...state.chat, line],
  unsent: new Set([...state.unsent, line.id]),
})

const isInside = ({ phase }: CallState) => phase === 'waiting' || phase === 'talking'

/** A new connection is not in the room until it joined again: for so long one's own stay is the one known before. */
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
