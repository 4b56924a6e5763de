import { Store } from 'lucide-react'
import { listsDb } from '../../app/context.ts'
import {
  choicesOf,
  FilterBar,
  type FilterField,
  ListPages,
  oneOf,
  orderField,
  ordersBy,
  pageLinks,
  readFilters,
  searched,
  sortedBy,
} from '../../kit/list/lists.tsx'
import { SavedViews } from '../../kit/list/saved-views.tsx'
import { requireActor } from '../../kit/require-actor.ts'
import { formatPhone, thousands } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { type Column, DataTable, rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { viewsOf } from '../../users/saved-views.ts'
import { type ListedAgency, listAgencies } from '../agency-queries.ts'
import { editsAgencies, readsAgencyWork, seesAllAgencies } from '../rules/agency.ts'
import type { Route } from './+types/agencies.ts'
import { ActiveBadge } from './badges.tsx'

export const handle = { announcesUpdates: true }

const path = '/admin/agencies'
const filterSchema = { text: searched(120), active: oneOf(['yes', 'no']), order: ordersBy('clients') }
const fieldsFor = (readsWork: boolean): FilterField[] => [
  { name: 'active', label: 'Estado', choices: choicesOf({ yes: 'Activas', no: 'Inactivas' }) },
  orderField('De la A a la Z', {
    reverse: 'De la Z a la A',
    ...(readsWork && { clients: 'Con más clientes', 'clients-reverse': 'Con menos clientes' }),
  }),
]

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const actor = requireActor(context)
  const { after, filters, place } = readFilters(filterSchema, url)
  const database = await context.get(listsDb)()
  const [{ next, ...page }, saved] = await Promise.all([
    listAgencies(database, actor, { ...filters, ...(after && { after }) }),
    viewsOf(database, actor, 'agencies'),
  ])
  return {
    ...page,
    filters,
    saved,
    canEdit: editsAgencies(actor),
    canFilter: seesAllAgencies(actor),
    readsWork: readsAgencyWork(actor),
    pages: pageLinks(filters, place, next),
  }
}

export default function Agencies({ loaderData }: Route.ComponentProps) {
  const { rows, total, filters, saved, canEdit, canFilter, readsWork, pages } = loaderData
  const narrowed = Boolean(filters.text || filters.active)
  return (
    <>
      <PageHeader
        title="Consecionarias"
        subtitle={total === 1 ? '1 concesionaria' : `${thousands(total)} concesionarias`}
        actions={canEdit && <LinkButton to="/admin/agencies/add">Nueva concesionaria</LinkButton>}
      />
      {canFilter && (
        <>
          <SavedViews list="agencies" saved={saved} filters={filters} />
          <FilterBar
            path={path}
            filters={filters}
            placeholder="Nombre, marca o contacto"
            maxLength={120}
            fields={fieldsFor(readsWork)}
          />
        </>
      )}
      {rows.length === 0 ? (
        <EmptyState
          icon={Store}
          action={
            narrowed && (
              <LinkButton variant="ghost" to={path}>
                Ver todas
              </LinkButton>
            )
          }
        >
          {narrowed
            ? 'Ninguna concesionaria coincide con lo que buscas.'
            : 'Todavía no hay concesionarias que puedas ver.'}
        </EmptyState>
      ) : (
        <AgencyTable rows={rows} withWork={readsWork} filters={filters} />
      )}
      <ListPages pages={pages} rows={rows} count={{ total, isMore: false }} />
    </>
  )
}

const columnsFor = (filters: Filters): Column<ListedAgency>[] => [
  {
    header: 'Concesionaria',
    main: true,
    sorting: sortedBy(filters, 'ascending'),
    cell: ({ id, name, brand }) => (
      <Link to={`/admin/agency/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
        {name}
        {brand && <SecondLine>{brand}</SecondLine>}
      </Link>
    ),
  },
  {
    header: 'Contacto',
    cell: ({ contact }) => contact,
  },
  { header: 'Teléfono', width: 7.5, from: 'medium', cell: ({ phone }) => phone && formatPhone(phone) },
  {
    header: 'Zona',
    from: 'wide',
    cell: ({ municipality }) => municipality && municipalityLabel(municipality),
  },
  { header: 'Aliados', width: 5, numeric: true, cell: ({ allies }) => thousands(allies) },
]
const workFor = (filters: Filters): Column<ListedAgency>[] => [
  {
    header: 'Clientes',
    width: 6.5,
    numeric: true,
    sorting: sortedBy(filters, 'descending', 'clients'),
    cell: ({ clients }) => thousands(clients ?? 0),
  },
  {
    header: 'Instalaciones',
    width: 7.5,
    from: 'medium',
    numeric: true,
    cell: ({ installations }) => thousands(installations ?? 0),
  },
]
const standing: Column<ListedAgency>[] = [
  { header: 'Estado', width: 7.5, cell: ({ active }) => <ActiveBadge active={active} /> },
]

type AgencyTableProps = {
  rows: readonly ListedAgency[]
  /** Whether the table shows the work that the agencies bring. */
  withWork: boolean
  filters: Filters
}

type Filters = Route.ComponentProps['loaderData']['filters']

/** Agencies as a table on a desk and as cards on a phone. */
const AgencyTable = ({ filters, rows, withWork }: AgencyTableProps) => (
  <DataTable
    dense
    caption="Consecionarias"
    columns={[...columnsFor(filters), ...(withWork ? workFor(filters) : []), ...standing]}
    rows={rows}
    rowKey={({ id }) => id}
  />
)
