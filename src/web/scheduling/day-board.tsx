import { CircleAlert, Phone } from 'lucide-react'
import { type CSSProperties, useMemo } from 'react'
import { isAnalyst } from '../../domain/access/actor.ts'
import {
  type BoardDay,
  type BoardFilter,
  type BoardRow,
  hoursOf,
  isWanted,
  type Lane,
  lanesWithoutPerson,
  shownRows,
} from '../../domain/scheduling/board.ts'
import type { MinuteSpan } from '../../domain/scheduling/roster.ts'
import { counted, duration, minuteHands } from '../../domain/shared/format.ts'
import { StateIcons } from '../appointments/state-badge.tsx'
import { cardClass, EmptyState } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { Link } from '../ui/link.tsx'
import { BoardLane, type LaneProps, lanePositionOf } from './board-lane.tsx'

type DayBoardProps = {
  board: BoardDay
  filter: BoardFilter
  /** The row under a dragged block, and what picking a block up does. */
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
            // biome-ignore lint/suspicious/noArrayIndexKey: lanes without an assignee differ by their place only
            <li key={n} className={rowClass}>
              <NobodyHead isFirst={n === 0} />
              <BoardLane
                lane={lane}
                hours={hours}
                board={board}
                moving={moving}
                personId={null}
                faded={fadedOf(lane, filter)}
              />
            </li>
          ))}
          {rows.map((row) => (
            <li key={row.person.id} className={rowClass}>
              <PersonHead row={row} date={board.day.date} />
              <BoardLane
                hours={hours}
                board={board}
                moving={moving}
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

const columnsOf = ({ start, end }: MinuteSpan) =>
  Array.from({ length: (end - start) / 60 }, (_, column) => start + column * 60)

function Hours({ hours }: { hours: MinuteSpan }) {
  return (
    <div aria-hidden className="hidden text-[0.8125rem] text-mute lg:grid lg:grid-cols-[13rem_1fr]">
      <div data-lane-head className="sticky left-0 z-10 border-r border-line bg-card" />
      <div className="relative h-9">
        {columnsOf(hours).map((start) => (
          <span
            key={start}
            className="absolute top-2 left-(--from) pl-1.5 whitespace-nowrap"
            style={lanePositionOf({ start, end: hours.end }, hours)}
          >
            {minuteHands(start)}
          </span>
        ))}
      </div>
    </div>
  )
}

const headClass =
  'grid content-start gap-0.5 border-line bg-card px-4 pt-4 lg:sticky lg:left-0 lg:z-10 lg:border-t lg:border-r lg:py-3'

/** The person of a row, with their load of that day, and the link to record their absence. */
function PersonHead({ row, date }: { row: BoardRow; date: string }) {
  const { person, travel, visits } = row
  return (
    <div className={headClass}>
      <h3 className="flex items-center gap-1.5 text-[0.9375rem] font-semibold wrap-anywhere">
        {isAnalyst(person) && <Phone aria-hidden className="size-4 shrink-0 text-mute" />}
        {person.name}
      </h3>
      <p className="text-sm text-mute">{dayInWords(visits.length, travel)}</p>
      <Link
        to={`/admin/assignations/ausencia?persona=${person.id}&dia=${date}`}
        prefetch="intent"
        className="-ml-1 inline-flex min-h-11 items-center justify-self-start rounded-control px-1 text-sm text-mute underline underline-offset-2 hover:text-ink lg:min-h-7"
      >
        No puede venir<span className="sr-only">: {person.name}</span>
      </Link>
    </div>
  )
}

/** The heading of what is unassigned. */
const NobodyHead = ({ isFirst }: { isFirst: boolean }) => (
  <div className={headClass}>
    {isFirst && (
      <>
        <h3 className="flex items-center gap-1.5 text-[0.9375rem] font-semibold text-bad">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          Sin persona
        </h3>
        <p className="text-sm text-mute">
          <span className="lg:hidden">Abre cada cita y elige a quien pueda.</span>
          <span className="max-lg:hidden">Arrastra cada cita a quien pueda, o ábrela.</span>
        </p>
      </>
    )}
  </div>
)

function dayInWords(visits: number, travel: number): string {
  if (visits === 0) return 'Sin citas'
  const count = counted(visits, 'cita', 'citas')
  return travel > 0 ? `${count} · ${duration(travel)} de traslado` : count
}
