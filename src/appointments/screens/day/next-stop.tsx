import { Car } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useClock } from '../../../kit/use-now.ts'
import type { Day } from '../../../offline/fetch-ahead.ts'
import { addressLine } from '../../../projects/rules/address.ts'
import { arrivalHours, dateTime, duration, time } from '../../../shared/format.ts'
import { municipalityLabel } from '../../../shared/places.ts'
import { cardClass } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import { PageTitle } from '../../../ui/page-header.tsx'
import { serviceFacts } from '../../rules/appointment.ts'
import { appointmentPath } from '../../rules/appointment-path.ts'
import { atWorkWords, nextStopOf, stopWhen, wayWords } from '../../rules/next-stop.ts'
import { asksIfLate } from '../../rules/running-late.ts'
import { StateBadge } from '../state-badge.tsx'
import { LateForm } from './late-form.tsx'
import { OneStep } from './one-step.tsx'
import type { OwnDay } from './own-day.ts'
import { asOnPhone, type PhoneSteps, stepsIn, unreadMoves, useMovesOnPhone } from './phone-steps.ts'
import { StopReach } from './stop-reach.tsx'

type Shown = OwnDay['stops'][number] & { steps: PhoneSteps[string] | undefined; isUnsent?: boolean }

/** The home of who carries appointments out: the next stop with its one step, and under it the rest of that day. */
export function NextStop({ day, name }: { day: OwnDay; name: string }) {
  const moves = useMovesOnPhone(day.personId)
  const phone = stepsIn(moves)
  const now = useClock(day.now)
  const stops = asOnPhone(day.stops, phone).map((stop): Shown => ({ ...stop, steps: phone[stop.id] }))
  const over = new Set(stops.flatMap(({ id, steps }) => (steps?.end ? [id] : [])))
  const next = nextStopOf(stops, over)
  const rest = stops.filter(({ id }) => id !== next?.id && !over.has(id))
  const ended = stops.filter(({ id }) => over.has(id))
  const kept = useKeptDay()
  // The pictures that come last are those for installers.
  const isKept = ({ id, service }: Shown) =>
    kept?.stops.includes(id) === true && (kept.isWhole || service !== 'installation')
  return (
    <>
      {next ? (
        <Stop stop={next} day={day} now={now} isRead={moves !== unreadMoves} isKept={isKept(next)} />
      ) : (
        <NoStop name={name} />
      )}
      {rest.length > 0 && <Lines title="Después" stops={rest} isKept={isKept} />}
      {ended.length > 0 && <Lines title="Terminadas" stops={ended} isKept={isKept} />}
      {kept && <p className="text-mute">{kept.words}</p>}
    </>
  )
}

const keptWords = 'en el teléfono'

const NoStop = ({ name }: { name: string }) => (
  <header className="grid gap-1">
    <PageTitle>Inicio</PageTitle>
    <h1 className="text-2xl/tight font-semibold tracking-tight">Hola, {name}</h1>
    <p className="text-mute">No te queda ninguna cita. Aquí verás la próxima en cuanto te la asignen.</p>
  </header>
)

type StopProps = { stop: Shown; day: OwnDay; now: Date; isRead: boolean; isKept: boolean }

function Stop({ stop, day: { personId, window }, now, isRead, isKept }: StopProps) {
  const { address, customer, folio, isUnsent, minutes, municipality, notes, service, startsAt, state } = stop
  const way = wayWords(stop, now)
  const atWork = atWorkWords({ state, startedAt: startOf(stop) }, now)
  const place = address ? addressLine(address) : municipality && municipalityLabel(municipality)
  return (
    <article
      data-customer={customer}
      data-folio={folio}
      data-starts-at={startsAt.toISOString()}
      className={`${cardClass} grid gap-4 p-4 sm:p-5 lg:max-w-3xl`}
    >
      <PageTitle>{customer}</PageTitle>
      <header className="grid gap-1">
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-mute">
          Lo que sigue
          <StateBadge state={state} service={service} isUnsent={isUnsent} />
        </p>
        <h1 className="text-2xl/tight font-semibold tracking-tight wrap-anywhere">{customer}</h1>
        {place && <p className="wrap-anywhere">{place}</p>}
      </header>
      <div className="grid gap-1">
        <p className="text-xl font-semibold first-letter:uppercase">{stopWhen(stop, now)}</p>
        {atWork && <p className="font-semibold first-letter:uppercase">{atWork}</p>}
        {way && (
          <p
            className={classNames(
              'flex items-center gap-2 font-semibold',
              !isRead && 'invisible noscript:visible',
            )}
          >
            <Car aria-hidden className="size-5 shrink-0 text-mute" />
            {way}
          </p>
        )}
        {serviceFacts[service].needsTravel && (
          <p className="text-mute">Al cliente le dijimos: {arrivalHours(startsAt, window)}</p>
        )}
      </div>
      <OneStep stop={stop} now={now} from="home" />
      <StopReach stop={stop} />
      {asksIfLate(stop, now) && <LateForm stop={stop} now={now} from="home" personId={personId} />}
      <p className="wrap-anywhere">
        <Link
          to={appointmentPath('pending', stop)}
          prefetch="intent"
          className="-my-3 inline-flex min-h-11 items-center font-semibold"
        >
          {serviceFacts[service].label}
        </Link>{' '}
        <span className="whitespace-nowrap text-mute">{folio}</span>{' '}
        <span className="text-mute">
          · {duration(minutes)}
          {isKept && ` · ${keptWords}`}
        </span>
        {notes && <span className="block whitespace-pre-line">«{notes}»</span>}
      </p>
    </article>
  )
}

