import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Definition = { term: string; value: ReactNode }

/** Facts as pairs of a term and its value. A pair without a value is left out. */
export function DefinitionList({ items, className }: { items: readonly Definition[]; className?: string }) {
  return (
    <dl className={classNames('grid gap-x-6 gap-y-3.5 sm:grid-cols-[minmax(8rem,auto)_1fr]', className)}>
      {items
        .filter(({ value }) => value !== null && value !== undefined && value !== '')
        .map(({ term, value }) => (
          <div key={term} className="grid gap-0.5 sm:contents">
            <dt className="text-sm text-mute sm:leading-6">{term}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
