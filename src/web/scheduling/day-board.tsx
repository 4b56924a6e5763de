import { type CSSProperties, useMemo } from 'react'
import {
  type BoardDay,
  type BoardFilter,
  hoursOf,
  isWanted,
  type Lane,
  lanesWithoutPerson,
  shownRows,
} from '../../domain/scheduling/board.ts'
import type { Span } from '../../domain/scheduling/roster.ts'
import { minuteHands } from '../../domain/shared/format.ts'
import { StateIcons } from '../appointments/state-badge.tsx'
import { cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { BoardLane, type LaneProps } from './board-lane.tsx'
import { NobodyHead, PersonHead } from './person-head.tsx'
import { placeOf } from './place.ts'

type DayBoardProps = {
  board: BoardDay
  filter: BoardFilter
  /** The row something is being dragged over, and what taking a block up does. */
  moving: LaneProps['moving']
}

/** People × hours: a list of appointments for each person on a phone, lanes along the hours of the day on a desk. */
export function DayBoard({ board, filter, moving }: DayBoardProps) {
  const rows = useMemo(() => shownRows(board, filter), [board, filter])
  const nobodys = useMemo(() => lanesWithoutPerson(board), [board])
  const hours = useMemo(() => hoursOf(board), [board])
  if (rows.length + nobodys.length === 0)
    return (
      <EmptyState>Ese día no hay citas ni quien las atienda. Elige otro día, servicio o zona.</EmptyState>
    )
  return (
    <div className={classNames(cardClass, 'overflow-x-auto lg:relative')} data-board ref={moving.frame}>
      <StateIcons />
      <div
        className="lg:min-w-(--board-width)"
        style={{ '--board-width': `${13 + columnsOf(hours).length * 5.25}rem` } as CSSProperties}
      >
        <Hours hours={hours} />
        <ul>
          {nobodys.map((lane, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lanes of nobody's are told apart by their place only
            <li key={n} className={rowClass}>
              <NobodyHead isFirst={n === 0} />
              <BoardLane {...{ lane, hours, board, moving }} personId={null} faded={fadedOf(lane, filter)} />
            </li>
          ))}
          {rows.map((row) => (
            <li key={row.person.id} className={rowClass}>
              <PersonHead row={row} date={board.day.date} />
              <BoardLane
                {...{ hours, board, moving }}
                lane={row}
                personId={row.person.id}
                faded={fadedOf(row, filter)}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

const rowClass = 'lg:grid lg:grid-cols-[13rem_1fr]'

const fadedOf = ({ visits }: Lane, filter: BoardFilter) =>
  visits.filter((visit) => !isWanted(visit, filter)).map(({ id }) => id)

const columnsOf = ({ start, end }: Span) =>
  Array.from({ length: (end - start) / 60 }, (_, column) => start + column * 60)

function Hours({ hours }: { hours: Span }) {
  return (
    <div aria-hidden className="hidden text-[0.8125rem] text-mute lg:grid lg:grid-cols-[13rem_1fr]">
      <div data-lane-head className="sticky left-0 z-10 border-r border-line bg-card" />
      <div className="relative h-9">
        {columnsOf(hours).map((start) => (
          <span
            key={start}
            className="absolute top-2 left-(--from) pl-1.5 whitespace-nowrap"
            style={placeOf({ start, end: hours.end }, hours)}
          >
            {minuteHands(start)}
          </span>
        ))}
      </div>
    </div>
  )
}
