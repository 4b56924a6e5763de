import { X } from 'lucide-react'
import { Link } from 'react-router'
import { type ListFilters, type ViewName, views } from '../../domain/appointments/list.ts'
import { shortDate } from '../../domain/shared/format.ts'
import { listQuery } from '../lib/lists.tsx'
import { classNames } from '../ui/class-names.ts'

type QuickFiltersProps = { names: readonly ViewName[]; filters: ListFilters; path: string }

const chip =
  'flex min-h-11 items-center gap-1.5 rounded-full border px-4 text-[0.9375rem] font-medium whitespace-nowrap no-underline'

/** The filters of one tap. One that is on says so, and a second tap takes it off; the others stay as they are. */
export function QuickFilters({ names, filters, path }: QuickFiltersProps) {
  const { view, day, ...others } = filters
  return (
    <nav aria-label="Filtros rápidos" className="flex flex-wrap gap-2">
      {names.map((name) => (
        <Chip
          key={name}
          isOn={view === name}
          to={`${path}${listQuery(view === name ? others : { ...others, view: name })}`}
        >
          {views[name].label}
        </Chip>
      ))}
      {day && (
        <Chip isOn to={`${path}${listQuery(others)}`}>
          {shortDate(new Date(`${day}T18:00:00Z`))}
        </Chip>
      )}
      {Object.keys(filters).length > 0 && (
        <Link to={path} className="flex min-h-11 items-center px-2 text-[0.9375rem] underline">
          Quitar filtros
        </Link>
      )}
    </nav>
  )
}

type ChipProps = { isOn: boolean; to: string; children: string }

const Chip = ({ isOn, to, children }: ChipProps) => (
  <Link
    to={to}
    prefetch="intent"
    aria-current={isOn || undefined}
    className={classNames(
      chip,
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
