import type { ReactNode } from 'react'
import type { Tone } from '../shared/state-machine.ts'
import { classNames, tones } from './class-names.ts'

type AlertProps = {
  tone: Tone
  title: ReactNode
  children?: ReactNode
  /** Links or buttons: what to do about it. */
  actions?: ReactNode
  className?: string
}

/** A message that stays on the page as long as it is true. */
export function Alert({ tone, title, children, actions, className }: AlertProps) {
  const { surface, ink, icon: Icon } = tones[tone]
  return (
    <div className={classNames('flex gap-3 rounded-card p-4', surface, className)}>
      <Icon aria-hidden className={classNames('mt-0.5 size-5 shrink-0', ink)} />
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        <p className={classNames('font-semibold', ink)}>{title}</p>
        {children && <div className="text-[0.9375rem]">{children}</div>}
        {actions && <div className="mt-2 flex flex-wrap gap-3 max-sm:*:grow">{actions}</div>}
      </div>
    </div>
  )
}
