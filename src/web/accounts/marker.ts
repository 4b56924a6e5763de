import { markerIn, sessionLimits } from '../../domain/accounts/sessions.ts'

/** The marker of the session as the browser has it now. */
export const currentMarker = () => markerIn(document.cookie)

/** Calls back when the marker may have changed, by another tab too; returns what stops it. */
export function watchMarker(onChange: () => void): () => void {
  // Told at once where the browser can; a hidden tab's timer may sleep for a minute.
  const store = (window as { cookieStore?: EventTarget }).cookieStore
  const poll = setInterval(onChange, sessionLimits.poll)
  store?.addEventListener('change', onChange)
  window.addEventListener('pageshow', onChange)
  return () => {
    clearInterval(poll)
    store?.removeEventListener('change', onChange)
    window.removeEventListener('pageshow', onChange)
  }
}
