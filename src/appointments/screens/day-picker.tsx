import { Check, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useLocation, useNavigation, useSearchParams } from 'react-router'
import { FieldNotes, useField } from '../../kit/form/field.tsx'
import { useInSight } from '../../kit/in-sight.ts'
import { OwnHour } from '../../kit/own-hour.tsx'
import { useOtherSlots } from '../../kit/refresh-in.ts'
import {
  counted,
  dayNumber,
  isMorning,
  localDay,
  longDate,
  monthAndYear,
  shortDate,
  timeHands,
  weekdayColumn,
  weekdayShort,
} from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import type { Service } from '../rules/appointment.ts'
import { arrivalSentence, hourFor, momentFor, type ReaderWindow } from '../rules/promise.ts'

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

/**
 * The days from today on, as links: on a phone one strip that goes on through all months, on a desk the calendar of one
 * month. Days without an hour to choose can't be opened.
 */
export function DayPicker({ days, chosen: shown, linkTo = dayLink }: DayPickerProps) {
  const asked = useDayAsked()
  // The pressed day is marked at once, however long its hours take to load.
  const chosen = days.some(({ date }) => date === asked) ? asked! : shown
  // A strip shows a week.
  const strip = useInSight<HTMLDivElement>(`[data-date="${chosen}"]`, chosen)
  const month = monthOf(chosen)
  const shownDays = days.filter(({ date }) => monthOf(date) === month)
  return (
    <section aria-label="Día" className="grid content-start gap-2 lg:max-w-md">
      <MonthHead days={days} chosen={chosen} linkTo={linkTo} />
      <div
        ref={strip}
        className="relative -mx-4 flex gap-1.5 overflow-x-auto px-4 py-1 lg:mx-0 lg:block lg:overflow-visible lg:p-0"
      >
        {[...new Set(days.map(({ date }) => monthOf(date)))].map((one) => (
          <div key={one} className={classNames('shrink-0', one !== month && 'lg:hidden')}>
            <h2 className="sticky left-0 mb-1.5 w-max text-sm font-semibold lg:hidden">
              {monthAndYear(`${one}-01`)}
            </h2>
            <Month days={days} month={one} chosen={chosen} linkTo={linkTo} />
          </div>
        ))}
      </div>
      {shownDays.some((day) => isOpen(day) && !isFree(day)) && (
        <p className="text-sm text-mute">Con borde punteado: sin horas libres; se elige con un motivo.</p>
      )}
    </section>
  )
}

type MonthHeadProps = { days: readonly Day[]; chosen: string; linkTo: LinkTo }

/** On a desk: the month, the ways to those beside it, and the weekdays of its columns. */
function MonthHead({ days, chosen, linkTo }: MonthHeadProps) {
  const month = monthOf(chosen)
  const earlier = days.filter(({ date }) => monthOf(date) < month)
  const later = days.filter(({ date }) => monthOf(date) > month)
  const before = earlier.findLast(isFree) ?? earlier.findLast(isOpen)
  const after = later.find(isFree) ?? later.find(isOpen)
  return (
    <div className="grid gap-1 max-lg:hidden">
      <div className="flex min-h-11 items-center justify-between">
        <h2 className="font-semibold">{monthAndYear(chosen)}</h2>
        <div className="flex">
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
      <div aria-hidden className="grid grid-cols-7 gap-1 text-center text-[0.8125rem] text-mute">
        {[...'LMMJVSD'].map((letter, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two of them have the same letter.
          <span key={column}>{letter}</span>
        ))}
      </div>
    </div>
  )
}

type MonthProps = DayPickerProps & { month: string; linkTo: LinkTo }

/** The days of a month: those from today on, and on a desk the others as well, so that its weeks are whole. */
function Month({ days, month, chosen, linkTo }: MonthProps) {
  return (
    <ol className="flex gap-1.5 lg:grid lg:grid-cols-7 lg:gap-1">
      {datesOf(month).map((date, index) => {
        const day = days.find((one) => one.date === date)
        const column = index === 0 && columnStart[weekdayColumn(date) + 1]
        if (!day)
          return (
            <li key={date} aria-hidden className={classNames('max-lg:hidden', column)}>
              <span className={classNames(cell, 'border-transparent text-mute')}>{dayNumber(date)}</span>
            </li>
          )
        return (
          <li key={date} data-date={date} className={classNames('shrink-0', column)}>
            <DayCell day={day} isToday={date === days[0]?.date} isChosen={date === chosen} linkTo={linkTo} />
          </li>
        )
      })}
    </ol>
  )
}

