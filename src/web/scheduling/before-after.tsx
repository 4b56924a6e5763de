import { useMemo } from 'react'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import {
  type BoardDay,
  type BoardOffer,
  type BoardRow,
  type BoardVisit,
  boardRowsOf,
  hoursOf,
  zoneLabel,
} from '../../domain/scheduling/board.ts'
import type { MinuteSpan } from '../../domain/scheduling/roster.ts'
import { counted, duration, minuteTime } from '../../domain/shared/format.ts'
import { cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { lanePositionOf, serviceLooks } from './board-lane.tsx'

type BeforeAfterProps = {
  before: BoardDay
  /** The same day as it would be; an offer is another time that its customer is asked about. */
  after: BoardDay
  /** What the second lane is called. */
  label: string
}

/** The day of each person whose work a change concerns, as it is and as it would be, on the board's hours. */
export function BeforeAfter({ before, after, label }: BeforeAfterProps) {
  const hours = useMemo(() => hoursOf(before), [before])
  const rows = useMemo(() => changedRows(before, after), [before, after])
  const moved = useMemo(() => movedIn(before, after), [before, after])
  return (
    <ul className={cardClass}>
      {rows.map(({ now, offers, then }) => (
        <li key={now.person.id} className="border-line not-first:border-t p-4">
          <h3 className="font-semibold">{now.person.name}</h3>
          <p className="text-sm text-mute">{changeInWords(now, then, offers.length)}</p>
          <div aria-hidden className="mt-2 grid gap-1 max-lg:hidden">
            <ThinLane label="Ahora" row={now} hours={hours} moved={moved} />
            <ThinLane label={label} row={then} hours={hours} moved={moved} offers={offers} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The rows of those whose appointments or time off change. */
function changedRows(before: BoardDay, after: BoardDay) {
  const rows = new Map(boardRowsOf(after).map((row) => [row.person.id, row]))
  return boardRowsOf(before).flatMap((now) => {
    const { id } = now.person
    const then = rows.get(id) ?? { ...now, visits: [], gaps: [], travel: 0 }
    const offers = after.offers.filter(({ personId }) => personId === id)
    return printOf(now) === printOf(then) && offers.length === 0 ? [] : [{ now, then, offers }]
  })
}

const printOf = ({ off, visits }: BoardRow) => JSON.stringify([visits.map(({ id }) => id), off])

function movedIn(before: BoardDay, after: BoardDay) {
  const holders = new Map(after.visits.map(({ id, personId }) => [id, personId]))
  return before.visits.flatMap(({ id, personId }) => (holders.get(id) === personId ? [] : [id]))
}

function changeInWords(now: BoardRow, then: BoardRow, offered: number): string {
  const visits =
    now.visits.length === then.visits.length
      ? counted(now.visits.length, 'cita', 'citas')
      : `${now.visits.length} → ${counted(then.visits.length, 'cita', 'citas')}`
  const travel =
    now.travel !== then.travel && `${duration(now.travel)} → ${duration(then.travel)} de traslado`
  return [visits, offered > 0 && counted(offered, 'propuesta', 'propuestas'), travel]
    .filter(Boolean)
    .join(' · ')
}

type ThinLaneProps = {
  label: string
  row: BoardRow
  hours: MinuteSpan
  moved: readonly string[]
  offers?: readonly BoardOffer[]
}

/** A lane without words but the first names; what changes hands stands out, and what is only offered is hatched. */
const ThinLane = ({ label, row: { gaps, off, visits }, hours, moved, offers = [] }: ThinLaneProps) => (
  <div className="board-row items-center">
    <span className="text-xs text-mute">{label}</span>
    <div className="thin-lane relative overflow-hidden rounded-sm bg-canvas">
      {off.map((span) => (
        <span
          key={span.start}
          className="placed hatched-off inset-y-0 px-2 text-right text-mute"
          style={lanePositionOf(span, hours)}
        >
          Ausente
        </span>
      ))}
      {gaps.map((gap) => (
        <span key={gap.after} className="placed hatched inset-y-0" style={lanePositionOf(gap, hours)} />
      ))}
      {visits.map((visit) => (
        <ThinBlock key={visit.id} visit={visit} hours={hours} isMoved={moved.includes(visit.id)} />
      ))}
      {offers.map((offer) => (
        <span
          key={offer.id}
          title={`Propuesta ${minuteTime(offer.start)} · ${offer.customer}`}
          className="placed hatched-off edge-dashed inset-y-0 truncate rounded-sm border border-edge px-1 text-ink"
          style={lanePositionOf(offer, hours)}
        >
          {offer.customer.split(' ')[0]}
        </span>
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
