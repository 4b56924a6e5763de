import type { ChatLine, EndedBecause, RoomView } from '../../rules/protocol.ts'
import type { Media } from '../../rules/schema.ts'

/** How well the other side comes through, from what the browser measures. */
export type Quality = 'good' | 'fair' | 'poor'

/** What one sees of a call at any moment; a new object at every change, so that screens compare by identity. */
export type CallState = {
  /** `lobby`: before joining. `waiting`: in the room, the other side not yet. `talking`: both are. */
  phase: 'lobby' | 'joining' | 'waiting' | 'talking' | 'ended'
  /** Why it ended; null until then. */
  ended: EndedBecause | null
  /** The signalling socket: media continue without it. */
  link: 'opening' | 'open' | 'lost'
  /** Null until the server first sent it. */
  room: RoomView | null
  local: MediaStream | null
  remote: MediaStream | null
  media: Media
  /** The media that the other side sends. */
  theirs: Media | null
  /**
   * The connection to the other side. `connecting`: for the first time. `reconnecting`: it broke and is being
   * restored. `no_way`: there is none, nor by a relay; only the chat continues.
   */
  way: 'none' | 'connecting' | 'open' | 'reconnecting' | 'no_way'
  quality: Quality | null
  /** What the browser refused of microphone, camera or screen, in words; null when nothing. */
  problem: MediaProblem | null
  chat: readonly ChatLine[]
  /** Lines written here that the server has not confirmed yet, by id. */
  unsent: ReadonlySet<string>
}

/** Why microphone or camera can't be used; each reason has a help of its own. */
export type MediaProblem = {
  of: 'camera' | 'microphone' | 'both' | 'screen'
  because: 'denied' | 'missing' | 'in_use' | 'unsupported' | 'other'
}

/** Devices as the person chose them; undefined leaves the choice to the browser. */
export type DeviceChoice = { camera?: string; microphone?: string; speaker?: string }

/**
 * A call of this page, made once for an appointment; a screen subscribes and shows its state. The rest of what a
 * screen needs is elsewhere: `watchDevices` and `rememberedDevices` (device-choice.ts), `watchLevel` (level.ts), and
 * `joinMark` (join-mark.ts), which says whether this tab was in the call a moment ago and should rejoin.
 */
export type Call = {
  state: () => CallState
  subscribe: (changed: () => void) => () => void
  /** Opens camera and microphone for the preview; without camera when `video` is false. A refusal becomes `problem`. */
  preview: (input: { audio: boolean; video: boolean; devices: DeviceChoice }) => Promise<void>
  /** Takes a place in the room, with the previewed media. After `left` or `replaced`, preview again first. */
  join: () => void
  leave: () => void
  setAudio: (on: boolean) => Promise<void>
  /** Off stops the camera, whose light goes out; on opens it again, in place of a shared screen. */
  setVideo: (on: boolean) => Promise<void>
  /** In place of the camera, which comes back when the screen ends, from the browser's own bar as well. */
  setScreen: (on: boolean) => Promise<void>
  /** Changes camera or microphone without a new negotiation. */
  choose: (devices: DeviceChoice) => Promise<void>
  /** Changes to the other camera, front or rear, without a new negotiation. */
  flip: () => Promise<void>
  /** Tries to connect once more, with audio only when asked. */
  tryAgain: (input: { audioOnly: boolean }) => void
  say: (text: string) => void
  /** The round trip of a request to the server, in milliseconds; rejects when there is no answer in 5 s. */
  ping: () => Promise<number>
  /** Whether the STUN or relay servers answer: what kinds of candidates came within 5 s. */
  probe: () => Promise<{ stun: boolean | null; relay: boolean | null }>
  /** Ends everything and releases the devices; the call can't be used again. */
  close: () => void
}
