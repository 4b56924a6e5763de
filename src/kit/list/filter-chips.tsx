import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { type DayFilters, type DayRange, dayRanges } from '../../shared/day-range.ts'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { Field } from '../form/field.tsx'
import { useInSight } from '../in-sight.ts'
import { listQuery, oneOf } from './lists.tsx'

/** A local date of an address. */
export function aDate(text: string) {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

/** What narrows a list to days. */
export const dayFilters = { range: oneOf(Object.keys(dayRanges) as DayRange[]), from: aDate, to: aDate }

/** While its year is being typed it is before the first day, and so no filter yet. */
const DateField = ({ value, ...named }: { label: string; name: string; value: string | undefined }) => (
  <Field {...named} type="date" min="1900-01-01" max="2099-12-31" optional="unsaid" defaultValue={value} />
)

/** The first and the last day, among the other filters of a list. */
export const DayFields = ({ filters }: { filters: DayFilters }) => (
  <>
    <DateField label="Desde" name="from" value={filters.from} />
    <DateField label="Hasta" name="to" value={filters.to} />
  </>
)

type FilterChipProps = { isOn: boolean; to: string; children: ReactNode }

/** A filter of one tap. An active one says so, and a second tap removes it. */
export const FilterChip = ({ isOn, to, children }: FilterChipProps) => (
  <Link
    to={to}
    prefetch="intent"
    preventScrollReset
    aria-current={isOn || undefined}
    className={classNames(
      'flex min-h-11 items-center gap-1.5 rounded-full border px-4 text-[0.9375rem] font-medium whitespace-nowrap no-underline',
      isOn ? 'border-transparent bg-brand text-on-brand' : 'border-line bg-card text-ink hover:bg-hover',
    )}
  >
    {children}
    {isOn && (
      <>
        <X aria-hidden className="size-4" />
        <span className="sr-only">: quitar este filtro</span>
      </>
    )}
  </Link>
)

type Chosen = Readonly<Record<string, string | undefined>>
type FilterChipsProps = {
  /** What they choose among. */
  label: string
  path: string
  filters: Chosen
  /** Each with the filters that it sets; one replaces another, and days that were typed. */
  chips: readonly { label: string; count?: string; sets: Readonly<Record<string, string>> }[]
  /** Many chips stay in one line, which scrolls within itself. */
  oneLine?: boolean
}

const inLine = 'relative -m-1 flex min-w-0 gap-2 overflow-x-auto p-1 pb-2 [scrollbar-width:thin] *:shrink-0'

/** The filters of one tap of a list; the others stay as they are. */
export function FilterChips({ label, path, filters, chips, oneLine = false }: FilterChipsProps) {
  const line = useInSight<HTMLElement>('[aria-current]', listQuery(filters))
  const own = new Set(chips.flatMap(({ sets }) => Object.keys(sets)))
  const replaced = own.has('range') ? [...own, 'from', 'to'] : [...own]
  const others = Object.fromEntries(Object.entries(filters).filter(([name]) => !replaced.includes(name)))
  return (
    <nav
      ref={oneLine ? line : undefined}
      aria-label={label}
      className={oneLine ? inLine : 'flex flex-wrap gap-2'}
    >
      {chips.map(({ count, label: words, sets }) => {
        const isOn = [...own].every((name) => filters[name] === sets[name])
        return (
          <FilterChip
            key={words}
            isOn={isOn}
            to={`${path}${listQuery(isOn ? others : { ...others, ...sets })}`}
          >
            {words}
            {count !== undefined && (
              <span className={classNames('tabular-nums', !isOn && 'text-mute')}>{count}</span>
            )}
          </FilterChip>
        )
      })}
    </nav>
  )
}
