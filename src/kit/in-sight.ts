import { useEffect, useRef } from 'react'

/**
 * The ref of a line that scrolls within itself. What `selector` finds in it is brought into its middle where it is out of
 * sight, now and when `chosen` changes; the page stays where it is. What was scrolled before scripts ran is not moved under
 * a finger.
 */
export function useInSight<Line extends HTMLElement>(selector: string, chosen: unknown) {
  const line = useRef<Line>(null)
  const isTakenOver = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same selector finds another item then.
  useEffect(() => {
    const box = line.current
    const wasScrolled = !isTakenOver.current && box !== null && box.scrollLeft > 0
    isTakenOver.current = true
    const item = box?.querySelector<HTMLElement>(selector)
    if (!box || !item || wasScrolled) return
    const before = item.offsetLeft - box.scrollLeft
    if (before < 0 || before + item.offsetWidth > box.clientWidth)
      box.scrollLeft = item.offsetLeft - (box.clientWidth - item.offsetWidth) / 2
  }, [selector, chosen])
  return line
}
