import {
  type BoardDay,
  type BoardVisit,
  hoursOf,
  isBarred,
  type judgeOf,
  snapped,
  type Verdict,
} from '../../domain/scheduling/board.ts'
import type { Span } from '../../domain/scheduling/roster.ts'

export type Point = { x: number; y: number }
/** Where a block would land, and what is against it. */
export type Over = Span & Verdict & { personId: string; barred: boolean }
/** A block as it was taken up. */
export type Taken = {
  visit: BoardVisit
  /** Minutes from the block's start to where it was taken. */
  grip: number
  judge: ReturnType<typeof judgeOf>
}

/** The person and the slot under a pointer, judged; null where there is no lane of anybody's. */
export function overAt({ x, y }: Point, { grip, judge, visit }: Taken, board: BoardDay): Over | null {
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
export const isSamePlace = (a: Over | null, b: Over | null) =>
  a?.personId === b?.personId && a?.start === b?.start
