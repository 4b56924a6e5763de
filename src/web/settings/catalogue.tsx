import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { chargedKinds } from '../../domain/quotes/content.ts'
import { unitPrice } from '../../domain/shared/format.ts'
import type { EditedItem } from '../../server/quotes/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { CatalogueItemForm } from './catalogue-item.tsx'
import { itemPath, newItem } from './pages.ts'
import type { SettingsPartProps } from './settings.tsx'

const columns: Column<EditedItem>[] = [
  {
    header: 'Partida',
    main: true,
    cell: ({ code, description }) => (
      <Link to={itemPath(code)} prefetch="intent" className={rowLinkClass}>
        {description}
        <span className="block text-sm font-normal text-mute">{code}</span>
      </Link>
    ),
  },
  { header: 'Tipo', cell: ({ kind }) => chargedKinds[kind] },
  { header: 'Unidad', cell: ({ unit }) => <span className="whitespace-nowrap">{unit}</span> },
  {
    header: 'Sin IVA',
    numeric: true,
    cell: (item) => <span className="whitespace-nowrap">{unitPrice(item.unitPrice)}</span>,
  },
  {
    header: 'Estado',
    cell: ({ active }) => (active ? <Badge tone="ok">En uso</Badge> : <Badge tone="neutral">Sin usar</Badge>),
  },
]

/** The catalogue of prices: the list of it, or the form of one item. */
export function CataloguePage({ data: { catalogue }, result }: SettingsPartProps) {
  if (!catalogue) return null
  const { item, items } = catalogue
  if (item !== undefined) return <CatalogueItemForm key={item?.code} item={item} result={result} />
  return (
    <>
      <LinkButton variant="ghost" to={itemPath(newItem)} className="justify-self-start">
        <Plus aria-hidden className="size-5" />
        Agregar partida
      </LinkButton>
      <DataTable caption="Catálogo de precios" columns={columns} rows={items} rowKey={({ code }) => code} />
    </>
  )
}
