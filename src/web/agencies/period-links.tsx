import { Link } from 'react-router'
import { classNames } from '../ui/class-names.ts'
import { sectionPath } from './agency-part.ts'
import { periodWords } from './figure-words.ts'

type PeriodLinksProps = {
  agencyId: string
  year: string | null
  months: readonly string[]
  years: readonly string[]
}

/** Which time the figures are of, and the way to others. */
export function PeriodLinks({ agencyId, year, months, years }: PeriodLinksProps) {
  const here = sectionPath(agencyId, 'resumen')
  const choices = [
    { value: null, label: 'Últimos 12 meses', to: here },
    ...years.map((value) => ({ value, label: value, to: `${here}&periodo=${value}` })),
  ]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="text-[0.9375rem] text-mute">{periodWords({ months })}</p>
      <nav aria-label="Periodo" className="flex flex-wrap gap-2">
        {choices.map(({ value, label, to }) => (
          <Link
            key={label}
            to={to}
            prefetch="intent"
            preventScrollReset
            aria-current={value === year ? 'true' : undefined}
            className={classNames(
              'flex min-h-11 items-center rounded-full border px-4 text-[0.9375rem] font-medium no-underline lg:min-h-9',
              value === year
                ? 'border-brand bg-brand-soft text-brand'
                : 'border-line bg-card text-mute hover:bg-hover hover:text-ink',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
    </div>
  )
}
