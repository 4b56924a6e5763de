import { useEffect, useRef } from 'react'
import { useLoaderData, useNavigation, useRevalidator } from 'react-router'
import { isBeingFilledIn, isCutOff, otherSlots } from './live.ts'
import { isLost } from './network.ts'

/** Within this many milliseconds the open agendas ask: not all at the same moment. */
const spread = 2_000

/**
 * Reads the agenda again when other times can be booked. What is chosen and typed stays: a form that shows what came back
 * to be corrected is left as it is, and so is everything during a navigation or without a network.
 */
export function useOtherSlots(): void {
  const { revalidate } = useRevalidator()
  const mayAsk = useMayAsk()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () => mayAsk() && !isAnswered() && revalidate()
    const askSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(ask, Math.random() * spread)
    }
    window.addEventListener(otherSlots, askSoon)
    return () => {
      clearTimeout(timer)
      window.removeEventListener(otherSlots, askSoon)
    }
  }, [mayAsk, revalidate])
}

/** Whether a screen may ask its server now: no navigation is under way, and there is a network. */
function useMayAsk(): () => boolean {
  const navigating = useRef(false)
  navigating.current = useNavigation().state !== 'idle'
  const mayAsk = () => !navigating.current && !isLost() && !isCutOff()
  return useRef(mayAsk).current
}

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
  const mayAsk = useMayAsk()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer restarts it, also with the same number
  useEffect(() => {
    if (ms === null || ms > longestWait) return
    const ask = () => {
      if (!mayAsk() || isBeingFilledIn()) timer = setTimeout(ask, retry)
      else revalidate()
    }
    let timer = setTimeout(ask, Math.max(ms, retry))
    return () => clearTimeout(timer)
  }, [ms, answered, mayAsk, revalidate])
}

const isAnswered = () => [...document.forms].some((form) => form.dataset.answered !== undefined)
