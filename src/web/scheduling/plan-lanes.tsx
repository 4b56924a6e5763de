import { useMemo } from 'react'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import {
  type BoardDay,
  type BoardRow,
  type BoardVisit,
  boardRowsOf,
  hoursOf,
  zoneLabel,
} from '../../domain/scheduling/board.ts'
import type { MinuteSpan } from '../../domain/scheduling/roster.ts'
import { counted, duration, minuteTime } from '../../domain/shared/format.ts'
import type { PlanResult } from '../../server/scheduling/plans.ts'
import { cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { lanePositionOf, serviceLooks } from './board-lane.tsx'

type LanesProps = { board: BoardDay; moves: PlanResult['moves'] }

/** The day of each person whose work a plan changes, as it is and as it would be, on the board's hours. */
export function PlanLanes({ board, moves }: LanesProps) {
  const hours = useMemo(() => hoursOf(board), [board])
  const rows = useMemo(() => changedRows(board, moves), [board, moves])
  const moved = moves.map(({ id }) => id)
  return (
    <ul className={cardClass}>
      {rows.map(({ after, before }) => (
        <li key={before.person.id} className="border-line not-first:border-t p-4">
          <h3 className="font-semibold">{before.person.name}</h3>
          <p className="text-sm text-mute">{changeInWords(before, after)}</p>
          <div aria-hidden className="mt-2 grid gap-1 max-lg:hidden">
            <ThinLane label="Ahora" row={before} hours={hours} moved={moved} />
            <ThinLane label="Con el plan" row={after} hours={hours} moved={moved} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The rows of those who give or take an appointment, before and after. */
function changedRows(board: BoardDay, moves: PlanResult['moves']) {
  const to = new Map(moves.map(({ id, toId }) => [id, toId]))
  const visits = board.visits.map((visit) =>
    to.has(visit.id) ? { ...visit, personId: to.get(visit.id) ?? null } : visit,
  )
  const after = new Map(boardRowsOf({ ...board, visits }).map((row) => [row.person.id, row]))
  return boardRowsOf(board).flatMap((before) => {
    const then = after.get(before.person.id) ?? { ...before, visits: [], gaps: [], travel: 0 }
    const isChanged = [...before.visits, ...then.visits].some(
      ({ id }) =>
        to.has(id) &&
        !(before.visits.some((one) => one.id === id) && then.visits.some((one) => one.id === id)),
    )
    return isChanged ? [{ before, after: then }] : []
  })
}

function changeInWords(before: BoardRow, after: BoardRow): string {
  const visits = `${before.visits.length} → ${counted(after.visits.length, 'cita', 'citas')}`
  return before.travel === after.travel
    ? visits
    : `${visits} · ${duration(before.travel)} → ${duration(after.travel)} de traslado`
}

type ThinLaneProps = { label: string; row: BoardRow; hours: MinuteSpan; moved: readonly string[] }

/** A lane without words but the first names; what changes hands stands out. */
const ThinLane = ({ label, row: { gaps, visits }, hours, moved }: ThinLaneProps) => (
  <div className="board-row items-center">
    <span className="text-xs text-mute">{label}</span>
    <div className="thin-lane relative rounded-sm bg-canvas">
      {gaps.map((gap) => (
        <span key={gap.after} className="placed hatched inset-y-0" style={lanePositionOf(gap, hours)} />
      ))}
      {visits.map((visit) => (
        <ThinBlock key={visit.id} visit={visit} hours={hours} isMoved={moved.includes(visit.id)} />
      ))}
    </div>
  </div>
)

type ThinBlockProps = { visit: BoardVisit; hours: MinuteSpan; isMoved: boolean }

function ThinBlock({ visit, hours, isMoved }: ThinBlockProps) {
  const { customer, service, start, zone } = visit
  const { ink, surface } = serviceLooks[service]
  return (
    <span
      title={[minuteTime(start), serviceFacts[service].label, customer, zoneLabel(zone)]
        .filter(Boolean)
        .join(' · ')}
      className={classNames(
        'placed inset-y-0 truncate rounded-sm border px-1',
        isMoved ? `${ink} ${surface} font-semibold` : 'border-line bg-hover text-mute',
      )}
      style={lanePositionOf(visit, hours)}
    >
      {customer.split(' ')[0]}
    </span>
  )
}
