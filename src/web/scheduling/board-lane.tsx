import { type LucideIcon, Plug, Ruler, Video } from 'lucide-react'
import type { CSSProperties } from 'react'
import {
  type AppointmentState,
  isActive,
  type Service,
  serviceFacts,
  stateFacts,
} from '../../domain/appointments/appointment.ts'
import {
  type BoardDay,
  type BoardVisit,
  isMovable,
  type Lane,
  spanPercentOf,
} from '../../domain/scheduling/board.ts'
import { type MinuteSpan, noZone } from '../../domain/scheduling/roster.ts'
import { isHoliday } from '../../domain/shared/calendar.ts'
import { duration, minuteHands, minuteTime } from '../../domain/shared/format.ts'
import { municipalities } from '../../domain/shared/places.ts'
import { SheetIcon } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { Link } from '../ui/link.tsx'
import type { Moving } from './use-moving.ts'

export type LaneProps = {
  lane: Lane
  /** The assignee; null for what is unassigned. */
  personId: string | null
  hours: MinuteSpan
  board: BoardDay
  /** Appointments outside the filter; they are drawn all the same, since they take the person's time. */
  faded: readonly string[]
  moving: Moving
}

/** One person's day along its hours. */
export function BoardLane({ lane, personId, hours, board, faded, moving }: LaneProps) {
  const { off, shifts, visits } = lane
  const isClosed = isHoliday(board.day.date, board.settings.holidays)
  return (
    <div
      data-lane={personId}
      className="relative border-line pb-4 max-lg:grid max-lg:gap-2 max-lg:border-b max-lg:px-4 max-lg:pt-2 lg:min-h-24 lg:border-t lg:bg-canvas lg:pb-0"
    >
      <div aria-hidden className="absolute inset-0 hidden overflow-hidden lg:block">
        {shifts.map((span) => (
          <div
            key={span.start}
            className={`inset-y-0 bg-card ${placed}`}
            style={lanePositionOf(span, hours)}
          />
        ))}
        <Lines hours={hours} />
        {off.map((span) => (
          <div
            key={span.start}
            className={classNames('hatched-off inset-y-0 grid place-items-center', placed)}
            style={lanePositionOf(span, hours)}
          >
            <span className="rounded-full bg-card px-2 py-0.5 text-[0.8125rem] text-mute">Ausente</span>
          </div>
        ))}
      </div>
      {off.length > 0 && <p className="text-sm text-mute lg:sr-only">{offInWords(off, board)}</p>}
      {visits.length === 0 && (
        <p className="text-sm text-mute lg:hidden">
          {off.length === 0 && !isClosed && 'Todo su horario está libre.'}
        </p>
      )}
      <ol className="max-lg:grid max-lg:gap-2">
        {visits.map((visit) => (
          <li key={visit.id} className="contents">
            <BoardBlock visit={visit} hours={hours} moving={moving} faded={faded.includes(visit.id)} />
            <Way lane={lane} visit={visit} hours={hours} />
          </li>
        ))}
      </ol>
      {personId !== null && moving.over?.personId === personId && <Landing moving={moving} hours={hours} />}
      <NowLine board={board} hours={hours} />
    </div>
  )
}

/** A line at each hour. */
const Lines = ({ hours }: { hours: MinuteSpan }) =>
  Array.from({ length: (hours.end - hours.start) / 60 - 1 }, (_, n) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: hours differ by their place only
      key={n}
      className="absolute inset-y-0 left-(--from) border-l border-line"
      style={lanePositionOf({ start: hours.start + (n + 1) * 60, end: hours.end }, hours)}
    />
  ))

const offInWords = (off: readonly MinuteSpan[], { day }: BoardDay) =>
  off.some(({ end, start }) => start <= day.start && end >= day.end)
    ? 'No trabaja este día: tiene permiso.'
    : off.map(({ start, end }) => `Ausente de ${minuteTime(start)} a ${minuteTime(end)}`).join(' ')

/** The travel after an appointment: hatched, with its minutes. */
function Way({ lane, visit, hours }: { lane: Lane; visit: BoardVisit; hours: MinuteSpan }) {
  const gap = lane.gaps.find(({ after }) => after === visit.id)
  if (!gap) return null
  return (
    <div
      className={classNames(
        'flex min-w-0 items-center text-[0.8125rem] max-lg:pl-3 lg:inset-y-0 lg:justify-center lg:overflow-hidden',
        gap.short ? 'text-bad' : 'text-mute',
        placed,
      )}
      style={lanePositionOf(gap, hours)}
      title={`Traslado: ${duration(gap.travel)}`}
    >
      <span aria-hidden className="hatched absolute inset-x-0 h-4 rounded max-lg:hidden" />
      <span className="relative rounded bg-card px-0.5 whitespace-nowrap">
        <span className="lg:sr-only">Traslado de </span>
        {gap.travel}
        <span className="lg:sr-only"> min{gap.short && ': no alcanza el tiempo'}</span>
      </span>
    </div>
  )
}

