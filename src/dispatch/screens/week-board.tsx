import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { type BoardQuery, boardLink } from '../../scheduling/screens/board-query.ts'
import { serviceLooks } from '../../scheduling/screens/service-look.tsx'
import { counted, dayNumber, longDate, minuteHands, minuteTime, weekdayShort } from '../../shared/format.ts'
import { cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import type { BoardWeek, WeekChip, WeekRow } from '../board-queries.ts'
import { hoursWords, rowAnchor } from './day-board.tsx'

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
              <th scope="col" style={{ width: '9rem' }} className="p-3 text-left font-semibold text-mute">
                Persona
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
                    className="grid min-h-24 content-start gap-0.5 p-2 hover:bg-hover"
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
      <span className="text-mute">
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
    <th
      scope="row"
      className={classNames('p-3 text-left align-top font-semibold', id === null && 'text-bad')}
    >
      {name}
    </th>
    {own.map((cell, n) => (
      <td
        key={days[n]!.date}
        className={classNames(
          'h-px border-l border-line align-top lg:p-0',
          cell.total === 0 && id !== null && 'bg-canvas',
        )}
      >
        {cell.total + cell.chips.length > 0 && (
          <Link
            to={boardLink(
              query,
              { view: 'day', date: days[n]!.date },
              id === null ? '#por-asignar' : `#${rowAnchor(id)}`,
            )}
            className="grid h-full min-h-14 content-start gap-1 p-1.5 text-ink no-underline hover:bg-hover"
          >
            <CellWords cell={cell} words={`${name}, ${longDate(days[n]!.date)}: `} />
          </Link>
        )}
      </td>
    ))}
  </tr>
)

/** How much of a day is taken, and what is on it. */
const CellWords = ({ cell, words }: { cell: WeekRow['days'][number]; words: string }) => (
  <>
    <span className="sr-only">
      {words}
      {counted(cell.visits, 'cita', 'citas')}
    </span>
    {cell.total > 0 && (
      <span className="flex items-center gap-1.5 text-xs text-mute">
        <span aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-track">
          <span
            className={classNames('block h-full', cell.used > cell.total ? 'bg-bad' : 'bg-brand')}
            style={{ width: `${Math.min(100, (cell.used / cell.total) * 100)}%` }}
          />
        </span>
        <span className="whitespace-nowrap">{hoursWords(cell.used, cell.total)}</span>
      </span>
    )}
    {cell.chips.map((chip) => (
      <Chip key={`${chip.id} ${chip.mark}`} chip={chip} />
    ))}
    {cell.more > 0 && <span className="px-1 text-xs font-semibold text-mute">+{cell.more}</span>}
  </>
)

/** The hour and the first name, in the colour of the service; what is late, not confirmed or only proposed looks as on the day. */
function Chip({ chip: { customer, mark, service, start } }: { chip: WeekChip }) {
  const { ink, surface } = serviceLooks[service]
  const said = mark === 'late' ? 'tarde' : mark === 'open' ? 'por asignar' : mark === 'offer' && 'propuesta'
  return (
    <span
      title={[minuteTime(start), serviceFacts[service].label, customer, said].filter(Boolean).join(' · ')}
      className={classNames(
        'truncate rounded-sm border px-1 text-xs',
        mark === 'late'
          ? 'edge-soft edge-late bg-bad-soft text-bad'
          : mark === 'open'
            ? 'edge-dashed border-wait bg-card text-wait'
            : mark === 'offer'
              ? 'hatched-off edge-dashed border-edge text-ink'
              : `${ink} ${surface}`,
      )}
    >
      {minuteHands(start)} <b className="font-semibold">{customer.split(' ')[0]}</b>
      <span className="sr-only">
        , {serviceFacts[service].label}
        {said && `, ${said}`}
      </span>
    </span>
  )
}
