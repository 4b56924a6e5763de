import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { LinkButton } from './button.tsx'

type PaginationProps = { previous: string | null; next: string | null; children?: ReactNode }

/** Links to the pages before and after; `children` says where one is. Nothing when neither is given. */
export function Pagination({ previous, next, children }: PaginationProps) {
  if (!previous && !next) return children ? <p className="text-sm text-mute">{children}</p> : null
  return (
    <nav aria-label="Páginas" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-mute">{children}</p>
      <div className="flex gap-3">
        {previous && (
          <LinkButton variant="ghost" to={previous} rel="prev">
            <ChevronLeft aria-hidden className="size-5" />
            Anterior
          </LinkButton>
        )}
        {next && (
          <LinkButton variant="ghost" to={next} rel="next">
            Siguiente
            <ChevronRight aria-hidden className="size-5" />
          </LinkButton>
        )}
      </div>
    </nav>
  )
}
