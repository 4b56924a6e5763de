import { useEffect, useRef, useState } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import { retryWait } from '../accounts/rules/sessions.ts'
import { isFormDirty } from './form/dirty-forms.ts'
import { isLost, watchNetwork } from './network.ts'

/** Milliseconds between two refreshes, however many messages arrive. */
const pause = 300

/**
 * Asks the server again whenever it says that something changed after the `position` at which the page was read, when
 * the connection comes back, and when the person does. Returns how many of those changes the page has caught up with.
 *
 * It waits for a navigation under way: asking in the middle would start its loaders again, and the answer thrown away
 * could be the one that carried a toast.
 */
export function useLive(position: string): number {
  const first = useRef(position)
  const [heard, setHeard] = useState(0)
  const [shown, setShown] = useState(0)
  const asked = useRef(0)
  const ended = useRef(false)
  const { revalidate } = useRevalidator()
  const idle = useNavigation().state === 'idle'
  useEffect(() => {
    const hear = atMostEvery(pause, () => setHeard((count) => count + 1))
    const end = () => {
      ended.current = true
      hear()
    }
    return listen(first.current, hear, end)
  }, [])
  useEffect(() => {
    // Offline there is no server to ask, and a request that fails would replace the screen.
    if (!idle || asked.current === heard || isLost()) return
    if (isCutOff() || (isBeingFilledIn(followsOthers) && !ended.current)) return
    asked.current = heard
    revalidate().then(() => setShown(heard))
  }, [heard, idle, revalidate])
  return shown
}

/** The window's event when other times can be booked than before. */
export const otherSlots = 'other-slots'

/** A form with a version shows what another person saved, and keeps what was typed in it (`useMine`). */
const followsOthers = ({ dataset }: HTMLFormElement) => dataset.follows !== undefined

/**
 * Whether a form shows what came back to be corrected, which the router forgets with every refresh, or the user
 * wrote in one that a refresh does harm to. The screen waits until the form is sent.
 */
export const isBeingFilledIn = (isSafe = (_form: HTMLFormElement) => false) =>
  [...document.forms].some(
    (form) => form.dataset.answered !== undefined || (isFormDirty(form) && !isSafe(form)),
  )

/**
 * Whether a call is going on without its server: a failed request would replace the screen, and the call with it.
 * The call asks as soon as the server is back.
 */
export const isCutOff = () => document.querySelector('[data-call-link="lost"]') !== null

/**
 * Calls back on messages, on a connection that returns, and on a tab that becomes visible again; separately when the
 * session may be over. Returns the function that stops it.
 */
function listen(position: string, onChange: () => void, onEnd: () => void): () => void {
  let source: EventSource | null = null
  let connected = false
  let tries = 0
  let later: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    source ??= new EventSource(`/live?posicion=${encodeURIComponent(position)}`)
    source.onmessage = onChange
    source.addEventListener('slots', () => window.dispatchEvent(new Event(otherSlots)))
    // The session ended elsewhere: the guard redirects this screen.
    source.addEventListener('ended', onEnd)
    source.onerror = refused
    source.onopen = () => {
      // The first connection is told what it missed.
      if (connected) onChange()
      connected = true
      tries = 0
    }
  }
  const close = () => {
    clearTimeout(later)
    source?.close()
    source = null
  }
  /** Not a mere interruption, which the browser repairs: the session is over, or the server has no room for us now. */
  const refused = () => {
    if (source?.readyState !== EventSource.CLOSED) return
    close()
    tries += 1
    later = setTimeout(open, retryWait(tries))
    void isServing().then((serves) => serves && onEnd())
  }
  /** Without a stream the server may be down: the screen asks once there is a stream again. */
  const ask = () => {
    if (source?.readyState === EventSource.OPEN) return onChange()
    close()
    open()
  }
  const look = () => {
    if (document.visibilityState === 'visible') ask()
  }
  open()
  const stopWatching = watchNetwork(() => isLost() || ask())
  window.addEventListener('pageshow', open)
  // An open stream would keep the page out of the browser's back-forward cache.
  window.addEventListener('pagehide', close)
  document.addEventListener('visibilitychange', look)
  return () => {
    close()
    stopWatching()
    window.removeEventListener('pageshow', open)
    window.removeEventListener('pagehide', close)
    document.removeEventListener('visibilitychange', look)
  }
}

/**
 * Whether the server can answer. One that starts, or has lost its database, refuses streams as well, and a failed
 * request would replace the screen, with the call on it.
 */
const isServing = () =>
  fetch('/readyz', { cache: 'no-store' }).then(
    ({ status }) => status !== 503,
    () => false,
  )

/** Runs at once, then at most once per `interval`; calls in between become one run at its end. */
export function atMostEvery(interval: number, run: () => unknown): () => void {
  let waiting = false
  let again = false
  const tick = () => {
    if (waiting) {
      again = true
      return
    }
    waiting = true
    again = false
    run()
    setTimeout(() => {
      waiting = false
      if (again) tick()
    }, interval)
  }
  return tick
}
