import { CalendarOff, Phone, UserX } from 'lucide-react'
import { useMemo } from 'react'
import { isAnalyst } from '../../domain/access/actor.ts'
import { type Service, serviceFacts, services } from '../../domain/appointments/appointment.ts'
import {
  type BoardDay,
  type BoardFilter,
  type BoardRow,
  capacityOf,
  hoursOf,
  isAway,
  isWanted,
  type Lane,
  shownRows,
} from '../../domain/scheduling/board.ts'
import type { MinuteSpan } from '../../domain/scheduling/roster.ts'
import { counted, duration, figure, minuteHands } from '../../domain/shared/format.ts'
import { StateIcons } from '../appointments/state-badge.tsx'
import { cardClass, EmptyState } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { Link } from '../ui/link.tsx'
import { BoardLane, lanePositionOf, serviceIcons, serviceLooks } from './board-lane.tsx'
import type { Moving } from './use-moving.ts'

type DayBoardProps = {
  board: BoardDay
  filter: BoardFilter
  /** The appointment whose panel is open. */
  chosen: string | null
  /** The row under a dragged block, and what picking a block up does. */
  moving: Moving
}

/** People × hours: a list of appointments for each person on a phone, lanes along the hours of the day on a desk. */
export function DayBoard({ board, filter, chosen, moving }: DayBoardProps) {
  const rows = useMemo(() => shownRows(board, filter), [board, filter])
  const hours = useMemo(() => hoursOf(board), [board])
  if (rows.length === 0)
    return <EmptyState icon={CalendarOff}>Ese día no se trabaja. Elige otro día, servicio o zona.</EmptyState>
  return (
    <div className="grid content-start gap-2">
      <div className={classNames(cardClass, 'select-none lg:relative')}>
        <StateIcons />
        <Hours hours={hours} />
        <ul>
          {rows.map((row) => (
            <li key={row.person.id} className="board-row">
              <PersonHead row={row} board={board} />
              <BoardLane
                hours={hours}
                board={board}
                moving={moving}
                lane={row}
                personId={row.person.id}
                faded={fadedOf(row, filter)}
                chosen={chosen}
              />
            </li>
          ))}
        </ul>
      </div>
      <Legend />
    </div>
  )
}

const fadedOf = ({ visits }: Lane, filter: BoardFilter) =>
  visits.filter((visit) => !isWanted(visit, filter)).map(({ id }) => id)

const columnsOf = ({ start, end }: MinuteSpan) =>
  Array.from({ length: (end - start) / 60 }, (_, column) => start + column * 60)

const Hours = ({ hours }: { hours: MinuteSpan }) => (
  <div
    aria-hidden
    className="board-row sticky top-0 z-20 rounded-card border-b border-line bg-card text-xs text-mute max-lg:hidden"
  >
    <div data-lane-head className="border-r border-line" />
    <div className="relative h-8">
      {columnsOf(hours).map((start) => (
        <span
          key={start}
          className="at-hour py-2 pl-2 whitespace-nowrap"
          style={lanePositionOf({ start, end: hours.end }, hours)}
        >
          {minuteHands(start)}
        </span>
      ))}
    </div>
  </div>
)

/** The person of a row, how much of their day is taken, and the link to record their absence. */
function PersonHead({ row, board }: { row: BoardRow; board: BoardDay }) {
  const { person, travel, visits } = row
  const words = dayInWords(visits.length, travel)
  const absence = isAway(row, board.now) ? 'Ver ausencia' : 'No puede venir'
  return (
    <div className="board-head relative grid bg-card">
      <h3 title={person.name} className="flex min-w-0 items-center gap-1.5 text-[0.9375rem] font-semibold">
        {isAnalyst(person) && <Phone aria-hidden className="size-4 shrink-0 text-mute" />}
        <span className="min-w-0">{person.name}</span>
      </h3>
      <p className="desk-said text-sm text-mute">{words}</p>
      <Capacity row={row} title={words} />
      <Link
        to={`/admin/assignations/ausencia?persona=${person.id}&dia=${board.day.date}`}
        prefetch="intent"
        title={absence}
        className="inline-flex min-h-11 items-center justify-self-start rounded-control text-sm text-mute underline underline-offset-2 hover:text-ink"
      >
        <UserX aria-hidden className="size-4 max-lg:hidden" />
        <span className="desk-said">{absence}</span>
        <span className="sr-only">: {person.name}</span>
      </Link>
    </div>
  )
}

/** How much of a person's day is taken: a thin bar, and "4 de 6 h". */
function Capacity({ row, title }: { row: BoardRow; title: string }) {
  const { total, used } = capacityOf(row)
  if (total === 0 && used === 0) return null
  const share = total === 0 ? 1 : Math.min(1, used / total)
  return (
    <p title={title} className="desk-tiny flex items-center gap-1.5 text-sm text-mute">
      <span aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-line">
        <span
          className={classNames('block h-full', used > total ? 'bg-bad' : 'bg-brand')}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className={classNames('whitespace-nowrap', used > total && 'font-semibold text-bad')}>
        {hoursWords(used, total)}
      </span>
    </p>
  )
}

/** "4 de 6 h": the hours taken of those there are, from minutes. */
export const hoursWords = (used: number, total: number) =>
  `${figure(used / 60, 1)} de ${figure(total / 60, 1)} h`

function dayInWords(visits: number, travel: number): string {
  if (visits === 0) return 'Sin citas'
  const count = counted(visits, 'cita', 'citas')
  return travel > 0 ? `${count} · ${duration(travel)} de traslado` : count
}

/** What the colours and marks of the lanes mean. */
const Legend = () => (
  <ul
    aria-label="Significado de los colores"
    className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-mute max-lg:hidden"
  >
    {services.map((service) => (
      <li key={service} className="flex items-center gap-1.5">
        <Swatch service={service} />
        {serviceFacts[service].label}
      </li>
    ))}
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch edge-soft edge-dashed rounded-sm bg-card text-brand" />
      Por asignar
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch edge-soft edge-late rounded-sm bg-card text-brand" />
      Tarde
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch hatched rounded-sm border-line" />
      Minutos de traslado; en rojo si no llega a tiempo
    </li>
    <li className="flex items-center gap-1.5">
      <span aria-hidden className="board-swatch hatched-off edge-dashed rounded-sm border-edge" />
      Propuesta sin respuesta
    </li>
  </ul>
)

function Swatch({ service }: { service: Service }) {
  const Icon = serviceIcons[service]
  const { ink, surface } = serviceLooks[service]
  return (
    <span aria-hidden className={`grid size-4 place-items-center rounded-sm border ${ink} ${surface}`}>
      <Icon className="size-3.5" />
    </span>
  )
}
