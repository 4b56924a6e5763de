import { counted, dayNumber, longDate, weekdayShort } from '../../domain/shared/format.ts'
import type { BoardWeek, WeekRow } from '../../server/scheduling/board-queries.ts'
import { cardClass, EmptyState } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { Link } from '../ui/link.tsx'
import { type BoardQuery, boardLink } from './board-query.ts'
import { hoursWords } from './day-board.tsx'

type WeekBoardProps = { week: BoardWeek; query: BoardQuery }

/** Seven days side by side: of each its figures, and how much of each person's day is taken. A press opens the day. */
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
      <div className={classNames(cardClass, 'hidden lg:block')}>
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
              <PersonWeek key={row.id} row={row} days={days} />
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

const PersonWeek = ({ row: { days: own, name }, days }: { row: WeekRow; days: BoardWeek['days'] }) => (
  <tr className="border-t border-line">
    <th scope="row" className="h-14 px-3 text-left font-semibold">
      {name}
    </th>
    {own.map(({ total, used, visits }, n) => (
      <td
        key={days[n]!.date}
        className={classNames('border-l border-line px-2', total === 0 && 'bg-canvas text-mute')}
      >
        {total + visits > 0 && (
          <>
            <span className="flex flex-wrap justify-between gap-x-2">
              <span>{counted(visits, 'cita', 'citas')}</span>
              <span className="text-mute">{hoursWords(used, total)}</span>
            </span>
            <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-line">
              <span
                className={classNames('block h-full', used > total ? 'bg-bad' : 'bg-brand')}
                style={{ width: `${total === 0 ? 100 : Math.min(100, (used / total) * 100)}%` }}
              />
            </span>
          </>
        )}
      </td>
    ))}
  </tr>
)
