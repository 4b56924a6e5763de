import { CalendarDays, Car, ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { isTechnician } from '../../access/rules/actor.ts'
import { redirectWithUndo } from '../../kit/flash.ts'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { useClock } from '../../kit/use-now.ts'
import { addressLine } from '../../projects/rules/address.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { addDays, daysFrom, daysOn, localDate, toMinutes } from '../../shared/calendar.ts'
import {
  arrivalHours,
  counted,
  dayNumber,
  duration,
  longDate,
  time,
  weekdayShort,
} from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { assignChosen, confirmChosen, type Settled } from '../assign-many.ts'
import { ownDays } from '../lists.ts'
import { activeStates, isActive, serviceFacts } from '../rules/appointment.ts'
import { appointmentPath } from '../rules/appointment-path.ts'
import { chosenRowsInput } from '../rules/chosen-rows-schema.ts'
import { hasOwnDay } from '../rules/list.ts'
import { nextStopOf } from '../rules/next-stop.ts'
import { someDate } from '../rules/schema.ts'
import type { Route } from './+types/pending.ts'
import { AppointmentList } from './appointment-list.tsx'
import { OneStep } from './day/one-step.tsx'
import { withSteps } from './day/own-day.ts'
import { asOnPhone, type PhoneSteps, useStepsOnPhone } from './day/phone-steps.ts'
import { StopReach } from './day/stop-reach.tsx'
import { WaitingBadge } from './day/waiting-badge.tsx'
import { isNarrowed, loadList } from './list-loader.ts'
import { StateBadge } from './state-badge.tsx'

export const handle = { announcesUpdates: true }

export const loader = async (asked: Route.LoaderArgs) => {
  const [list, own] = await Promise.all([loadList(asked, 'pending'), loadOwn(asked)])
  return { list, own }
}

export const shouldRevalidate = revalidateOnConflict

export const action = forms(({ context, url }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  const answer = ({ left, moved }: Settled, [one, many]: readonly [string, string]) =>
    left.length > 0
      ? { done: moved.length, left }
      : redirectWithUndo(
          `${url.pathname}${url.search}`,
          counted(moved.length, one, many),
          'Avisamos a clientes y técnicos.',
          moved,
        )
  return {
    'confirm-chosen': form(chosenRowsInput['confirm-chosen'], async ({ rows }) =>
      answer(await confirmChosen(db, actor, rows, now), ['cita asignada', 'citas asignadas']),
    ),
    'assign-chosen': form(chosenRowsInput['assign-chosen'], async (input) =>
      answer(await assignChosen(db, actor, input, now), ['cita asignada', 'citas asignadas']),
    ),
  }
})

export default function Pending({ loaderData: { list, own }, actionData }: Route.ComponentProps) {
  const answer = useLastActionData(actionData)
  const phone = useStepsOnPhone(own?.personId ?? null)
  return (
    <AppointmentList
      {...list}
      rows={asOnPhone(list.rows, phone)}
      settled={answer && 'left' in answer ? answer : undefined}
      above={own && <OwnDay own={own} phone={phone} />}
      folds={own?.hasSteps}
      title="Próximas citas"
      states={activeStates}
      empty="No hay citas por atender."
    />
  )
}

type Asked = { context: LoaderContext; url: URL }

/**
 * Above the list for users who carry appointments out: today, or a week (`?vista=semana`); null for the others. What a
 * technician looks for stands alone.
 */
async function loadOwn({ context, url }: Asked) {
  const { db, actor } = signedIn(context)
  if (!hasOwnDay(actor)) return null
  const now = new Date()
  const minute = toMinutes(now)
  const hasSteps = isTechnician(actor)
  const isListed = hasSteps && isNarrowed(url, 'pending', actor, now)
  const days = url.searchParams.get('vista') === 'semana' ? weekOf(url, minute) : daysFrom(minute, 1)
  const { settings } = await currentStaffing(db)
  const stops = isListed ? [] : await ownDays(db, actor, days[0]!, days.at(-1)!)
  return {
    personId: actor.id,
    now,
    today: localDate(minute),
    hasSteps,
    isListed,
    isWeek: days.length > 1,
    window: settings.arrivalWindowMinutes,
    days: days.map(({ date }) => {
      const all = stops.filter((stop) => stop.date === date)
      const left = all.filter(({ state }) => isActive(state))
      return { date, stops: left.map((stop) => withSteps(stop, now)), ended: all.length - left.length }
    }),
    previous: addDays(days[0]!.date, -7),
    next: addDays(days[0]!.date, 7),
  }
}

type Own = NonNullable<Awaited<ReturnType<typeof loadOwn>>>

/** The seven days from `?dia=` on, or from today on. */
const weekOf = (url: URL, now: number) =>
  daysOn(someDate.safeParse(url.searchParams.get('dia')).data ?? localDate(now), 7)

type OwnProps = { own: Own; phone: PhoneSteps }

/** What the user carries out, above the list: today in its order, or the week. */
function OwnDay({ own, phone }: OwnProps) {
  if (own.isListed) return <Views shown={null} />
  const name = own.isWeek ? 'Tu semana' : 'Tu día'
  return (
    <section aria-label={name} className="grid gap-4">
      <Views shown={name} />
      {own.isWeek ? <OwnWeek own={own} phone={phone} /> : <Today own={own} phone={phone} />}
      {!own.hasSteps && <h2 className="mt-2 text-lg font-semibold">Todas</h2>}
    </section>
  )
}

const views = [
  { label: 'Tu día', to: '?' },
  { label: 'Tu semana', to: '?vista=semana' },
]

function Views({ shown }: { shown: string | null }) {
  return (
    <nav aria-label="Tus citas" className="flex gap-2">
      {views.map(({ label, to }) => (
        <Link
          key={to}
          to={to}
          prefetch="intent"
          aria-current={label === shown ? 'page' : undefined}
          className={classNames(
            'flex min-h-11 items-center rounded-full border px-4 font-medium no-underline',
            label === shown
              ? 'border-transparent bg-brand text-on-brand'
              : 'border-line bg-card text-ink hover:bg-hover',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Its stops in order; the next one with its one step, as at home. */
function Today({ own: { days, hasSteps, now: readAt, window }, phone }: OwnProps) {
  const now = useClock(readAt)
  const { date, stops: planned } = days[0]!
  const stops = asOnPhone(planned, phone)
  const over = new Set(stops.flatMap(({ id }) => (phone[id]?.end ? [id] : [])))
  const next = hasSteps ? nextStopOf(stops, over) : null
  return (
    <>
      <h2 className="text-lg font-semibold first-letter:uppercase">{longDate(date)}</h2>
      {stops.length === 0 ? (
        <EmptyState icon={CalendarDays}>
          No te queda ninguna cita hoy. Mira tu semana para ver lo que sigue.
        </EmptyState>
      ) : (
        <ol className="grid gap-2 lg:max-w-3xl">
          {stops.map((stop) => (
            <li key={stop.id} className="grid gap-2">
              {stop.travel > 0 && <Road minutes={stop.travel} />}
              <StopCard stop={stop} window={window} now={now}>
                {stop === next && <OneStep stop={{ ...stop, steps: phone[stop.id] }} now={now} from="day" />}
              </StopCard>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

function Road({ minutes }: { minutes: number }) {
  return (
    <p className="flex items-center gap-2 pl-4 text-[0.9375rem] text-mute">
      <Car aria-hidden className="size-4" />
      {duration(minutes)} de camino
    </p>
  )
}

type ShownStop = Own['days'][number]['stops'][number] & { isUnsent?: boolean }
type StopCardProps = { stop: ShownStop; window: number; now: Date; children: ReactNode }

function StopCard({ stop, window, now, children }: StopCardProps) {
  const { folio, isUnsent, service, state, startsAt, minutes, customer, address, waitingSince } = stop
  return (
    <article
      data-customer={customer}
      data-folio={folio}
      data-starts-at={startsAt.toISOString()}
      className={classNames(cardClass, 'grid gap-3 p-4')}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-semibold">
          <Link
            to={appointmentPath('pending', stop)}
            prefetch="intent"
            className="flex min-h-11 flex-wrap items-center gap-x-2 lg:min-h-0"
          >
            <span className="text-xl">{time(startsAt)}</span>
            <span>{customer}</span>
          </Link>
        </h3>
        <div className="flex flex-wrap gap-1">
          <StateBadge state={state} service={service} isUnsent={isUnsent} />
          {waitingSince && <WaitingBadge since={waitingSince} now={now} />}
        </div>
      </div>
      <div className="grid gap-0.5 text-[0.9375rem]">
        <p>
          {serviceFacts[service].label} <span className="whitespace-nowrap">{folio}</span> ·{' '}
          {duration(minutes)}
        </p>
        {serviceFacts[service].needsTravel && (
          <p className="text-mute">Al cliente le dijimos: {arrivalHours(startsAt, window)}</p>
        )}
        {address && <p className="wrap-anywhere">{addressLine(address)}</p>}
      </div>
      {children}
      <StopReach stop={stop} />
    </article>
  )
}

/** The user's week: a line for each day, its appointments beside it. */
function OwnWeek({ own: { days, next, now, previous, today }, phone }: OwnProps) {
  return (
    <>
      <h2 className="text-lg font-semibold">
        {days[0]!.date === today ? 'Tus próximos 7 días' : `Semana del ${longDate(days[0]!.date)}`}
      </h2>
      <ol className={classNames(cardClass, 'divide-y divide-line')}>
        {days.map(({ date, ended, stops }) => (
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
              <p className="self-center text-mute">
                {ended > 0 ? counted(ended, 'cita terminada', 'citas terminadas') : 'Sin citas'}
              </p>
            ) : (
              <ul className="grid gap-1 lg:grid-cols-2 xl:grid-cols-3">
                {asOnPhone(stops, phone).map((stop) => (
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

function Line({ stop, now }: { stop: ShownStop; now: Date }) {
  const { id, isUnsent, service, state, startsAt, customer, municipality, waitingSince } = stop
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
            <StateBadge state={state} service={service} isUnsent={isUnsent} />
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
