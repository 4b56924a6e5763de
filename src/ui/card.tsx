import { ChevronRight, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export const cardClass = 'rounded-card border border-line bg-card'

/** On a desk two columns: what a page is about, and what belongs beside it; one below the other on a phone. */
export const besideClass = 'grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'

type CardProps = Omit<ComponentProps<'section'>, 'title'> & { title?: ReactNode; aside?: ReactNode }

/** A surface for one subject; `aside` is at the right of its title. */
export function Card({ title, aside, className, children, ...rest }: CardProps) {
  const id = useId()
  return (
    <section
      {...rest}
      aria-labelledby={title ? id : undefined}
      className={classNames(cardClass, 'grid grid-cols-1 content-start gap-4 p-4 sm:p-5', className)}
    >
      {title && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

type DetailsProps = {
  summary: ReactNode
  open?: boolean
  children: ReactNode
  className?: string | undefined
}

/** Something that opens in place, with or without JavaScript. */
export function Details({ summary, open, children, className }: DetailsProps) {
  return (
    <details open={open} className={classNames(cardClass, className)}>
      <summary className="flex min-h-12 items-center gap-2 rounded-card px-4 py-2.5 font-semibold select-none hover:bg-hover [&::-webkit-details-marker]:hidden">
        {/* Its own details only: those around it may be open while these are not. */}
        <ChevronRight
          aria-hidden
          className="size-5 shrink-0 text-mute transition-transform [details[open]>summary>&]:rotate-90"
        />
        {summary}
      </summary>
      <div className="grid gap-4 border-t border-line p-4">{children}</div>
    </details>
  )
}

type EmptyStateProps = { icon?: LucideIcon; children: ReactNode; action?: ReactNode }

/** Shown where there is nothing yet: a sentence, and what to do about it. */
export function EmptyState({ icon: Icon, children, action }: EmptyStateProps) {
  return (
    <div className={classNames(cardClass, 'grid justify-items-center gap-4 px-6 py-10 text-center')}>
      {Icon && (
        <span className="grid size-12 place-items-center rounded-full bg-brand-soft text-brand">
          <Icon aria-hidden className="size-6" />
        </span>
      )}
      <p className="max-w-md text-balance text-mute">{children}</p>
      {action}
    </div>
  )
}
