import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useNavigation, useRevalidator } from 'react-router'
import { currentMarker, watchMarker } from './marker.ts'

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
    // A navigation under way brings the news by itself; offline there is nobody to ask.
    if (!idle || now === asked.current || !navigator.onLine) return
    asked.current = now
    void revalidate()
  }, [now, made, idle, revalidate])
}
