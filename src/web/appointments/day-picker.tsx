import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigation, useSearchParams } from 'react-router'
import { interests, type Service } from '../../domain/appointments/appointment.ts'
import {
  arrivalWindow,
  atTime,
  counted,
  dateTime,
  dayNumber,
  isMorning,
  longDate,
  monthAndYear,
  shortDate,
  timeHands,
  weekdayColumn,
  weekdayShort,
} from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { FieldNotes, useField } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'

/** `ruled`: it may have hours that can be chosen against a rule, with a reason; only the office has such days. */
type Day = { date: string; free: number; ruled?: boolean }
type LinkTo = (date: string) => string
type DayPickerProps = { days: readonly Day[]; chosen: string; linkTo?: LinkTo }

const dayLink: LinkTo = (date) => `?dia=${date}`

const monthOf = (date: string) => date.slice(0, 7)
const columnStart = [
  '',
  'lg:col-start-1',
  'lg:col-start-2',
  'lg:col-start-3',
  'lg:col-start-4',
  'lg:col-start-5',
  'lg:col-start-6',
  'lg:col-start-7',
]

/** One month of days, as links: a strip on a phone, a calendar on a desk. Days without an hour to choose can't be opened. */
export function DayPicker({ days, chosen: shown, linkTo = dayLink }: DayPickerProps) {
  const asked = useDayAsked()
  // The pressed day is marked at once, however long its hours take to load.
  const chosen = days.some(({ date }) => date === asked) ? asked! : shown
  const strip = useRef<HTMLOListElement>(null)
  // A strip shows a week of the month: the chosen day belongs in it.
  useEffect(() => {
    strip.current
      ?.querySelector(`[data-date="${chosen}"]`)
      ?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [chosen])
  const month = monthOf(chosen)
  const shownDays = days.filter(({ date }) => monthOf(date) === month)
  const earlier = days.filter(({ date }) => monthOf(date) < month)
  const later = days.filter(({ date }) => monthOf(date) > month)
  const before = earlier.findLast(isFree) ?? earlier.findLast(isOpen)
  const after = later.find(isFree) ?? later.find(isOpen)
  return (
    <section aria-label="Día" className="grid gap-2">
      <div className="flex min-h-11 items-center justify-between">
        <h2 className="font-semibold">{monthAndYear(chosen)}</h2>
        <div className="flex gap-1">
          <MonthLink
            linkTo={linkTo}
            day={before}
            label="Mes anterior"
            icon={<ChevronLeft aria-hidden className="size-5" />}
          />
          <MonthLink
            linkTo={linkTo}
            day={after}
            label="Mes siguiente"
            icon={<ChevronRight aria-hidden className="size-5" />}
          />
        </div>
      </div>
      <ol
        ref={strip}
        className="relative -mx-4 flex gap-1.5 overflow-x-auto px-4 py-1 lg:mx-0 lg:grid lg:grid-cols-7 lg:overflow-visible lg:px-0"
      >
        {shownDays.map((day, index) => (
          <li
            key={day.date}
            data-date={day.date}
            className={classNames('shrink-0', index === 0 && columnStart[weekdayColumn(day.date) + 1])}
          >
            <DayCell day={day} isChosen={day.date === chosen} linkTo={linkTo} />
          </li>
        ))}
      </ol>
      {shownDays.some((day) => isOpen(day) && !isFree(day)) && (
        <p className="text-sm text-mute">Con borde punteado: sin horas libres; se elige con un motivo.</p>
      )}
    </section>
  )
}

const isFree = ({ free }: Day) => free > 0
const isOpen = ({ free, ruled }: Day) => free > 0 || ruled === true

const cell =
  'grid min-h-14 w-14 place-content-center rounded-control border text-center text-[0.8125rem]/4 no-underline lg:w-full'

type DayCellProps = { day: Day; isChosen: boolean; linkTo: LinkTo }

function DayCell({ day, isChosen, linkTo }: DayCellProps) {
  const { date, free } = day
  const words = (
    <>
      <span>{weekdayShort(date)}</span>
      <b className="text-lg/6 font-semibold">{dayNumber(date)}</b>
    </>
  )
  if (!isOpen(day))
    return (
      <span className={classNames(cell, 'border-transparent text-mute')}>
        {words}
        <span className="sr-only">, {longDate(date)}, sin horarios</span>
      </span>
    )
  return (
    <Link
      to={linkTo(date)}
      preventScrollReset
      replace
      prefetch="none"
      aria-current={isChosen ? 'date' : undefined}
      aria-label={`${longDate(date)}, ${isFree(day) ? counted(free, 'horario libre', 'horarios libres') : 'sin horas libres, con un motivo'}`}
      className={classNames(cell, isChosen ? 'border-brand bg-brand text-on-brand' : dayLook(day))}
    >
      {words}
    </Link>
  )
}

const dayLook = (day: Day) =>
  isFree(day)
    ? 'border-line bg-card text-ink hover:bg-hover'
    : 'border-dashed border-line text-mute hover:bg-hover hover:text-ink'

type MonthLinkProps = { day: Day | undefined; label: string; icon: React.ReactNode; linkTo: LinkTo }

function MonthLink({ day, label, icon, linkTo }: MonthLinkProps) {
  if (!day) return null
  return (
    <Link
      to={linkTo(day.date)}
      preventScrollReset
      replace
      aria-label={label}
      className="grid size-11 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink"
    >
      {icon}
    </Link>
  )
}

/** The look of a start to choose. */
export const slotClass =
  'relative grid min-h-12 place-items-center rounded-control border border-line bg-card text-[0.9375rem] hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft has-checked:font-semibold has-checked:text-brand has-checked:outline-2 has-checked:-outline-offset-1 has-checked:outline-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2'

type SlotPickerProps = { starts: readonly string[]; chosen: string | null; onChoose: (start: string) => void }

/** The free starts of a day as radio buttons, morning and afternoon apart. */
export function SlotPicker({ starts, chosen, onChoose }: SlotPickerProps) {
  const { described, error, id } = useField({ name: 'startsAt' })
  // These are the hours of the day shown before: none of them is of the pressed day.
  const isPast = useDayAsked() !== null
  const halves = [
    { title: 'Mañana', list: starts.filter((start) => isMorning(new Date(start))) },
    { title: 'Tarde', list: starts.filter((start) => !isMorning(new Date(start))) },
  ]
  return (
    <fieldset
      {...described}
      id={id}
      disabled={isPast}
      aria-busy={isPast}
      className={classNames('grid gap-4', isPast && 'opacity-50')}
    >
      <legend className="sr-only">Horario</legend>
      <FieldNotes id={id} error={error} />
      {halves
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <fieldset key={title} className="grid gap-2">
            <legend className="mb-2 text-sm text-mute">{title}</legend>
            <div className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-6">
              {list.map((start) => (
                <label key={start} className={slotClass}>
                  <input
                    type="radio"
                    name="startsAt"
                    value={start}
                    checked={chosen === null ? undefined : chosen === start}
                    onChange={() => onChoose(start)}
                    className="absolute inset-0 size-full cursor-pointer opacity-0"
                  />
                  {timeHands(new Date(start))}
                </label>
              ))}
            </div>
          </fieldset>
        ))}
    </fieldset>
  )
}

