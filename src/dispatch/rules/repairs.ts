import { isNotBegun, lateMinutes } from '../../appointments/rules/late.ts'
import {
  isException,
  type Reason,
  rank,
  rankExceptions,
  type SlotCandidate,
} from '../../scheduling/rules/eligibility.ts'
import { travelBetween } from '../../scheduling/rules/roster.ts'
import { type BoardDay, type BoardVisit, isMovable, judgeOf, packed } from './board.ts'

/** A visit of today that its assignee would begin late, and who could begin it in time. */
export type Repair = {
  visit: BoardVisit
  /** By how many minutes it would begin late, or is late already. */
  late: number
  /** Its hour has passed, and nobody has begun it. */
  isOverdue: boolean
  /** Null where nobody can, or where it begins too soon for another person. */
  taker: { id: string; name: string } | null
  /** The rules that are set aside for that person. */
  exceptions: readonly Reason[]
}

/** A delay of fewer minutes needs no repair; a visit that begins within `frozen` minutes keeps its person. */
const lateAfter = 10
const frozen = 30
const mostRepairs = 5

/**
 * The repairs of a day that is under way: each late visit, in the order of the hours, to another person at its own
 * hour, as the day would be after those before it and as it is: they can be applied in any order. The latest ones are
 * returned, worst first.
 */
export function repairsOf(board: BoardDay): Repair[] {
  const { day, now } = board
  if (now < day.start || now >= day.end) return []
  const found: Repair[] = []
  let after = board
  for (const { id } of board.visits.filter(isMovable).toSorted((a, b) => a.start - b.start)) {
    const repair = repairOf(after, board, after.visits.find((visit) => visit.id === id)!)
    if (!repair) continue
    found.push(repair)
    if (repair.taker) after = given(after, repair.visit, repair.taker.id)
  }
  return found.sort((a, b) => b.late - a.late || a.visit.start - b.visit.start).slice(0, mostRepairs)
}

function repairOf(board: BoardDay, before: BoardDay, visit: BoardVisit): Repair | null {
  const { now } = board
  const { personId, start } = visit
  if (personId === null) return null
  const isOverdue = start <= now
  const late = isOverdue ? lateMinutes(visit, now) : delayOf(board, visit, personId)
  if (late < lateAfter) return null
  const best = isOverdue || start >= now + frozen ? takerOf(board, before, visit) : undefined
  const person = best && board.people.find(({ id }) => id === best.id)
  return { visit, late, isOverdue, taker: person ?? null, exceptions: best?.against ?? [] }
}

/** By how many minutes the work before lets its assignee miss its start. */
function delayOf(board: BoardDay, visit: BoardVisit, personId: string): number {
  const { reasons } = judgeOf(board, visit)(personId, visit.start)
  return reasons.find(({ code }) => code === 'delayed' || code === 'travel_before')?.missing ?? 0
}

/** Who can begin it in time, an overdue one now: by every rule, else by exception within their shift. */
function takerOf(board: BoardDay, before: BoardDay, visit: BoardVisit) {
  const { personId, start } = visit
  const { ask, busy, roster } = packed(board, visit)
  const asked = { ...ask, isLate: true }
  const judge = judgeOf(before, visit)
  const reasonsOf = ({ id }: SlotCandidate) => judge(id, start).reasons
  const others = <One extends SlotCandidate>(ranked: readonly One[]) =>
    ranked.filter(({ id }) => id !== personId)
  return (
    others(rank(roster, busy, start, asked))
      .filter((one) => reasonsOf(one).length === 0)
      .map(({ id }) => ({ id, against: [] as Reason[] }))[0] ??
    others(rankExceptions(roster, busy, start, asked))
      .filter(({ against }) => against.every(({ code }) => code !== 'shift'))
      .map((one) => ({ id: one.id, against: reasonsOf(one) }))
      .find(({ against }) => against.every(isException))
  )
}

/** Who could take a visit of a day at its hour if rules were set aside, best first; nobody who cannot come in time. */
export function exceptionFor(board: BoardDay, visit: BoardVisit) {
  const { ask, busy, roster } = packed(board, visit)
  const [best] = rankExceptions(roster, busy, visit.start, ask)
  const person = best && board.people.find(({ id }) => id === best.id)
  return best && person ? { name: person.name, against: best.against } : null
}

/** The day with a visit given to another person, and what both are expected to do from then on. */
function given(board: BoardDay, visit: BoardVisit, takerId: string): BoardDay {
  const visits = board.visits.map((one) => (one.id === visit.id ? { ...one, personId: takerId } : one))
  const ends = new Map(
    [visit.personId, takerId].flatMap((id) =>
      expectedOf({ ...board, visits }, id).map((one) => [one.id, one]),
    ),
  )
  return { ...board, visits: visits.map((one) => ends.get(one.id) ?? one) }
}

/** A person's visits with their expected ends: what has begun keeps its own, what follows waits for it. */
function expectedOf({ now, settings, travel, visits }: BoardDay, personId: string | null): BoardVisit[] {
  const matrix = Uint16Array.from(travel)
  let before: BoardVisit | undefined
  return visits
    .filter((visit) => visit.personId === personId)
    .toSorted((a, b) => a.start - b.start)
    .map((visit) => {
      const ready = before
        ? (before.until ?? before.end) +
          settings.bufferMinutes +
          travelBetween(matrix, before.zone, visit.zone)
        : visit.start
      const begins = Math.max(visit.start + lateMinutes(visit, now), ready)
      const isOpen = isNotBegun(visit.state) && visit.state !== 'en_route' && now < visit.end
      before = isOpen ? { ...visit, until: Math.max(visit.end, begins + visit.end - visit.start) } : visit
      return before
    })
}
