import { useState } from 'react'
import type { CallState } from '../rtc/call-state.ts'
import { announcement } from './announcements.ts'

/** Says to screen readers what changed by itself; the same words twice are heard twice. */
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
