import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { dayNumber, longDate, time, weekdayShort } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { Stop } from '../../server/appointments/own-day.ts'
import { WaitingBadge } from '../calls/waiting-badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import type { Own } from './own-loader.ts'
import { StateBadge } from './state-badge.tsx'

/** A week of somebody's: a line for each day, its appointments beside it. */
export function OwnWeek({ own: { days, next, now, previous, today } }: { own: Own }) {
  return (
    <>
      <h2 className="text-lg font-semibold">Semana del {longDate(days[0]!.date)}</h2>
      <ol className={classNames(cardClass, 'divide-y divide-line')}>
        {days.map(({ date, stops }) => (
          <li key={date} className="grid grid-cols-[3.5rem_1fr] gap-3 p-3 sm:p-4">
            <h3 aria-current={date === today ? 'date' : undefined} className="grid content-start text-center">
              <span className="sr-only">{longDate(date)}</span>
              <span aria-hidden className="text-sm text-mute">
                {date === today ? 'hoy' : weekdayShort(date)}
              </span>
              <span
                aria-hidden
                className={classNames('text-xl font-semibold', date === today && 'text-brand')}
              >
                {dayNumber(date)}
              </span>
            </h3>
            {stops.length === 0 ? (
              <p className="self-center text-mute">Sin citas</p>
            ) : (
              <ul className="grid gap-1 lg:grid-cols-2 xl:grid-cols-3">
                {stops.map((stop) => (
                  <Line key={stop.id} stop={stop} now={now} />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      <nav aria-label="Otras semanas" className="grid grid-cols-2 gap-3 sm:flex">
        <LinkButton variant="ghost" to={`?vista=semana&dia=${previous}`} className="pl-3">
          <ChevronLeft aria-hidden className="size-5" />
          <span className="max-sm:sr-only">Semana anterior</span>
          <span aria-hidden className="sm:hidden">
            Anterior
          </span>
        </LinkButton>
        <LinkButton variant="ghost" to={`?vista=semana&dia=${next}`} className="pr-3">
          <span className="max-sm:sr-only">Semana siguiente</span>
          <span aria-hidden className="sm:hidden">
            Siguiente
          </span>
          <ChevronRight aria-hidden className="size-5" />
        </LinkButton>
      </nav>
    </>
  )
}

function Line({ stop, now }: { stop: Stop; now: Date }) {
  const { id, service, state, startsAt, customer, municipality, waitingSince } = stop
  return (
    <li>
      <Link
        to={appointmentPath('pending', { id, service })}
        prefetch="intent"
        className="grid min-h-11 content-center gap-1 rounded-control p-2 text-ink no-underline hover:bg-hover"
      >
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="font-semibold">
            {time(startsAt)} · {customer}
          </span>
          <span className="flex flex-wrap gap-1">
            <StateBadge state={state} service={service} />
            {waitingSince && <WaitingBadge since={waitingSince} now={now} />}
          </span>
        </span>
        <span className="text-sm text-mute">
          {serviceFacts[service].label}
          {municipality && serviceFacts[service].needsTravel ? ` · ${municipalityLabel(municipality)}` : ''}
        </span>
      </Link>
    </li>
  )
}
