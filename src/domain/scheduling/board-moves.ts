import { isActive } from '../appointments/appointment.ts'
import { assignableStates } from '../appointments/moves.ts'
import type { Settings } from '../settings/settings-schema.ts'
import type { Ask } from './availability.ts'
import { isHard, type Reason, whyNot } from './closed-reasons.ts'
import type { BoardDay, BoardVisit } from './day-board.ts'
import { busyOf, rosterOf } from './roster.ts'

/** Whether an appointment may still go to somebody else or to another time. */
export const isMovable = ({ state }: Pick<BoardVisit, 'state'>) => assignableStates.includes(state)

/** What speaks against a move; `past` is not for anybody to set aside. */
export type Verdict = { reasons: readonly Reason[]; past: boolean }

/** Whether nobody may make a move, not even with a reason. */
export const isBarred = ({ past, reasons }: Verdict) => past || reasons.some(isHard)

/**
 * Judges the moves of one appointment on the board's day by the engine's own rules, without asking the server: the same
 * that it will be judged by there. Packed once for each appointment taken up.
 */
export function judgeOf(board: BoardDay, visit: BoardVisit): (personId: string, start: number) => Verdict {
  const { day, now, people } = board
  const index = new Map(people.map(({ id }, person) => [id, person]))
  const roster = rosterOf(people)
  const busy = busyOf(
    people.length,
    board.visits.flatMap((other) => {
      const person = other.personId === null ? undefined : index.get(other.personId)
      return person === undefined || other.id === visit.id || !isActive(other.state)
        ? []
        : [{ person, start: other.start, end: other.end, zone: other.zone, service: other.service }]
    }),
  )
  const ask = askAbout(board, visit)
  return (personId, start) => {
    const person = index.get(personId)
    if (person === undefined) return { reasons: [{ code: 'wrong_kind' }], past: false }
    const stays = start === visit.start
    const reasons = [
      ...whyNot(roster, busy, person, start, ask),
      ...(stays ? [] : aboutNewTime(board, visit, start)),
    ]
    return { reasons, past: !stays && start < now && day.start <= now }
  }
}

function askAbout({ day, now, settings, travel }: BoardDay, { end, service, start, zone }: BoardVisit): Ask {
  const rules = { ...settings.services, [service]: { ...settings.services[service], minutes: end - start } }
  return {
    service,
    zone,
    now,
    days: [day],
    // The engine reads no more of the settings than the board carries.
    settings: { ...settings, services: rules } as Settings,
    travel: Uint16Array.from(travel),
    promised: true,
  }
}

/** The rules that a time already promised is free of. */
function aboutNewTime({ beyond, day, now, settings }: BoardDay, { service }: BoardVisit, start: number) {
  const { noticeHours } = settings.services[service]
  const found: Reason[] = []
  if ((start - day.base) % settings.stepMinutes !== 0) found.push({ code: 'grid' })
  if (start < now + noticeHours * 60) found.push({ code: 'notice' })
  if (beyond.includes(service)) found.push({ code: 'horizon' })
  return found
}

/** The starts of the day's grid within some hours, in epoch minutes. */
export function startsWithin({ day, settings }: BoardDay, hours: { start: number; end: number }): number[] {
  const { stepMinutes } = settings
  const first = day.base + Math.ceil((hours.start - day.base) / stepMinutes) * stepMinutes
  const starts: number[] = []
  for (let start = first; start < hours.end; start += stepMinutes) starts.push(start)
  return starts
}

/** The start of the grid nearest to a minute. */
export const snapped = ({ day, settings }: BoardDay, minute: number) =>
  day.base + Math.round((minute - day.base) / settings.stepMinutes) * settings.stepMinutes
