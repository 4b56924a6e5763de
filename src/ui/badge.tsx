import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Tone } from '../shared/state-machine.ts'
import { classNames, tones } from './class-names.ts'

type BadgeProps = {
  tone: Tone
  icon?: LucideIcon
  sheetIcon?: string
  children: ReactNode
  className?: string
}

/** The width of an icon's lines at a badge's size. */
export const badgeStroke = 2.5

const iconClass = 'size-3.5 shrink-0'

/** A state in one or two words, with its icon and its tone; `sheetIcon` names one of the page's `IconSheet` instead. */
export function Badge({ tone, icon: Icon = tones[tone].icon, sheetIcon, children, className }: BadgeProps) {
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
      {sheetIcon ? (
        <SheetIcon name={sheetIcon} className={iconClass} />
      ) : (
        <Icon aria-hidden className={iconClass} strokeWidth={badgeStroke} />
      )}
      {children}
    </span>
  )
}

type IconSheetProps = { icons: Readonly<Record<string, LucideIcon>>; strokeWidth: number }

const idOf = (name: string) => `icon-${name}`

/** Draws icons once for a page that shows each of them many times; invisible itself. */
export function IconSheet({ icons, strokeWidth }: IconSheetProps) {
  return (
    <svg aria-hidden className="hidden">
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
          <Icon strokeWidth={strokeWidth} />
        </symbol>
      ))}
    </svg>
  )
}

/** Shows an icon of the page's sheet. */
export const SheetIcon = ({ name, className }: { name: string; className: string }) => (
  <svg aria-hidden className={className}>
    <use href={`#${idOf(name)}`} />
  </svg>
)
