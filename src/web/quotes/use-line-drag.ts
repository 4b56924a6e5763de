import { type PointerEvent, useState } from 'react'

/** A line on its way: where it was taken from, and where it would be put. */
export type Dragged = { from: number; to: number }

/** What makes the lines of a list movable by their grips, with a mouse, a pen or a finger; Escape, or letting go of the window, leaves them. */
export function useLineDrag(onDrop: (dragged: Dragged) => void) {
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const gripOf = (from: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || !event.isPrimary) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ from, to: from })
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!dragged || !event.currentTarget.hasPointerCapture(event.pointerId)) return
      const to = placeAt(event.currentTarget, event.clientY)
      if (to !== dragged.to) setDragged({ from, to })
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!dragged || !event.currentTarget.hasPointerCapture(event.pointerId)) return
      setDragged(null)
      if (dragged.to !== from) onDrop(dragged)
    },
    onPointerCancel: () => setDragged(null),
  })
  return { dragged, gripOf }
}

/** The place in its list over which a pointer stands: past the middle of a line is after it. */
function placeAt(grip: HTMLElement, y: number): number {
  const own = grip.closest('li')
  const rows = [...(own?.parentElement?.children ?? [])].filter((row) => row !== own)
  return rows.filter((row) => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}
