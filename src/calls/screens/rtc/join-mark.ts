import type { ServerMessage } from '../../rules/protocol.ts'
import { PLACE_KEPT_MS } from '../../rules/room.ts'
import type { Media } from '../../rules/schema.ts'

/** What a page that closes during a call leaves to the page that replaces it in this tab. */
type JoinMark = { appointmentId: string; media: Media; at: number }

const key = 'carga.call'

/**
 * Leaves the mark when the page goes, and only then: a duplicated tab copies what this one stored, and must not take
 * its place. Returns what stops it.
 */
export function keepJoinMark(appointmentId: string, media: () => Media | null): () => void {
  const leave = () => {
    const now = media()
    if (now) write({ appointmentId, media: now, at: Date.now() })
  }
  window.addEventListener('pagehide', leave)
  return () => window.removeEventListener('pagehide', leave)
}

/** What this tab sent when it was in that call a moment ago; null when it was not. To be forgotten once it is known. */
export function joinMark(appointmentId: string): Media | null {
  try {
    const mark = JSON.parse(sessionStorage.getItem(key) ?? 'null') as JoinMark | null
    const isRecent = mark !== null && Date.now() - mark.at < PLACE_KEPT_MS
    return isRecent && mark.appointmentId === appointmentId ? mark.media : null
  } catch {
    return null
  }
}

export function forgetJoinMark() {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Not allowed: then there is none.
  }
}

function write(mark: JoinMark) {
  try {
    sessionStorage.setItem(key, JSON.stringify(mark))
  } catch {
    // Not allowed: then the user joins by hand.
  }
}

type Told = Extract<ServerMessage, { type: 'ice' }>

/** How long to wait for fresh servers, in milliseconds; then the known ones are used. */
const patience = 3_000

/** The STUN and relay servers, whose credentials are requested again before they are used again. */
export function createIce(ask: () => boolean) {
  let known: RTCConfiguration | null = null
  let waiting: ((config: RTCConfiguration) => void)[] = []
  function heard({ servers, relayOnly }: Told) {
    known = { iceServers: servers, iceTransportPolicy: relayOnly ? 'relay' : 'all' }
    for (const answer of waiting) answer(known)
    waiting = []
  }
  const fresh = () =>
    new Promise<RTCConfiguration>((resolve) => {
      const orKnown = () => resolve(known ?? {})
      if (!ask()) return orKnown()
      waiting.push(resolve)
      setTimeout(orKnown, patience)
    })
  return { known: () => known, heard, fresh }
}
export type Ice = ReturnType<typeof createIce>
