import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { isBarred, judgeOf, snapped, type Verdict } from '../../domain/board-moves.ts'
import { type BoardDay, type BoardVisit, hoursOf } from '../../domain/day-board.ts'
import type { Span } from '../../domain/roster.ts'

/** Where a block would land, and what is against it. */
export type Over = Span & Verdict & { personId: string; barred: boolean }
/** What is being dragged on the board, and what makes a block movable. */
export type Moving = {
  id: string | null
  over: Over | null
  handlers: (visit: BoardVisit) => object
}
type Drop = { visit: BoardVisit; over: Over }
type Held = {
  visit: BoardVisit
  /** Minutes from the block's start to where it was taken. */
  grip: number
  from: { x: number; y: number }
  dragged: boolean
  judge: ReturnType<typeof judgeOf>
}

/** Pixels that a pointer may tremble before it drags. */
const tremble = 6
/** Lanes stand along the hours from this width on; below it a block is opened, not dragged. */
const isDesk = () => matchMedia('(width >= 64rem)').matches

/**
 * Blocks that a mouse or pen drags over the board, snapping to the slots, each place judged before it is let go. What is
 * taken up stays as it was then, whatever the page hears meanwhile: the server compares versions. A click opens.
 */
export function useMoving(
  board: BoardDay,
  { onOpen, onDrop }: { onOpen: (visit: BoardVisit) => void; onDrop: (drop: Drop) => void },
): Moving {
  const [held, setHeld] = useState<Held | null>(null)
  const [over, setOver] = useState<Over | null>(null)
  const clickEnds = useRef(false)
  const latest = useRef({ board, onDrop })
  latest.current = { board, onDrop }
  useEffect(() => {
    if (!held) return
    let dragged = false
    let shown: Over | null = null
    const end = () => {
      setHeld(null)
      setOver(null)
    }
    const drag = (event: globalThis.PointerEvent) => {
      const { x, y } = held.from
      if (!dragged && Math.hypot(event.clientX - x, event.clientY - y) < tremble) return
      dragged = true
      clickEnds.current = true
      const next = overAt(event, held, latest.current.board)
      if (next?.personId === shown?.personId && next?.start === shown?.start && (next || shown)) return
      shown = next
      setOver(next)
    }
    const drop = () => {
      end()
      if (dragged && shown) latest.current.onDrop({ visit: held.visit, over: shown })
      // The click that ends a drag comes after it, if it comes at all.
      setTimeout(() => {
        clickEnds.current = false
      })
    }
    const cancel = ({ key }: KeyboardEvent) => key === 'Escape' && end()
    window.addEventListener('pointermove', drag)
    window.addEventListener('pointerup', drop)
    window.addEventListener('pointercancel', end)
    window.addEventListener('blur', end)
    window.addEventListener('keydown', cancel)
    return () => {
      window.removeEventListener('pointermove', drag)
      window.removeEventListener('pointerup', drop)
      window.removeEventListener('pointercancel', end)
      window.removeEventListener('blur', end)
      window.removeEventListener('keydown', cancel)
    }
  }, [held])
  const handlers = (visit: BoardVisit) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || event.pointerType === 'touch' || !isDesk()) return
      const { left, width } = event.currentTarget.getBoundingClientRect()
      const grip = ((event.clientX - left) / width) * (visit.end - visit.start)
      const from = { x: event.clientX, y: event.clientY }
      setHeld({ visit, grip, from, dragged: false, judge: judgeOf(board, visit) })
    },
    onDragStart: (event: MouseEvent) => event.preventDefault(),
    onClick(event: MouseEvent) {
      if (clickEnds.current) event.preventDefault()
      else if (!event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0) {
        event.preventDefault()
        onOpen(visit)
      }
    },
  })
  return { id: over ? (held?.visit.id ?? null) : null, over, handlers }
}

/** The person and the slot under a pointer, judged; null where there is no lane of anybody's. */
function overAt(event: globalThis.PointerEvent, { grip, judge, visit }: Held, board: BoardDay): Over | null {
  const lane = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-lane]')
  const personId = lane?.dataset.lane
  if (!lane || !personId) return null
  const { left, width } = lane.getBoundingClientRect()
  const hours = hoursOf(board)
  const minutes = visit.end - visit.start
  const at = hours.start + ((event.clientX - left) / width) * (hours.end - hours.start) - grip
  const near = Math.abs(at - visit.start) <= board.settings.stepMinutes / 2
  const start = Math.min(Math.max(near ? visit.start : snapped(board, at), hours.start), hours.end - minutes)
  const verdict = judge(personId, start)
  return { personId, start, end: start + minutes, ...verdict, barred: isBarred(verdict) }
}
