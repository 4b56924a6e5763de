import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import { markerIn, retryWait, sessionLimits } from '../rules/sessions.ts'

/** How long a call may take on this device. */
export const networkTimeout = () =>
  /Android|iPhone|iPad|Mobi/i.test(navigator.userAgent)
    ? sessionLimits.networkTimeout.phone
    : sessionLimits.networkTimeout.desk

/** Browsers fire a longer timer at once. */
const longestTimer = 2 ** 31 - 1

/** Requests to extend the session before it ends (`endsAt`, in ms), and retries with longer waits until an answer. */
export function useRefresh(endsAt: number | null): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (endsAt === null) return
    let timer: ReturnType<typeof setTimeout>
    let tries = 0
    const refresh = async () => {
      if (await refreshed()) return void revalidate()
      tries += 1
      timer = setTimeout(refresh, retryWait(tries))
    }
    const wait = () => {
      const left = endsAt - sessionLimits.refreshBefore - Date.now()
      timer =
        left > longestTimer ? setTimeout(wait, longestTimer) : setTimeout(refresh, Math.max(left, 1_000))
    }
    wait()
    return () => clearTimeout(timer)
  }, [endsAt, revalidate])
}

/** Whether the server answered: it extends the session itself, with any request near its end. */
async function refreshed(): Promise<boolean> {
  try {
    const answer = await fetch('/v1/session', { signal: AbortSignal.timeout(networkTimeout()) })
    return answer.status < 500
  } catch {
    return false
  }
}

const key = 'carga.synced'

/**
 * Notifies a program beside ours, at a path of this origin, of each sign-in (POST with the ID token) and sign-out
 * (DELETE): once for all tabs, however it happened. Without a path it sends nothing.
 */
export function useSync(path: string | null, marker: string): void {
  useEffect(() => {
    if (path === null) return
    const told = localStorage.getItem(key) ?? ''
    if (told === marker) return
    // Before the request, so that no other tab sends it too.
    localStorage.setItem(key, marker)
    tell(path, marker !== '').catch(() => localStorage.setItem(key, told))
  }, [path, marker])
}

async function tell(path: string, signedIn: boolean) {
  const signal = AbortSignal.timeout(networkTimeout())
  if (!signedIn) return fetch(path, { method: 'DELETE', signal })
  const answer = await fetch('/v1/token', { signal })
  const { token } = (await answer.json()) as { token: string | null }
  return token && fetch(path, { method: 'POST', headers: { authorization: `Bearer ${token}` }, signal })
}

/**
 * Follows a sign-in or sign-out of another tab: the page asks the server again, and the guard sends it where it
 * belongs. `made` is the marker of the session that this page was made for.
 */
export function useFollow(made: string): void {
  const now = useSyncExternalStore(watchMarker, currentMarker, () => made)
  const asked = useRef(made)
  const { revalidate } = useRevalidator()
  const idle = useNavigation().state === 'idle'
  useEffect(() => {
    if (now === made) asked.current = made
    // A navigation under way loads the change by itself; offline there is no server to ask.
    if (!idle || now === asked.current || !navigator.onLine) return
    asked.current = now
    void revalidate()
  }, [now, made, idle, revalidate])
}

/** The marker of the session as the browser has it now. */
const currentMarker = () => markerIn(document.cookie)

/** Calls back when the marker may have changed, also by another tab; returns the function that stops it. */
function watchMarker(onChange: () => void): () => void {
  // Browsers with a cookie store notify at once; a hidden tab's timer may sleep for a minute.
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
