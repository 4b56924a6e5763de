import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cardClass } from './card.tsx'
import { classNames } from './class-names.ts'

type EmptyStateProps = { icon?: LucideIcon; children: ReactNode; action?: ReactNode }

/** What stands where there is nothing yet: a sentence, and what to do about it. */
export function EmptyState({ icon: Icon, children, action }: EmptyStateProps) {
  return (
    <div className={classNames(cardClass, 'grid justify-items-center gap-4 px-6 py-10 text-center')}>
      {Icon && (
        <span className="grid size-12 place-items-center rounded-full bg-brand-soft text-brand">
          <Icon aria-hidden className="size-6" />
        </span>
      )}
      <p className="max-w-md text-mute">{children}</p>
      {action}
    </div>
  )
}
