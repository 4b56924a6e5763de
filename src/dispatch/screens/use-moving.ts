import { type MouseEvent, type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react'
import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import {
  type BoardDay,
  type BoardVisit,
  hoursOf,
  isBarred,
  isMovable,
  judgeOf,
  type MoveVerdict,
  snapped,
} from '../rules/board.ts'

/** What is being dragged on the board, and what makes a block movable. */
export type Moving = {
  id: string | null
  over: Over | null
  /** For the element around the lanes. */
  frame: (element: HTMLElement | null) => (() => void) | undefined
  handlers: (visit: BoardVisit) => object
  /** A press that opens an appointment from another place than its own. */
  opens: (visit: BoardVisit) => (event: MouseEvent<HTMLElement | SVGElement>) => void
}
type Told = {
  /** With what was pressed. */
  onOpen: (visit: BoardVisit, pressed: HTMLElement | SVGElement) => void
  onDrop: (drop: { visit: BoardVisit; over: Over }) => void
}
type Held = Taken & Press & { board: HTMLElement }

/** Lanes follow the hours from this width on; below it a block is opened, not dragged. */
const isDesk = () => matchMedia('(width >= 64rem)').matches

/**
 * Blocks that a mouse, a pen or a finger that rested on them drags over the board, snapping to the slots, each place
 * judged before the drop. A dragged block stays as it was at the start, whatever the page receives meanwhile: the
 * server compares versions. A click opens.
 */
export function useMoving(board: BoardDay, { onOpen, onDrop }: Told): Moving {
  const [held, setHeld] = useState<Held | null>(null)
  const [over, setOver] = useState<Over | null>(null)
  const isCarrying = useRef(false)
  const clickEnds = useRef(false)
  const latest = useRef({ board, onDrop })
  latest.current = { board, onDrop }
  useEffect(() => {
    if (!held) return
    let shown: Over | null = null
    return followPress(held, held.board, {
      onTake() {
        isCarrying.current = true
        clickEnds.current = true
      },
      onMove(at) {
        const next = overAt(at, held, latest.current.board)
        if (isSamePlace(next, shown)) return
        shown = next
        setOver(next)
      },
      onEnd(isDropped) {
        isCarrying.current = false
        setHeld(null)
        setOver(null)
        if (isDropped && shown) latest.current.onDrop({ visit: held.visit, over: shown })
      },
    })
  }, [held])
  const [frame] = useState(() => (element: HTMLElement | null) => {
    if (element) return keepFromPanning(element, () => isCarrying.current)
  })
  const opens = (visit: BoardVisit) => (event: MouseEvent<HTMLElement | SVGElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onOpen(visit, event.currentTarget)
  }
  const handlers = (visit: BoardVisit) => ({
    onPointerDown(event: ReactPointerEvent<HTMLElement>) {
      clickEnds.current = false
      const frameOf = event.currentTarget.closest<HTMLElement>('[data-board]')
      if (event.button !== 0 || !event.isPrimary || !isMovable(visit) || !isDesk() || !frameOf) return
      setHeld({ visit, board: frameOf, judge: judgeOf(board, visit), ...pressOf(event, visit) })
    },
    onDragStart: (event: MouseEvent) => event.preventDefault(),
    onClick(event: MouseEvent<HTMLElement | SVGElement>) {
      // A click by keyboard follows no press: it ends no drag.
      if (clickEnds.current && event.detail > 0) event.preventDefault()
      else opens(visit)(event)
    },
  })
  return { id: over ? (held?.visit.id ?? null) : null, over, frame, handlers, opens }
}

function pressOf(
  event: ReactPointerEvent<HTMLElement>,
  { start, end }: BoardVisit,
): Press & Pick<Taken, 'grip'> {
  const { left, width } = event.currentTarget.getBoundingClientRect()
  const { clientX: x, clientY: y, pointerId, pointerType } = event
  return {
    pointerId,
    isTouch: pointerType === 'touch',
    from: { x, y },
    grip: ((x - left) / width) * (end - start),
  }
}

/** The pointer that a block was pressed with. */
type Press = { pointerId: number; isTouch: boolean; from: Point }
type DragMessage = {
  /** The press became a drag. */
  onTake: () => void
  onMove: (at: Point) => void
  /** Dropped, or given up. */
  onEnd: (isDropped: boolean) => void
}

/** Pixels that a pointer may move before it drags, or before a finger scrolls instead. */
const tremble = 6

/** Milliseconds that a finger rests on a block to pick it up. */
const longPress = 400

/** Follows a pressed pointer over the window until it is released or cancelled. Returns what stops listening. */
function followPress({ pointerId, isTouch, from }: Press, board: HTMLElement, told: DragMessage): () => void {
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
function keepFromPanning(board: HTMLElement, isCarrying: () => boolean): () => void {
  const listening = new AbortController()
  const prevent = (event: Event) => isCarrying() && event.cancelable && event.preventDefault()
  board.addEventListener('touchmove', prevent, { passive: false, signal: listening.signal })
  board.addEventListener('contextmenu', prevent, { signal: listening.signal })
  return () => listening.abort()
}

/** Pixels from an edge within which what is dragged scrolls, and how far at most in a frame. */
const edge = 56
const furthest = 14

/**
 * Scrolls the window up and down, and the board along its hours, while the pointer stays near an edge; calls
 * `onScroll` so that what is below a resting pointer is checked again. Returns what ends it.
 */
function scrollAtEdges(board: HTMLElement, pointer: () => Point, onScroll: () => void): () => void {
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

/** Where the hours begin: the name of each row stays at the left and covers them. */
const laneLeft = (board: HTMLElement) =>
  board.querySelector('[data-lane-head]')?.getBoundingClientRect().right ?? board.getBoundingClientRect().left

/** The nearer to an edge, the faster; zero between. */
function speed(at: number, from: number, to: number): number {
  if (at < from + edge) return -furthest * Math.min((from + edge - at) / edge, 1)
  if (at > to - edge) return furthest * Math.min((at - to + edge) / edge, 1)
  return 0
}

type Point = { x: number; y: number }

/** Where a block would land, and what is against it. */
export type Over = MinuteSpan & MoveVerdict & { personId: string; barred: boolean }

/** A block as it was picked up. */
type Taken = {
  visit: BoardVisit
  /** Minutes from the block's start to where it was picked up. */
  grip: number
  judge: ReturnType<typeof judgeOf>
}

/** The person and the slot under a pointer, judged; null where there is no lane of a person. */
function overAt({ x, y }: Point, { grip, judge, visit }: Taken, board: BoardDay): Over | null {
  const lane = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-lane]')
  const personId = lane?.dataset.lane
  if (!lane || !personId) return null
  const { left, width } = lane.getBoundingClientRect()
  const hours = hoursOf(board)
  const minutes = visit.end - visit.start
  const at = hours.start + ((x - left) / width) * (hours.end - hours.start) - grip
  const near = Math.abs(at - visit.start) <= board.settings.stepMinutes / 2
  const start = Math.min(Math.max(near ? visit.start : snapped(board, at), hours.start), hours.end - minutes)
  const verdict = judge(personId, start)
  return { personId, start, end: start + minutes, ...verdict, barred: isBarred(verdict) }
}

/** Whether two are the same person and slot, or both nowhere. */
const isSamePlace = (a: Over | null, b: Over | null) => a?.personId === b?.personId && a?.start === b?.start