/** Every local date of a month, as 2026-11-01. */
function datesOf(month: string): string[] {
  const [year = 0, nth = 0] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, nth, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

const isFree = ({ free }: Day) => free > 0
const isOpen = ({ free, ruled }: Day) => free > 0 || ruled === true

const cell =
  'grid min-h-14 w-14 place-content-center rounded-control border text-center text-[0.8125rem]/4 no-underline lg:min-h-11 lg:w-full'

type DayCellProps = { day: Day; isToday: boolean; isChosen: boolean; linkTo: LinkTo }

function DayCell({ day, isToday, isChosen, linkTo }: DayCellProps) {
  const { date, free } = day
  const words = (
    <>
      <span className={isToday ? 'font-semibold lg:text-[0.6875rem]/3' : 'lg:hidden'}>
        {isToday ? 'hoy' : weekdayShort(date)}
      </span>
      <b className={classNames('text-lg/6 lg:text-base/5', isOpen(day) ? 'font-semibold' : 'font-normal')}>
        {dayNumber(date)}
      </b>
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
      aria-label={`${longDate(date)}, ${isFree(day) ? counted(free, 'horario libre', 'horarios libres') : 'sin horas libres, con un motivo'}${isToday ? ', hoy' : ''}`}
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

type SlotPickerProps = {
  starts: readonly string[]
  chosen: string | null
  onChoose: (start: string) => void
  /** Of calls, which people in other time zones have too. */
  isCall: boolean
}

/** The free starts of a day as radio buttons, morning and afternoon apart. */
export function SlotPicker({ starts, chosen, onChoose, isCall }: SlotPickerProps) {
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
      {isCall && <p className="text-sm text-mute">En hora del centro de México.</p>}
      <FieldNotes id={id} error={error} />
      {halves
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <fieldset key={title} className="grid gap-2">
            <legend className="mb-2 text-sm text-mute">{title}</legend>
            <div className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-2 xl:grid-cols-3">
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
                  {isCall && (
                    <OwnHour
                      at={new Date(start)}
                      className="px-1 pb-1 text-center text-xs/4 font-normal text-balance text-mute"
                    />
                  )}
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

/** `window` is null where staff choose. */
type SlotLinks = { service: Service; window: ReaderWindow; linkTo: (start: string) => string }
type NearestSlotsProps = SlotLinks & { details: unknown }

/** The free slots nearest to one that another customer just took; nothing when the answer named none. */
export function NearestSlots({ details, linkTo, service, window }: NearestSlotsProps) {
  const nearest =
    typeof details === 'object' && details && 'nearest' in details ? (details.nearest as string[]) : []
  if (nearest.length === 0) return null
  return (
    <Alert
      tone="info"
      title="Estos están libres y son los más cercanos"
      actions={nearest.map((start) => (
        <Link key={start} to={linkTo(start)} preventScrollReset className={buttonClass('ghost')}>
          {momentFor({ service, startsAt: new Date(start) }, window)}
        </Link>
      ))}
    />
  )
}

type SoonestSlotProps = SlotLinks & { start: string; chosen: string | null }

/** The first free slot, chosen by one tap, and marked once it is the chosen one. */
export const SoonestSlot = ({ start, chosen, linkTo, service, window }: SoonestSlotProps) => (
  <Link
    to={linkTo(start)}
    preventScrollReset
    aria-current={start === chosen || undefined}
    className={classNames(
      'flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-card border bg-brand-soft px-4 py-3 no-underline',
      start === chosen ? 'border-brand' : 'border-brand/30',
    )}
  >
    <span className="text-ink">
      <b className="block font-semibold">Lo más pronto</b>
      <span className="text-[0.9375rem]">
        {shortDate(new Date(start))},{' '}
        <span className="whitespace-nowrap">{hourFor({ service, startsAt: new Date(start) }, window)}</span>
      </span>
    </span>
    {start === chosen ? (
      <span className="flex items-center gap-1 font-semibold text-brand">
        <Check aria-hidden className="size-4.5" />
        Elegido
      </span>
    ) : (
      <span className="font-semibold text-brand">Elegir</span>
    )}
  </Link>
)

/**
 * The chosen one of some starts, and how to choose. A choice by hand holds until the user goes on from there: by a
 * link to a day or a slot, or by sending it (`sent`). The address has it too, for whoever reloads the page.
 */
export function useChosenStart(starts: readonly string[], sent: string | undefined) {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const [picked, setPicked] = useState({ at: '', start: '' })
  const asked = picked.at === key ? picked.start : (sent ?? search.get('hora'))
  const start = starts.find((one) => one === asked) ?? null
  const chosenAt = useRef('')
  if (start) chosenAt.current = key
  // Chosen here, and no longer offered.
  const isTaken = start === null && chosenAt.current === key
  useOtherSlots()
  const pick = (next: string) => {
    setPicked({ at: key, start: next })
    const here = new URL(location.href)
    here.searchParams.set('dia', localDay(new Date(next)))
    here.searchParams.set('hora', next)
    // Not a navigation of the router, which would ask the server for the same page.
    history.replaceState(history.state, '', here)
  }
  return [start, pick, isTaken] as const
}

/** What is booked, its days and its hours: one below the other on a phone, three panes on a desk. */
export const AgendaPanes = ({ what, days, hours }: Record<'what' | 'days' | 'hours', ReactNode>) => (
  <div className="grid grid-cols-1 gap-5 lg:grid-cols-[9.5rem_16.5rem_minmax(0,1fr)] lg:gap-0 lg:rounded-card lg:border lg:border-line lg:bg-card lg:py-5 xl:grid-cols-[17rem_22rem_minmax(0,1fr)] lg:*:px-4 xl:*:px-6 lg:*:not-first:border-l lg:*:not-first:border-line">
    <div className="grid content-start gap-5">{what}</div>
    <div className="min-w-0">{days}</div>
    <div className="grid content-start gap-4">{hours}</div>
  </div>
)

/** What the foot of an agenda says until a start is chosen; without JavaScript the form itself knows that one is. */
export const ChooseStart = ({ isTaken }: { isTaken: boolean }) => (
  <span className="[form:has([name=startsAt]:checked)_&]:hidden">
    {isTaken ? 'Ese horario se acaba de ocupar. Elige otro.' : 'Elige un horario.'}
  </span>
)

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
    {arrivalSentence({ service, startsAt: start }, window)}
  </>
)
