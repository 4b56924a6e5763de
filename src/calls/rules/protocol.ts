import type { AnalystStatus, CallSide, RoomPhase } from './room.ts'
import type { Media, Signal } from './schema.ts'

/** The other side as a page sees it. `lost`: its connection is lost, and its place is kept until then. */
export type PeerView = {
  sitting: string
  name: string
  media: Media
  lost: boolean
  keptUntil: string | null
}

/** A full snapshot of the room, sent at every change. Instants are ISO text; `now` is the server's. */
export type RoomView = {
  side: CallSide
  phase: RoomPhase
  /** The id of one's own stay; null before `join`. */
  sitting: string | null
  /** The name of the other side, in the room or not. */
  peerName: string
  peer: PeerView | null
  analyst: AnalystStatus
  opensAt: string
  startsAt: string
  /** The planned duration, in minutes. */
  minutes: number
  /** When both were first in the room. */
  metAt: string | null
  waitingSince: string | null
  now: string
}

/** A line of the chat; the same id twice is the same line. */
export type ChatLine = { id: string; side: CallSide; text: string; at: string }

/** As RTCPeerConnection takes them. */
export type IceServer = { urls: string[]; username?: string; credential?: string }

/** Why a page is out of the room; only `left` and `replaced` may come back by themselves. */
export type EndedBecause = 'left' | 'replaced' | 'over' | 'early' | 'not_yours' | 'signed_out'

/** Messages of the server: the room's state at every change, the whole chat at first and then single lines. */
export type ServerMessage =
  | { type: 'room'; room: RoomView }
  | { type: 'ice'; servers: IceServer[]; relayOnly: boolean; expiresAt: string | null }
  | { type: 'signal'; from: string; signal: Signal }
  | { type: 'chat'; lines: ChatLine[] }
  | { type: 'pong'; at: number }
  | { type: 'ended'; because: EndedBecause }

/** The close code of a socket that must not reconnect by itself; any other code is a lost connection. */
export const CLOSED_FOR_GOOD = 4000
/** Where the socket of a call is. */
export const socketPath = (appointmentId: string) => `/call/${appointmentId}/socket`
