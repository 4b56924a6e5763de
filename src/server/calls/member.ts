import type { EndedBecause, ServerMessage } from '../../domain/calls/protocol.ts'
import type { LeftBecause } from '../platform/database/schema/call-schema.ts'
import type { Place } from './sittings.ts'

/** A page that has the room of a call open at this process. */
export type Member = Place & {
  /** Names its socket. */
  connection: string
  /** Where it sits, once it joined. */
  sitting: string | null
  /** The picture it was last sent, to send none twice. */
  shown: string
  /** The lines of the chat it has, and when it was last told of some; null before. */
  told: { ids: Set<string>; at: Date } | null
  /** Told that it is out, or dropped: what it still says is not heard. */
  isOver: boolean
  /** Whether what is sent reaches its page, as far as we know. */
  isHere: () => boolean
  send: (message: ServerMessage) => void
  /** Says why it is out of the room, and closes its socket for good. */
  end: (because: EndedBecause) => void
  /** Closes its socket as if the connection were lost: the page comes back by itself. */
  drop: () => void
}

/** What a page hears whose sitting ended while it was there; null for what a page that is there comes back from. */
export const heardWhen: Record<LeftBecause, EndedBecause | null> = {
  left: 'left',
  replaced: 'replaced',
  lost: null,
  ended: 'over',
  signed_out: 'signed_out',
  taken_over: 'not_yours',
}

/** What is written on the sitting of somebody who may no longer be in the room. */
export const writtenWhen = {
  signed_out: 'signed_out',
  not_yours: 'taken_over',
  early: 'ended',
  over: 'ended',
} satisfies Partial<Record<EndedBecause, LeftBecause>>
