import type { ReactNode } from 'react'
import { Button, LinkButton } from './button.tsx'
import { Details } from './details.tsx'

type FilterDetailsProps = {
  /** How many of the choices narrow the list now; with any, they stand open. */
  count: number
  /** The list without any of them, where nothing else on the screen leads to it. */
  path?: string
  children: ReactNode
}

/** What a list is narrowed by beside its search, folded away until it is used. */
export const FilterDetails = ({ count, path, children }: FilterDetailsProps) => (
  <Details summary={count > 0 ? `Filtros (${count})` : 'Filtros'} open={count > 0}>
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-3">{children}</div>
    <div className="flex gap-3">
      <Button type="submit" variant="ghost" className="max-sm:flex-1">
        Filtrar
      </Button>
      {path && count > 0 && (
        <LinkButton variant="ghost" to={path}>
          Quitar filtros
        </LinkButton>
      )}
    </div>
  </Details>
)
