import { Link } from 'react-router'
import { classNames } from '../ui/class-names.ts'

export type Figure = { label: string; value: string; to: string; alarming?: boolean }

/** What the day comes down to; each figure leads to what it counts. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <ul aria-label="Cifras" className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
      {figures.map(({ label, value, to, alarming }) => (
        <li key={label} className="grid">
          <Link
            to={to}
            prefetch="intent"
            className={classNames(
              'grid content-start gap-0.5 rounded-card border bg-card px-4 py-3 text-ink no-underline hover:bg-hover sm:px-5 sm:py-4',
              alarming ? 'border-bad' : 'border-line',
            )}
          >
            <span className={classNames('text-[0.9375rem]', alarming ? 'text-bad' : 'text-mute')}>
              {label}
            </span>
            <span className="text-2xl/tight font-semibold">{value}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
