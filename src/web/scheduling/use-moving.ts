import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type BoardDay, type BoardVisit, judgeOf } from '../../domain/scheduling/board.ts'
import { followPress, keepFromPanning, type Press } from './drag-gesture.ts'
import { isSamePlace, type Over, overAt, type Taken } from './drag-place.ts'

/** What is being dragged on the board, and what makes a block movable. */
export type Moving = {
  id: string | null
  over: Over | null
  /** For the element around the lanes. */
  frame: (element: HTMLElement | null) => (() => void) | undefined
  handlers: (visit: BoardVisit) => object
}
type Told = {
  onOpen: (visit: BoardVisit) => void
  onDrop: (drop: { visit: BoardVisit; over: Over }) => void
}
type Held = Taken & Press & { board: HTMLElement }

/** Lanes stand along the hours from this width on; below it a block is opened, not dragged. */
const isDesk = () => matchMedia('(width >= 64rem)').matches

/**
 * Blocks that a mouse, a pen or a finger that rested on them drags over the board, snapping to the slots, each place judged
 * before it is let go. What is taken up stays as it was then, whatever the page hears meanwhile: the server compares versions.
 * A click opens.
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
  const handlers = (visit: BoardVisit) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      clickEnds.current = false
      const frameOf = event.currentTarget.closest<HTMLElement>('[data-board]')
      if (event.button !== 0 || !event.isPrimary || !isDesk() || !frameOf) return
      setHeld({ visit, board: frameOf, judge: judgeOf(board, visit), ...pressOf(event, visit) })
    },
    onDragStart: (event: MouseEvent) => event.preventDefault(),
    onClick(event: MouseEvent) {
      // A key's click has no presses: it ends no drag.
      if (clickEnds.current && event.detail > 0) event.preventDefault()
      else if (!event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0) {
        event.preventDefault()
        onOpen(visit)
      }
    },
  })
  return { id: over ? (held?.visit.id ?? null) : null, over, frame, handlers }
}

function pressOf(event: PointerEvent<HTMLElement>, { start, end }: BoardVisit): Press & Pick<Taken, 'grip'> {
  const { left, width } = event.currentTarget.getBoundingClientRect()
  const { clientX: x, clientY: y, pointerId, pointerType } = event
  return {
    pointerId,
    isTouch: pointerType === 'touch',
    from: { x, y },
    grip: ((x - left) / width) * (end - start),
  }
}
