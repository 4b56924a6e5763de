import type { Point } from './drag-place.ts'

/** Pixels from an edge within which what is dragged scrolls, and how far at most in a frame. */
const edge = 56
const furthest = 14

/**
 * Scrolls the window up and down, and the board along its hours, while the pointer stays near an edge; tells `onScroll`
 * so that what lies below a pointer that rests is looked at again. Answers what ends it.
 */
export function scrollAtEdges(board: HTMLElement, pointer: () => Point, onScroll: () => void): () => void {
  let frame = requestAnimationFrame(step)
  function step() {
    frame = requestAnimationFrame(step)
    const { x, y } = pointer()
    const { right } = board.getBoundingClientRect()
    const down = speed(y, 0, innerHeight)
    const along = speed(x, laneLeft(board), Math.min(right, innerWidth))
    if (down === 0 && along === 0) return
    const before = [scrollY, board.scrollLeft]
    window.scrollBy({ top: down, behavior: 'instant' })
    board.scrollBy({ left: along, behavior: 'instant' })
    if (before[0] !== scrollY || before[1] !== board.scrollLeft) onScroll()
  }
  return () => cancelAnimationFrame(frame)
}

/** Where the hours begin: what says whose row it is stays at the left and covers them. */
const laneLeft = (board: HTMLElement) =>
  board.querySelector('[data-lane-head]')?.getBoundingClientRect().right ?? board.getBoundingClientRect().left

/** The nearer to an edge, the faster; nothing between. */
function speed(at: number, from: number, to: number): number {
  if (at < from + edge) return -furthest * Math.min((from + edge - at) / edge, 1)
  if (at > to - edge) return furthest * Math.min((at - to + edge) / edge, 1)
  return 0
}