/** Where the dragged block would be placed. */
function Landing({ moving: { over }, hours }: { moving: Moving; hours: MinuteSpan }) {
  if (!over) return null
  return (
    <div
      aria-hidden
      className={classNames(
        'pointer-events-none inset-y-2 z-10 hidden rounded-lg border-2 lg:block',
        over.barred
          ? 'border-bad bg-bad-soft/80'
          : over.reasons.length > 0
            ? 'border-wait bg-wait-soft/80'
            : 'border-brand bg-brand-soft/80',
        placed,
      )}
      style={lanePositionOf(over, hours)}
    />
  )
}

function NowLine({ board: { now }, hours }: { board: BoardDay; hours: MinuteSpan }) {
  if (now < hours.start || now >= hours.end) return null
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 left-(--from) hidden w-0.5 bg-bad lg:block"
      style={lanePositionOf({ start: now, end: hours.end }, hours)}
    />
  )
}

const serviceIcons: Record<Service, LucideIcon> = {
  technical_visit: Ruler,
  installation: Plug,
  videocall: Video,
}

/** A dashed edge marks what is not settled yet. */
const looks: Record<AppointmentState, string> = {
  requested: 'border-dashed border-wait bg-card text-wait',
  assigned: 'border-brand/40 bg-brand-soft text-brand',
  en_route: 'border-info/40 bg-info-soft text-info',
  in_progress: 'border-info/40 bg-info-soft text-info',
  paused: 'border-wait/40 bg-wait-soft text-wait',
  done: 'border-line bg-hover text-mute',
  cancelled: 'border-line bg-hover text-mute',
  no_show: 'border-bad/40 bg-bad-soft text-bad',
}

/** The screen of an appointment, as its state has it. */
const pageOf = ({ id, state }: Pick<BoardVisit, 'id' | 'state'>) =>
  isMovable({ state })
    ? `/admin/assignations/${id}`
    : `/admin/appointments-${isActive(state) ? 'pending' : 'done'}/${id}`

const zoneName = (zone: number) => municipalities[zone]?.label ?? ''

/** From so many minutes on, a block has room for the name of its service. */
const wide = 120

/** Below so many minutes a block shows when it starts, and icons for the service and the state. */
const roomy = 45

/** Its words stay for screen readers. */
const onlyIcon = 'lg:min-h-4.5 lg:justify-center lg:*:[span]:sr-only'

type BlockProps = { visit: BoardVisit; hours: MinuteSpan; faded: boolean; moving: Moving }

/** An appointment of the board: a link to its page, which opens the dialog of moving it, or is dragged. */
function BoardBlock({ visit, hours, faded, moving }: BlockProps) {
  const { customer, end, folio, id, service, start, state, zone } = visit
  const Icon = serviceIcons[service]
  const isNarrow = end - start < roomy
  const words = `${minuteTime(start)} a ${minuteTime(end)}`
  const all = [words, serviceFacts[service].label, customer, zoneName(zone), stateFacts[state].label]
  return (
    <Link
      to={pageOf(visit)}
      discover="none"
      draggable={false}
      data-block={id}
      title={all.filter(Boolean).join(' · ')}
      className={classNames(
        'block min-h-11 overflow-hidden rounded-lg border-[1.5px] px-2.5 py-2 text-[0.8125rem]/4.5 no-underline select-none lg:inset-y-2',
        isNarrow ? 'lg:px-1' : 'lg:px-1.5',
        placed,
        faded ? 'border-dotted border-edge bg-hover text-mute' : looks[state],
        isMovable(visit) && 'lg:cursor-grab [-webkit-touch-callout:none]',
        moving.id === id && 'lg:opacity-40',
      )}
      style={lanePositionOf(visit, hours)}
      {...(isMovable(visit) && moving.handlers(visit))}
    >
      <span className="block text-ink lg:sr-only">
        {words}
        <span className="sr-only">, {folio}</span>
      </span>
      {isNarrow && (
        <span aria-hidden className="hidden text-center text-xs/4.5 font-semibold text-ink lg:block">
          {minuteHands(start)}
        </span>
      )}
      <span className={classNames('flex min-w-0 items-center gap-1 font-semibold', isNarrow && onlyIcon)}>
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">
          <span className={classNames(end - start < wide && 'lg:sr-only')}>
            {serviceFacts[service].label} ·{' '}
          </span>
          {customer}
        </span>
      </span>
      {zone !== noZone && <span className="block truncate">{zoneName(zone)}</span>}
      <span
        className={classNames(
          'flex min-w-0 items-center gap-1 lg:gap-0.5 lg:text-xs/4.5',
          isNarrow && onlyIcon,
        )}
      >
        <SheetIcon name={state} className="size-3.5 shrink-0 lg:size-3" />
        <span className="truncate">{stateFacts[state].label}</span>
      </span>
    </Link>
  )
}

/** Where a stretch of the day lies in its lane; only a desk's lane reads it. */
export const lanePositionOf = (span: MinuteSpan, hours: MinuteSpan) =>
  ({
    '--from': `${spanPercentOf(Math.max(span.start, hours.start), hours)}%`,
    '--to': `${100 - spanPercentOf(Math.min(span.end, hours.end), hours)}%`,
  }) as CSSProperties

/** The class of an element at `lanePositionOf`. */
const placed = 'lg:absolute lg:right-(--to) lg:left-(--from)'
