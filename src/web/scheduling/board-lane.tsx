import type { BoardDay, BoardVisit, Lane } from '../../domain/scheduling/board.ts'
import type { Span } from '../../domain/scheduling/roster.ts'
import { isHoliday } from '../../domain/shared/calendar.ts'
import { duration, minuteTime } from '../../domain/shared/format.ts'
import { classNames } from '../ui/class-names.ts'
import { BoardBlock } from './board-block.tsx'
import { placed, placeOf } from './place.ts'
import type { Moving } from './use-moving.ts'

export type LaneProps = {
  lane: Lane
  /** Whose it is; null for what has nobody. */
  personId: string | null
  hours: Span
  board: BoardDay
  /** Appointments that the filter leaves aside; they are drawn all the same, for they take the person's time. */
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
          <div key={span.start} className={`inset-y-0 bg-card ${placed}`} style={placeOf(span, hours)} />
        ))}
        <Lines hours={hours} />
        {off.map((span) => (
          <div
            key={span.start}
            className={classNames('hatched-off inset-y-0 grid place-items-center', placed)}
            style={placeOf(span, hours)}
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
            <BoardBlock {...{ visit, hours, moving }} faded={faded.includes(visit.id)} />
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
const Lines = ({ hours }: { hours: Span }) =>
  Array.from({ length: (hours.end - hours.start) / 60 - 1 }, (_, n) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: hours are told apart by their place only
      key={n}
      className="absolute inset-y-0 left-(--from) border-l border-line"
      style={placeOf({ start: hours.start + (n + 1) * 60, end: hours.end }, hours)}
    />
  ))

const offInWords = (off: readonly Span[], { day }: BoardDay) =>
  off.some(({ end, start }) => start <= day.start && end >= day.end)
    ? 'No trabaja este día: tiene permiso.'
    : off.map(({ start, end }) => `Ausente de ${minuteTime(start)} a ${minuteTime(end)}`).join(' ')

/** The ride that follows an appointment: hatched, with its minutes. */
function Way({ lane, visit, hours }: { lane: Lane; visit: BoardVisit; hours: Span }) {
  const gap = lane.gaps.find(({ after }) => after === visit.id)
  if (!gap) return null
  return (
    <div
      className={classNames(
        'flex min-w-0 items-center text-[0.8125rem] max-lg:pl-3 lg:inset-y-0 lg:justify-center lg:overflow-hidden',
        gap.short ? 'text-bad' : 'text-mute',
        placed,
      )}
      style={placeOf(gap, hours)}
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

/** Where the block that is being dragged would stand. */
function Landing({ moving: { over }, hours }: { moving: Moving; hours: Span }) {
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
      style={placeOf(over, hours)}
    />
  )
}

function NowLine({ board: { now }, hours }: { board: BoardDay; hours: Span }) {
  if (now < hours.start || now >= hours.end) return null
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 left-(--from) hidden w-0.5 bg-bad lg:block"
      style={placeOf({ start: now, end: hours.end }, hours)}
    />
  )
}
