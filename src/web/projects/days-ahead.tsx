import { Link } from 'react-router'
import { type Service, serviceFacts, services } from '../../domain/appointments/appointment.ts'
import { counted, dayNumber, longDate, monthShort, weekdayShort } from '../../domain/shared/format.ts'
import type { DayLoad } from '../../server/appointments/list-filter.ts'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'

const colours: Record<Service, string> = {
  technical_visit: 'bg-brand',
  installation: 'bg-info',
  videocall: 'bg-wait',
}

/**
 * What the days ahead hold: a bar for each, lying on a phone and standing on a desk, which leads to that day's list and
 * says its figures in words. Our own boxes, since a library of charts would weigh more than the rest of the page.
 */
export function DaysAhead({ days }: { days: readonly DayLoad[] }) {
  const most = Math.max(1, ...days.map(({ total }) => total))
  return (
    <Card title={`Carga de los próximos ${days.length} días`} aside={<Legend />}>
      <ol className="grid lg:h-56 lg:grid-flow-col lg:auto-cols-fr lg:gap-1">
        {days.map((day) => (
          <li key={day.date} className="grid">
            <Day day={day} most={most} />
          </li>
        ))}
      </ol>
    </Card>
  )
}

const Legend = () => (
  <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-mute">
    {services.map((service) => (
      <li key={service} className="flex items-center gap-1.5">
        <span className={classNames('size-2.5 rounded-full', colours[service])} />
        {serviceFacts[service].label}
      </li>
    ))}
  </ul>
)

function Day({ day, most }: { day: DayLoad; most: number }) {
  const { date, total } = day
  return (
    <Link
      to={`/admin/appointments-pending?day=${date}`}
      className="flex min-h-11 items-center gap-3 rounded-control px-2 text-ink no-underline hover:bg-hover lg:flex-col-reverse lg:gap-1.5 lg:px-0 lg:py-2"
    >
      <span className="sr-only">{inWords(day)}</span>
      <span aria-hidden className="w-18 shrink-0 text-sm text-mute lg:w-auto lg:text-center">
        {weekdayShort(date)} {dayNumber(date)}
        {dayNumber(date) === '1' && ` ${monthShort(date)}`}
      </span>
      <span
        aria-hidden
        className="flex min-w-0 flex-1 items-center gap-2 lg:w-full lg:flex-col-reverse lg:gap-1"
      >
        <Bar day={day} most={most} />
        <span className="text-sm font-semibold tabular-nums">{total || ''}</span>
      </span>
    </Link>
  )
}

const Bar = ({ day: { services: held, total }, most }: { day: DayLoad; most: number }) => (
  <span
    className="flex h-4 w-[calc((100%-2.5rem)*var(--share))] overflow-hidden rounded-sm lg:h-[calc((100%-1.5rem)*var(--share))] lg:w-8 lg:flex-col-reverse"
    style={{ '--share': total / most } as React.CSSProperties}
  >
    {services.map((service) => (
      <span key={service} className={colours[service]} style={{ flexGrow: held[service] ?? 0 }} />
    ))}
  </span>
)

/** "martes 24 de noviembre de 2026: 12 citas; Visita técnica 8, Asesoría virtual 4". */
function inWords({ date, total, services: held }: DayLoad): string {
  const parts = services.flatMap((service) =>
    held[service] ? [`${serviceFacts[service].label} ${held[service]}`] : [],
  )
  const sum = counted(total, 'cita', 'citas')
  return `${longDate(date)}: ${[sum, parts.join(', ')].filter(Boolean).join('; ')}`
}
