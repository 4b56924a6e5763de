import { Link } from 'react-router'
import { classNames } from './class-names.ts'

type PeriodLinksProps = {
  /** The time that is shown, in words. */
  words: string
  /** Null is the time that is shown by itself. */
  current: string | null
  choices: readonly { value: string | null; label: string; to: string }[]
}

/** Which time the figures of a page are of, and the way to others. */
export const PeriodLinks = ({ words, current, choices }: PeriodLinksProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
    <p className="text-[0.9375rem] text-mute">{words}</p>
    <nav aria-label="Periodo" className="flex flex-wrap gap-2">
      {choices.map(({ value, label, to }) => (
        <Link
          key={label}
          to={to}
          prefetch="intent"
          preventScrollReset
          aria-current={value === current ? 'true' : undefined}
          className={classNames(
            'flex min-h-11 items-center rounded-full border px-4 text-[0.9375rem] font-medium no-underline lg:min-h-9',
            value === current
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
