import { serviceFacts } from '../../appointments/rules/appointment.ts'
import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import { type BoardQuery, boardLink } from '../../scheduling/screens/board-query.ts'
import { counted, dayNumber, longDate, minuteHands, minuteTime, weekdayShort } from '../../shared/format.ts'
import { cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import type { BoardWeek, WeekChip, WeekMark, WeekRow } from '../board-queries.ts'
import { hoursWords, rowAnchor } from './day-board.tsx'
import { lanePositionOf } from './lane-position.ts'

type WeekBoardProps = { week: BoardWeek; query: BoardQuery }

/** Seven days side by side: of each its figures, and what each person has. A press opens the day, at that person's row. */
export function WeekBoard({ week: { days, rows }, query }: WeekBoardProps) {
  if (rows.length === 0 && days.every(({ visits }) => visits === 0))
    return <EmptyState>Esa semana no se trabaja. Elige otra, u otro servicio o zona.</EmptyState>
  return (
    <>
      <ol className="grid gap-2 lg:hidden">
        {days.map((day) => (
          <li key={day.date}>
            <DayLink
              day={day}
              query={query}
              className={classNames(cardClass, 'grid min-h-14 gap-0.5 px-4 py-3')}
            />
          </li>
        ))}
      </ol>
      <div data-wide className={classNames(cardClass, 'hidden lg:block')}>
        <table style={{ tableLayout: 'fixed' }} className="w-full text-[0.8125rem]">
          <caption className="sr-only">Semana: citas y ocupación de cada persona</caption>
          <thead>
            <tr>
              <th scope="col" className="w-24 px-3 py-2 text-left font-semibold text-mute xl:w-36">
                Persona
                <span className="block text-xs font-normal">
                  {minuteHands(days[0]!.hours.start)} a {minuteHands(days[0]!.hours.end)}
                </span>
              </th>
              {days.map((day) => (
                <th
                  key={day.date}
                  scope="col"
                  className={classNames(
                    'border-l border-line text-left lg:p-0 font-normal',
                    day.isClosed && 'bg-canvas',
                  )}
                >
                  <DayLink
                    day={day}
                    query={query}
                    className="grid min-h-14 content-start p-2 hover:bg-hover"
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <PersonWeek key={row.id} row={row} days={days} query={query} />
            ))}
          </tbody>
        </table>
      </div>
      <Legend />
    </>
  )
}

type DayLinkProps = { day: BoardWeek['days'][number]; query: BoardQuery; className: string }

/** A day of the week, its figures in words, and the way to it. */
function DayLink({ day, query, className }: DayLinkProps) {
  const { date, isClosed, late, nobody, toAssign, visits } = day
  return (
    <Link
      to={boardLink(query, { view: 'day', date })}
      prefetch="intent"
      className={classNames('text-ink no-underline', className)}
    >
      <span className={classNames('font-semibold', date === query.today && 'text-brand')}>
        <span className="sr-only">{longDate(date)}</span>
        <span aria-hidden>
          {weekdayShort(date)} {dayNumber(date)}
        </span>
      </span>
      {/* On a desk the bars say it. */}
      <span className="text-mute lg:sr-only">
        {visits === 0 && isClosed ? 'No se trabaja' : counted(visits, 'cita', 'citas')}
      </span>
      {toAssign > nobody && <span className="text-wait">{toAssign - nobody} por asignar</span>}
      {nobody > 0 && <span className="font-semibold text-bad">{nobody} sin persona</span>}
      {late > 0 && <span className="font-semibold text-bad">{late} tarde</span>}
    </Link>
  )
}

type PersonWeekProps = { row: WeekRow; days: BoardWeek['days']; query: BoardQuery }

const PersonWeek = ({ row: { days: own, id, name }, days, query }: PersonWeekProps) => (
  <tr className="border-t border-line">
    <th scope="row" className={classNames('px-3 py-2 text-left font-semibold', id === null && 'text-bad')}>
      {name}
      {id !== null && (
        <span className="block text-xs font-normal text-mute">
          {hoursWords(sumOf(own, 'used'), sumOf(own, 'total'))}
        </span>
      )}
    </th>
    {own.map((cell, n) => (
      <DayCell key={days[n]!.date} cell={cell} day={days[n]!} person={{ id, name }} query={query} />
    ))}
  </tr>
)

type DayCellProps = {
  cell: WeekRow['days'][number]
  day: BoardWeek['days'][number]
  person: Pick<WeekRow, 'id' | 'name'>
  query: BoardQuery
}

const DayCell = ({ cell: { chips, total }, day, person: { id, name }, query }: DayCellProps) => (
  <td
    className={classNames(
      'h-px border-l border-line align-top lg:p-0',
      total === 0 && id !== null && 'bg-canvas',
    )}
  >
    {total + chips.length > 0 && (
      <Link
        to={boardLink(
          query,
          { view: 'day', date: day.date },
          id === null ? '#por-asignar' : `#${rowAnchor(id)}`,
        )}
        className="group grid h-full min-h-11 content-center gap-0.5 p-1.5 text-ink no-underline hover:bg-hover"
      >
        <span className="sr-only">
          {name}, {longDate(day.date)}: {counted(chips.length, 'cita', 'citas')}
        </span>
        {linesOf(chips).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines differ by their place only
          <span key={at} aria-hidden className="relative h-5 rounded-sm bg-hover">
            {line.map((chip) => (
              <Bar key={`${chip.id} ${chip.mark}`} chip={chip} hours={day.hours} />
            ))}
          </span>
        ))}
        {chips.length > 0 && <Names chips={chips} />}
      </Link>
    )}
  </td>
)

