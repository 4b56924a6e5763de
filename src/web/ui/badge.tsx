import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { type Tone, tones } from './tone.ts'

type BadgeProps = { tone: Tone; icon?: LucideIcon; children: ReactNode; className?: string }

/** A state in one or two words, with its icon and its tone. */
export function Badge({ tone, icon: Icon = tones[tone].icon, children, className }: BadgeProps) {
  const { surface, ink } = tones[tone]
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 text-[0.8125rem]/4 font-semibold whitespace-nowrap',
        surface,
        ink,
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" strokeWidth={2.5} />
      {children}
    </span>
  )
}
