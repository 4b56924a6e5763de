import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** The next action of a screen, one a screen: always in sight at the foot of a phone, in its place on a desk. */
export function ActionBar({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      data-action-bar
      className={classNames(
        'fixed inset-x-0 bottom-0 z-10 grid gap-2 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]',
        'lg:static lg:flex lg:flex-wrap lg:items-center lg:gap-3 lg:border-0 lg:bg-transparent lg:p-0',
        className,
      )}
    >
      {children}
    </div>
  )
}
