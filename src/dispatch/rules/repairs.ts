import { isActive, serviceFacts } from '../../appointments/rules/appointment.ts'
import { isNotBegun, lateMinutes } from '../../appointments/rules/late.ts'
import {
  isException,
  isOffShift,
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
  /** Its hour has passed, and no one has begun it. */
  isOverdue: boolean
  /** Null where no one can, or where it begins too soon for another person. */
  taker: { id: string; name: string } | null
  /** The rules that are set aside for that person. */
  exceptions: readonly Reason[]
}

/** A delay of fewer minutes needs no repair; a visit that begins within `frozen` minutes keeps its person. */
const lateAfter = 10
export const frozen = 30
const mostRepairs = 5

/** By how many minutes no one has begun a visit; who was given it after its hour has half an hour to set out. */
const overdueOf = (visit: BoardVisit, now: number) =>
  visit.givenAt && now < visit.givenAt + frozen
    ? 0
    : lateMinutes({ state: visit.state, start: visit.start }, now)

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
  if (personId === null || !serviceFacts[visit.service].needsTravel) return null
  const isOverdue = start <= now
  const late = isOverdue ? overdueOf(visit, now) : delayOf(board, visit, personId)
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
  const { now } = board
  const { personId, start } = visit
  const { ask, busy, roster } = packed(board, visit)
  const asked = { ...ask, notBefore: now }
  const judge = judgeOf(before, visit)
  // Who has not begun their own visit may not have come to work.
  const missing = new Set(
    board.visits
      .filter((one) => isMovable(one) && one.start <= now && overdueOf(one, now) >= lateAfter)
      .map((one) => one.personId),
  )
  const others = <One extends SlotCandidate>(ranked: readonly One[]) =>
    ranked.filter(({ id }) => id !== personId && !missing.has(id))
  const able = others(rank(roster, busy, start, asked)).find(
    ({ id }) => judge(id, start).reasons.length === 0,
  )
  if (able) return { id: able.id, against: [] }
  return others(rankExceptions(roster, busy, start, asked)).find(
    ({ against, id }) => !against.some(isOffShift) && judge(id, start).reasons.every(isException),
  )
}

/** Who can take a visit at its hour, or could if rules were set aside; null where no one can come in time. */
export function exceptionFor(board: BoardDay, visit: BoardVisit) {
  const { ask, busy, roster } = packed(board, visit)
  const [able] = rank(roster, busy, visit.start, ask)
  const best = able ? { ...able, against: [] } : rankExceptions(roster, busy, visit.start, ask)[0]
  const person = best && board.people.find(({ id }) => id === best.id)
  return best && person ? { name: person.name, against: best.against } : null
}

/** The day with a visit given to another person, and what both are expected to do from then on. */
function given(board: BoardDay, visit: BoardVisit, takerId: string): BoardDay {
  const changed = { personId: takerId, ...(visit.start <= board.now && { givenAt: board.now }) }
  const visits = board.visits.map((one) => (one.id === visit.id ? { ...one, ...changed } : one))
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
    .filter((visit) => visit.personId === personId && isActive(visit.state))
    .toSorted((a, b) => a.start - b.start)
    .map((visit) => {
      const ready = before
        ? (before.until ?? before.end) +
          settings.bufferMinutes +
          travelBetween(matrix, before.zone, visit.zone)
        : visit.start
      const minutes = visit.end - visit.start
      const start = Math.max(visit.start, visit.givenAt ?? 0)
      const begins = Math.max(start + lateMinutes({ ...visit, start }, now), ready)
      const isOpen = isNotBegun(visit.state) && visit.state !== 'en_route' && now < start + minutes
      before = isOpen ? { ...visit, until: Math.max(visit.end, begins + minutes) } : visit
      return before
    })
}
