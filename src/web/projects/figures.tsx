import { CircleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { CountedFigure } from '../../server/appointments/counts.ts'
import { countWords } from '../appointments/count-words.ts'
import { cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'

/** What there is, each the way to its list. An urgent one is red as soon as there is any. */
export function Figures({ figures }: { figures: readonly CountedFigure[] }) {
  if (figures.length === 0) return null
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {figures.map(({ label, to, total, isMore, urgent }) => {
        const isBad = urgent && total > 0
        return (
          <li key={to} className="grid">
            <Link
              to={to}
              prefetch="intent"
              className={classNames(
                cardClass,
                'grid content-between gap-1 p-4 text-ink no-underline hover:bg-hover',
                isBad && 'border-bad',
              )}
            >
              <span className="text-sm text-mute">{label}</span>
              <span
                className={classNames(
                  'flex items-center gap-2 font-semibold',
                  isMore ? 'text-lg' : 'text-2xl',
                  isBad && 'text-bad',
                )}
              >
                {isBad && <CircleAlert aria-hidden className="size-5 shrink-0" />}
                {countWords({ total, isMore })}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
