import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../../ui/class-names.ts'

export type BarTone = 'plain' | 'on' | 'off' | 'bad'

const tones: Record<BarTone, string> = {
  plain: 'text-ink hover:bg-hover',
  on: 'bg-brand-soft text-brand',
  off: 'bg-bad-soft text-bad',
  bad: 'hang-up',
}

type BarButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  tone: BarTone
  icon: LucideIcon
  /** One word under the icon; `label` says it in full and holds that word. */
  word: string
  label: string
  shortcut?: string
  count?: number
  expanded?: boolean
  pending?: boolean
}

/** A button of the bar of a call. */
export function BarButton({ tone, icon: Icon, word, label, className, ...more }: BarButtonProps) {
  const { shortcut, count = 0, expanded, pending, ...rest } = more
  return (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-expanded={expanded}
      aria-busy={pending || undefined}
      title={shortcut ? `${label} (${shortcut})` : label}
      {...rest}
      className={classNames(
        'relative grid min-h-13 w-[3.4rem] content-center justify-items-center gap-0.5 rounded-control sm:w-20 short:min-h-11',
        tones[tone],
        className,
      )}
    >
      <Icon aria-hidden className={classNames('size-5.5', pending && 'animate-pulse')} />
      <span aria-hidden className="text-[0.6875rem]/4 font-medium sm:text-xs/4">
        {word}
      </span>
      {count > 0 && (
        <span
          aria-hidden
          className="absolute top-0.5 right-1 grid h-5 min-w-5 place-items-center rounded-full bg-brand px-1 text-xs font-semibold text-on-brand"
        >
          {count > 9 ? '9+' : count}
        </span>
      )}
    </button>
  )
}
