import { useState } from 'react'
import type { CallState } from '../rtc/call-state.ts'

/** Announces to screen readers what changed by itself; repeated words are announced again. */
export function Announcer({ state }: { state: CallState }) {
  const [seen, setSeen] = useState(state)
  const [said, setSaid] = useState({ words: '', nth: 0 })
  if (seen !== state) {
    setSeen(state)
    const words = announcement(seen, state)
    if (words) setSaid({ words, nth: said.nth + 1 })
  }
  return (
    <p role="status" className="sr-only">
      {said.words && <span key={said.nth}>{said.words}</span>}
    </p>
  )
}

type Heard = Pick<CallState, 'room' | 'theirs' | 'way' | 'link' | 'phase'>

/** What a screen reader announces of a change that came by itself; null when there is nothing to say. */
export function announcement(before: Heard, now: Heard): string | null {
  if (now.phase !== 'waiting' && now.phase !== 'talking') return null
  return ofPeer(before, now) ?? ofScreen(before, now) ?? ofWay(before, now) ?? ofLink(before, now)
}

function ofPeer(before: Heard, now: Heard): string | null {
  const was = before.room?.peer
  const is = now.room?.peer
  const name = now.room?.peerName
  if (!was && is) return `${name} entró a la llamada`
  if (was && !is) return `${name} salió de la llamada`
  if (was && is && !was.lost && is.lost) return `Se perdió la conexión con ${name}`
  return was?.lost && is && !is.lost ? `${name} volvió a la llamada` : null
}

function ofScreen(before: Heard, now: Heard): string | null {
  const was = before.theirs?.screen ?? false
  const is = now.theirs?.screen ?? false
  if (was === is || !now.room?.peer) return null
  return is
    ? `${now.room.peerName} comparte su pantalla`
    : `${now.room.peerName} dejó de compartir su pantalla`
}

function ofWay(before: Heard, now: Heard): string | null {
  if (before.way === now.way) return null
  if (now.way === 'reconnecting') return 'Volviendo a conectar'
  if (now.way === 'no_way') return 'No hay conexión de audio ni video. Puedes seguir por chat'
  return before.way === 'reconnecting' && now.way === 'open' ? 'Conexión recuperada' : null
}

function ofLink(before: Heard, now: Heard): string | null {
  if (before.link === 'open' && now.link === 'lost') return 'Sin conexión con el servidor'
  return before.link === 'lost' && now.link === 'open' ? 'De nuevo con conexión al servidor' : null
}