const sumOf = (cells: WeekRow['days'], of: 'used' | 'total') => cells.reduce((sum, cell) => sum + cell[of], 0)

/** On one line as long as they don't overlap; what does stands on the next line. */
function linesOf(chips: readonly WeekChip[]): WeekChip[][] {
  const lines: WeekChip[][] = [[]]
  for (const chip of chips) {
    const line = lines.find((one) => (one.at(-1)?.end ?? 0) <= chip.start)
    if (line) line.push(chip)
    else lines.push([chip])
  }
  return lines
}

const looks: Record<WeekMark, { label: string; look: string }> = {
  active: { label: 'Asignada', look: 'edge-soft bg-info-soft text-info' },
  open: { label: 'Por asignar', look: 'edge-dashed border-wait bg-card text-wait' },
  late: { label: 'Tarde', look: 'edge-soft edge-late bg-bad-soft text-bad' },
  done: { label: 'Realizada', look: 'edge-soft bg-brand-soft text-brand' },
  missed: { label: 'No se presentó', look: 'edge-soft bg-bad-soft text-bad' },
  offer: { label: 'Propuesta', look: 'hatched-off edge-dashed border-edge text-ink' },
}

/** An appointment along the hours of its day: its colour is its state, and the pointer reads the rest. */
const Bar = ({ chip, hours }: { chip: WeekChip; hours: MinuteSpan }) => (
  <span
    title={[
      minuteTime(chip.start),
      serviceFacts[chip.service].label,
      chip.customer,
      looks[chip.mark].label,
    ].join(' · ')}
    className={classNames('placed inset-y-0 rounded-sm border', looks[chip.mark].look)}
    style={lanePositionOf(chip, hours)}
  />
)

/** Who it is about: read aloud, and shown while a keyboard is at the day. */
const Names = ({ chips }: { chips: readonly WeekChip[] }) => (
  <span className="sr-only group-focus-visible:not-sr-only group-focus-visible:grid">
    {chips.map(({ id, mark, service, start, surname }) => (
      <span key={`${id} ${mark}`} className="text-xs wrap-anywhere">
        {minuteHands(start)} {surname}
        <span className="sr-only">
          , {serviceFacts[service].label}, {looks[mark].label}.{' '}
        </span>
      </span>
    ))}
  </span>
)

const Legend = () => (
  <ul
    aria-label="Significado de los colores"
    className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-mute max-lg:hidden"
  >
    {Object.values(looks).map(({ label, look }) => (
      <li key={label} className="flex items-center gap-1.5">
        <span aria-hidden className={classNames('board-swatch rounded-sm', look)} />
        {label}
      </li>
    ))}
  </ul>
)
