import { useEffect, useMemo, useState } from 'react'
import type { RoomView } from '../calls/rules/protocol.ts'
import { useHydrated } from '../ui/hydrated.ts'

/**
 * The time by the server's clock, updated every `interval` milliseconds; only the component that asks renders again.
 */
export function useNow(offset: number, interval: number): Date {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return new Date(now + offset)
}

/** The time by this device each half minute; in the page as it arrives, the moment at which the server read it. */
export function useClock(readAt: Date): Date {
  const clock = useNow(0, 30_000)
  return useHydrated() ? clock : readAt
}

/** How far the server's clock is ahead of this one, in milliseconds: phones are minutes off. */
export const useOffset = (room: RoomView | null) => {
  const told = room?.now
  return useMemo(() => (told ? Date.parse(told) - Date.now() : 0), [told])
}
