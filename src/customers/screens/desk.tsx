import { Video } from 'lucide-react'
import type { DayLoad } from '../../appointments/list-filter.ts'
import { interestLabel, type Service, serviceFacts, services } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { useWaitingTime } from '../../appointments/screens/day/waiting-badge.tsx'
import type { WaitingCall } from '../../calls/queries.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import { counted, dayNumber, longDate, monthShort, weekdayShort } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import type { Blocks } from './staff-loader.ts'

type ReturnedSheetsProps = { rows: Blocks['returned'] }

/** The sheets returned to a technician, after the next stop. Nothing while there are none. */
export function ReturnedSheets({ rows }: ReturnedSheetsProps) {
  if (!rows || rows.length === 0) return null
  return (
    <Card title="Reportes por corregir" className="border-wait lg:max-w-3xl">
      <ul className="grid gap-4">
        {rows.map(({ id, to, title, since, folio, note }) => (
          <li
            key={id}
            className="grid gap-0.5 wrap-anywhere not-first:border-t not-first:border-line not-first:pt-4"
          >
            <p className="flex flex-wrap items-baseline justify-between gap-x-6">
              <Link to={to} prefetch="intent" className="-my-3 py-3 font-semibold">
                {title}
              </Link>
              <span className="text-sm text-mute">{since}</span>
            </p>
            <p className="text-[0.9375rem] text-mute">{folio}</p>
            {note && <p className="text-[0.9375rem]">{note}</p>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type WaitingCallsProps = { calls: readonly WaitingCall[] | null; now: Date }

/** The customers in the room of their call without an analyst, before everything else. Nothing while none waits. */
export function WaitingCalls({ calls, now }: WaitingCallsProps) {
  if (!calls || calls.length === 0) return null
  return (
    <Card title="Clientes en la sala" className="border-wait">
      <ul className="grid gap-4">
        {calls.map((call) => (
          <li
            key={call.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 not-first:border-t not-first:border-line not-first:pt-4"
          >
            <Who call={call} now={now} />
            <WayIn call={call} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Who = ({ call, now }: { call: WaitingCall; now: Date }) => (
  <div className="grid min-w-0 gap-0.5 wrap-anywhere">
    <p className="font-semibold">
      {call.customer}{' '}
      <Link to={appointmentPath('pending', call)} prefetch="intent" className="font-normal whitespace-nowrap">
        {call.folio}
      </Link>
    </p>
    <p className="text-[0.9375rem] text-wait">Espera desde hace {useWaitingTime(call.since, now)}</p>
    <p className="text-[0.9375rem] text-mute">
      {[
        interestLabel(call.interest),
        call.isMine ? 'Es tuya' : `La atiende ${call.assignee ?? 'nadie todavía'}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  </div>
)

/** Its own analyst enters; from three minutes on any free analyst may take it, and a manager may reassign it. */
function WayIn({ call }: { call: WaitingCall }) {
  const path = appointmentPath('pending', call)
  if (call.isMine)
    return (
      <LinkButton to={`${path}?llamada`} prefetch="none" className="max-sm:w-full">
        <Video aria-hidden className="size-5" />
        Entrar
      </LinkButton>
    )
  if (call.mayTake)
    return (
      <Form intent="takeOver" by="move" action={path} className="max-sm:w-full">
        <input type="hidden" name="version" value={call.version} />
        <Submit>Tomar la llamada</Submit>
      </Form>
    )
  return call.mayGive ? (
    <LinkButton to={path} variant="ghost" className="max-sm:w-full">
      Dársela a alguien
    </LinkButton>
  ) : null
}

const colours: Record<Service, string> = {
  technical_visit: 'bg-brand',
  installation: 'bg-info',
  videocall: 'bg-wait',
}

/**
 * The load of the days ahead: a bar for each, horizontal on a phone and vertical on a desk, which links to that
 * day's list and says its figures in words. Our own boxes, since a library of charts would weigh more than the rest
 * of the page.
 */
export function DaysAhead({ days }: { days: readonly DayLoad[] }) {
  const most = Math.max(1, ...days.map(({ total }) => total))
  return (
    <Card title={`Carga de los próximos ${days.length} días`} aside={<Legend />}>
      <ol className="grid lg:h-40 lg:grid-flow-col lg:auto-cols-fr lg:gap-1">
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
