import { useEffect, useMemo, useState } from 'react'
import type { RoomView } from '../../domain/calls/protocol.ts'

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

/** How far the server's clock is ahead of this one, in milliseconds: phones are minutes off. */
export const useOffset = (room: RoomView | null) => {
  const told = room?.now
  return useMemo(() => (told ? Date.parse(told) - Date.now() : 0), [told])
}
