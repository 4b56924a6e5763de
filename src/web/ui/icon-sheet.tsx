import type { LucideIcon } from 'lucide-react'

type IconSheetProps = { icons: Readonly<Record<string, LucideIcon>>; strokeWidth: number }

const idOf = (name: string) => `icon-${name}`

/** Draws icons once for a page that shows each of them many times; nothing of it is seen. */
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