/** When the work began: as the server knows, else as the phone does. */
function startOf({ startedAt, steps }: Shown): Date | null {
  const begun = steps?.moves.find(({ move }) => move === 'start')
  return startedAt ?? (begun ? new Date(begun.at) : null)
}

type LinesProps = { title: string; stops: readonly Shown[]; isKept: (stop: Shown) => boolean }

/** What else is on that day: a line each, and what the phone did of it. */
const Lines = ({ title, stops, isKept }: LinesProps) => (
  <section aria-labelledby={title} className="grid gap-2 lg:max-w-3xl">
    <h2 id={title} className="text-lg font-semibold">
      {title}
    </h2>
    <ol className={`${cardClass} divide-y divide-line`}>
      {stops.map((stop) => (
        <li key={stop.id}>
          <Link
            to={appointmentPath('pending', stop)}
            prefetch="intent"
            className="flex min-h-14 items-center gap-3 px-4 py-2.5 text-ink no-underline hover:bg-hover"
          >
            <span className="grid min-w-0 flex-1 wrap-anywhere">
              <span className="font-semibold">
                {time(stop.startsAt)} · {stop.customer}
              </span>
              <span className="text-mute">
                {[
                  serviceFacts[stop.service].label,
                  stop.municipality && municipalityLabel(stop.municipality),
                  stop.travel > 0 && `${duration(stop.travel)} de camino`,
                  isKept(stop) && keptWords,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {stop.isUnsent && (
                <span className="mt-1">
                  <StateBadge state={stop.state} service={stop.service} isUnsent />
                </span>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  </section>
)

type KeptDay = {
  words: string
  isWhole: boolean
  /** Ids of the appointments whose pages are here. */
  stops: string[]
}

/** At home: how much of the day this phone has, looked at until it has all of it. */
function useKeptDay() {
  const [kept, setKept] = useState<KeptDay | null>(null)
  useEffect(() => {
    let left = mostLooks
    const look = async () => {
      const now = await keptDay()
      setKept(now)
      if (now?.isWhole || left-- === 0) clearInterval(timer)
    }
    const timer = setInterval(() => void look().catch(() => undefined), 1_000)
    return () => clearInterval(timer)
  }, [])
  return kept
}

/** Seconds after which what did not come is left to the next opening. */
const mostLooks = 300

/** How much of the day this phone has; null where nothing keeps it, or a worker of an older version does. */
export async function keptDay(): Promise<KeptDay | null> {
  const { serviceWorker } = navigator
  if (!(await serviceWorker?.getRegistration())) return null
  const list = await caches.match('/onsite/day')
  if (!list && serviceWorker.controller) return null
  const { pages, pictures }: Day = list ? await list.json() : { pages: [], pictures: [] }
  const paths = [...pages, ...pictures]
  const there = await Promise.all(paths.map((path) => caches.match(path)))
  const missing = paths.filter((_, at) => !there[at])
  const ids = new Set(pages.flatMap((path) => /\/([^/?]{36})/.exec(path)?.[1] ?? []))
  const stops = [...ids].filter((id) => !missing.some((path) => path.includes(id)))
  const isWhole = list !== undefined && missing.length === 0
  const count = list ? `: ${paths.length - missing.length} de ${paths.length}` : ''
  const words = isWhole
    ? `Tu día está en el teléfono · ${dateTime(new Date(list.headers.get('date') ?? 0))}`
    : `Descargando tu día${count}. No te vayas todavía.`
  return { words, isWhole, stops }
}