/** The pressed day that is still loading; null when the shown day is the requested one. */
export function useDayAsked(): string | null {
  const { location } = useNavigation()
  const here = useLocation()
  if (location?.pathname !== here.pathname) return null
  const asked = new URLSearchParams(location.search).get('dia')
  return asked === new URLSearchParams(here.search).get('dia') ? null : asked
}

type NearestSlotsProps = { details: unknown; linkTo: (start: string) => string }

/** The free slots nearest to one that another customer just took; nothing when the answer named none. */
export function NearestSlots({ details, linkTo }: NearestSlotsProps) {
  const nearest =
    typeof details === 'object' && details && 'nearest' in details ? (details.nearest as string[]) : []
  if (nearest.length === 0) return null
  return (
    <Alert
      tone="info"
      title="Estos están libres y son los más cercanos"
      actions={nearest.map((start) => (
        <Link key={start} to={linkTo(start)} preventScrollReset className={buttonClass('ghost')}>
          {dateTime(new Date(start))}
        </Link>
      ))}
    />
  )
}

type SoonestSlotProps = { start: string; linkTo: (start: string) => string }

/** The first free slot, chosen by one tap. */
export const SoonestSlot = ({ start, linkTo }: SoonestSlotProps) => (
  <Link
    to={linkTo(start)}
    preventScrollReset
    className="flex items-center justify-between gap-4 rounded-card border border-brand/30 bg-brand-soft px-4 py-3 no-underline"
  >
    <span className="text-ink">
      <b className="block font-semibold">Lo más pronto</b>
      <span className="text-[0.9375rem]">{dateTime(new Date(start))}</span>
    </span>
    <span className="font-semibold text-brand">Elegir</span>
  </Link>
)

/**
 * The chosen one of some starts, and how to choose. A choice by hand holds until the user goes on from there: by a
 * link to a day or a slot, or by sending it (`sent`).
 */
export function useChosenStart(starts: readonly string[], sent: string | undefined) {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const [picked, setPicked] = useState({ at: '', start: '' })
  const asked = picked.at === key ? picked.start : (sent ?? search.get('hora'))
  const start = starts.find((one) => one === asked) ?? null
  return [start, (next: string) => setPicked({ at: key, start: next })] as const
}

/** A chosen start in words: the exact minute of a call, otherwise when the assignee arrives. */
export const ChosenStart = ({
  start,
  service,
  window,
}: {
  start: Date
  service: Service
  window: number
}) => (
  <>
    <b className="font-semibold">{shortDate(start)}</b>.{' '}
    {service === 'videocall' ? atTime(start) : arrivalWindow(start, window)}
  </>
)

/** What a call is about, as radio buttons. */
export function InterestPicker({ legend = '¿De qué quieres hablar?' }: { legend?: string }) {
  const { described, error, id, typed } = useField({ name: 'interest' })
  return (
    <fieldset {...described} id={id} className="grid gap-2">
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {interests.map(({ value, label }) => (
          <label
            key={value}
            className="flex min-h-12 items-center gap-3 rounded-control border border-line bg-card px-3.5 hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft"
          >
            <input
              type="radio"
              name="interest"
              value={value}
              defaultChecked={typed === value}
              className="size-6 shrink-0 accent-brand"
            />
            {label}
          </label>
        ))}
      </div>
      <FieldNotes id={id} error={error} />
    </fieldset>
  )
}
