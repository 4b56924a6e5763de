import { Plus } from 'lucide-react'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { type EditedItem, editedCatalogue } from '../../quotes/catalogue.ts'
import { chargedKinds } from '../../quotes/rules/content.ts'
import { unitPrice } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { type Column, DataTable, rowLinkClass } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { itemPath, newItem } from '../rules/pages.ts'
import type { Route } from './+types/catalogue.ts'
import { readSettings } from './configuring.ts'
import { PageFrame } from './page-frame.tsx'

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { events } = await readSettings(context, 'catalogue')
    return { events, items: await editedCatalogue(requestOf(context).db) }
  })

/** The catalogue of prices. */
export default function Catalogue({ loaderData: { events, items } }: Route.ComponentProps) {
  return (
    <PageFrame page="catalogue" events={events}>
      <LinkButton variant="ghost" to={itemPath(newItem)} className="justify-self-start">
        <Plus aria-hidden className="size-5" />
        Agregar partida
      </LinkButton>
      <DataTable caption="Catálogo de precios" columns={columns} rows={items} rowKey={({ code }) => code} />
    </PageFrame>
  )
}

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
