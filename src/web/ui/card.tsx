import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export const cardClass = 'rounded-card border border-line bg-card'

type CardProps = Omit<ComponentProps<'section'>, 'title'> & { title?: ReactNode; aside?: ReactNode }

/** A surface for one subject; `aside` stands at the right of its title. */
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
