import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cardClass } from './card.tsx'
import { classNames } from './class-names.ts'

type DetailsProps = {
  summary: ReactNode
  open?: boolean
  children: ReactNode
  className?: string | undefined
}

/** Something that opens where it stands, with or without JavaScript. */
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
