import type { Point } from './drag-place.ts'
import { scrollAtEdges } from './edge-scroll.ts'

/** The pointer that a block was pressed with. */
export type Press = { pointerId: number; isTouch: boolean; from: Point }
type Told = {
  /** The press became a drag. */
  onTake: () => void
  onMove: (at: Point) => void
  /** Let go where it was, or given up. */
  onEnd: (isDropped: boolean) => void
}

/** Pixels that a pointer may tremble before it drags, or before a finger scrolls instead. */
const tremble = 6
/** Milliseconds that a finger rests on a block to take it up. */
const longPress = 400

/** Follows a pressed pointer over the window until it is let go or taken away. Answers what stops listening. */
export function followPress({ pointerId, isTouch, from }: Press, board: HTMLElement, told: Told): () => void {
  let at = from
  let stopScrolling: (() => void) | undefined
  const take = () => {
    told.onTake()
    told.onMove(at)
    stopScrolling = scrollAtEdges(
      board,
      () => at,
      () => told.onMove(at),
    )
  }
  const rest = isTouch ? setTimeout(take, longPress) : undefined
  const move = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return
    at = { x: event.clientX, y: event.clientY }
    if (stopScrolling) told.onMove(at)
    else if (Math.hypot(at.x - from.x, at.y - from.y) >= tremble) {
      if (isTouch) told.onEnd(false)
      else take()
    }
  }
  const listening = new AbortController()
  const listen = <Type extends keyof WindowEventMap>(type: Type, on: (event: WindowEventMap[Type]) => void) =>
    window.addEventListener(type, on, { signal: listening.signal })
  listen('pointermove', move)
  listen('pointerup', (event) => event.pointerId === pointerId && told.onEnd(stopScrolling !== undefined))
  listen('pointercancel', (event) => event.pointerId === pointerId && told.onEnd(false))
  listen('blur', () => told.onEnd(false))
  listen('keydown', ({ key }) => key === 'Escape' && told.onEnd(false))
  return () => {
    clearTimeout(rest)
    stopScrolling?.()
    listening.abort()
  }
}

/** Keeps a finger that carries a block from scrolling, and its long press from opening the browser's own menu. */
export function keepFromPanning(board: HTMLElement, isCarrying: () => boolean): () => void {
  const listening = new AbortController()
  const prevent = (event: Event) => isCarrying() && event.cancelable && event.preventDefault()
  board.addEventListener('touchmove', prevent, { passive: false, signal: listening.signal })
  board.addEventListener('contextmenu', prevent, { signal: listening.signal })
  return () => listening.abort()
}
