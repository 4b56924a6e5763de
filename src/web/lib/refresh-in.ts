import { useEffect, useRef } from 'react'
import { useLoaderData, useNavigation, useRevalidator } from 'react-router'
import { isBeingFilledIn, isCutOff } from './live.ts'

/**
 * Milliseconds between two tries while something else goes first; also the shortest wait before a screen asks again.
 */
const retry = 1_000
/** The longest timer that browsers accept, some 25 days: a longer one would fire at once. */
const longestWait = 2 ** 31 - 1

/**
 * Asks the server again, once, when this screen is due to show something else: `ms` from when its loader answered,
 * null for none. It waits for a form being written in, a navigation in progress and the network.
 */
export function useRefreshIn(ms: number | null): void {
  const answered = useLoaderData()
  const { revalidate } = useRevalidator()
  const navigating = useRef(false)
  navigating.current = useNavigation().state !== 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer restarts it, also with the same number
  useEffect(() => {
    if (ms === null || ms > longestWait) return
    const ask = () => {
      if (navigating.current || !navigator.onLine || isCutOff() || isBeingFilledIn())
        timer = setTimeout(ask, retry)
      else revalidate()
    }
    let timer = setTimeout(ask, Math.max(ms, retry))
    return () => clearTimeout(timer)
  }, [ms, answered, revalidate])
}
