import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const never = () => () => {}

/** Whether the page is hydrated: false on the server and in the first render of the browser. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

const notInUse = () => false
const ends = ['click', 'pointerup', 'pointercancel', 'keyup'] as const

/**
 * Whether the page's markup without JavaScript may be replaced: once scripts have the page, the user presses nothing
 * (the press would be lost with it), and it is not in use.
 */
export function useHydratedWhenIdle<T extends HTMLElement>(
  place: RefObject<T | null>,
  isInUse: (at: T) => boolean = notInUse,
) {
  const [isTaken, take] = useState(useHydrated())
  useEffect(() => {
    if (isTaken) return
    let timer: ReturnType<typeof setTimeout>
    const look = () => {
      const at = place.current
      // Checked and changed in one go, so that no press comes in between.
      if (!at || !(at.matches(':active') || isInUse(at))) flushSync(() => take(true))
    }
    // The effect of a press comes after its listeners ran.
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(look)
    }
    soon()
    for (const end of ends) addEventListener(end, soon)
    return () => {
      clearTimeout(timer)
      for (const end of ends) removeEventListener(end, soon)
    }
  }, [isTaken, place, isInUse])
  return isTaken
}

/** Whether a condition holds, or ever held: for what is loaded once it is needed, and then stays. */
export function useEverTrue(now: boolean): boolean {
  const [was, setWas] = useState(now)
  if (now && !was) setWas(true)
  return now || was
}
