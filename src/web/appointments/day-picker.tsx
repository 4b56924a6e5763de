import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import {
  counted,
  dayNumber,
  isMorning,
  longDate,
  monthAndYear,
  timeHands,
  weekdayColumn,
  weekdayShort,
} from '../../domain/shared/format.ts'
import { classNames } from '../ui/class-names.ts'
import { FieldNotes } from '../ui/field-frame.tsx'
import { useFieldResult } from '../ui/form.tsx'

type Day = { date: string; free: number }
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

/** One month of days, as links: a strip to push on a phone, a calendar on a desk. Days without a free slot can't be opened. */
export function DayPicker({ days, chosen: shown, linkTo = dayLink }: DayPickerProps) {
  const asked = useDayAsked()
  // What was pressed is marked at once, however long its hours take.
  const chosen = days.some(({ date }) => date === asked) ? asked! : shown
  const strip = useRef<HTMLOListElement>(null)
  // A strip shows a week of the month: the chosen day belongs in it.
  useEffect(() => {
    strip.current
      ?.querySelector(`[data-date="${chosen}"]`)
      ?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [chosen])
  const month = monthOf(chosen)
  const free = days.filter((day) => day.free > 0)
  const before = free.filter(({ date }) => monthOf(date) < month).at(-1)
  const after = free.find(({ date }) => monthOf(date) > month)
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
        {days
          .filter(({ date }) => monthOf(date) === month)
          .map((day, index) => (
            <li
              key={day.date}
              data-date={day.date}
              className={classNames('shrink-0', index === 0 && columnStart[weekdayColumn(day.date) + 1])}
            >
              <DayCell day={day} isChosen={day.date === chosen} linkTo={linkTo} />
            </li>
          ))}
      </ol>
    </section>
  )
}

const cell =
  'grid min-h-14 w-14 place-content-center rounded-control border text-center text-[0.8125rem]/4 no-underline lg:w-full'

type DayCellProps = { day: Day; isChosen: boolean; linkTo: LinkTo }

function DayCell({ day: { date, free }, isChosen, linkTo }: DayCellProps) {
  const words = (
    <>
      <span>{weekdayShort(date)}</span>
      <b className="text-lg/6 font-semibold">{dayNumber(date)}</b>
    </>
  )
  if (free === 0)
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
      aria-label={`${longDate(date)}, ${counted(free, 'horario libre', 'horarios libres')}`}
      className={classNames(
        cell,
        isChosen ? 'border-brand bg-brand text-on-brand' : 'border-line bg-card text-ink hover:bg-hover',
      )}
    >
      {words}
    </Link>
  )
}

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

type SlotPickerProps = { starts: readonly string[]; chosen: string | null; onChoose: (start: string) => void }

/** The free starts of a day as radio buttons, morning and afternoon apart. */
export function SlotPicker({ starts, chosen, onChoose }: SlotPickerProps) {
  const { error } = useFieldResult('startsAt')
  // These are the hours of the day before: none of them is the one that is meant.
  const isPast = useDayAsked() !== null
  const halves = [
    { title: 'Mañana', list: starts.filter((start) => isMorning(new Date(start))) },
    { title: 'Tarde', list: starts.filter((start) => !isMorning(new Date(start))) },
  ]
  return (
    <fieldset
      disabled={isPast}
      aria-busy={isPast}
      className={classNames('grid gap-4', isPast && 'opacity-50')}
      aria-describedby={error ? 'startsAt-error' : undefined}
    >
      <legend className="sr-only">Horario</legend>
      {halves
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <fieldset key={title} className="grid gap-2">
            <legend className="mb-2 text-sm text-mute">{title}</legend>
            <div className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-6">
              {list.map((start) => (
                <label
                  key={start}
                  className="relative grid min-h-12 place-items-center rounded-control border border-line bg-card text-[0.9375rem] hover:bg-hover has-checked:border-brand has-checked:bg-brand-soft has-checked:font-semibold has-checked:text-brand has-checked:outline-2 has-checked:-outline-offset-1 has-checked:outline-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
                >
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
      <FieldNotes id="startsAt" error={error} help={undefined} />
    </fieldset>
  )
}

/** The day that was pressed and is still being fetched; null when what is shown is what was asked for. */
function useDayAsked(): string | null {
  const { location } = useNavigation()
  const here = useLocation()
  if (location?.pathname !== here.pathname) return null
  const asked = new URLSearchParams(location.search).get('dia')
  return asked === new URLSearchParams(here.search).get('dia') ? null : asked
}
