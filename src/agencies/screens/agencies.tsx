import { Store } from 'lucide-react'
import { choiceFilter, orders, readList, searched } from '../../kit/list/filters.ts'
import { type List, ListBody, type ListColumn, ListHeader } from '../../kit/list/list-body.tsx'
import { signedIn } from '../../kit/request.ts'
import { thousands } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { LinkButton } from '../../ui/button.tsx'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PhoneLine } from '../../ui/phone-line.tsx'
import { viewsOf } from '../../users/saved-views.ts'
import { type ListedAgency, listAgencies } from '../agency-queries.ts'
import { editsAgencies, readsAgencyWork, seesAllAgencies } from '../rules/agency.ts'
import type { Route } from './+types/agencies.ts'
import { ActiveBadge } from './badges.tsx'

export const handle = { announcesUpdates: true }

const list = {
  path: '/admin/agencies',
  title: 'Consecionarias',
  words: ['concesionaria', 'concesionarias'],
  saved: 'agencies',
  icon: Store,
  empty: 'Todavía no hay concesionarias que puedas ver.',
  narrowed: 'Ninguna concesionaria coincide con lo que buscas.',
  all: 'Ver todas',
  filters: {
    text: searched('Nombre, marca o contacto', 120),
    active: choiceFilter('Estado', { yes: 'Activas', no: 'Inactivas' }),
    order: orders('De la A a la Z', {
      reverse: 'De la Z a la A',
      clients: 'Con más clientes',
      'clients-reverse': 'Con menos clientes',
    }),
  },
} satisfies List

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const { actor, lists } = signedIn(context)
  const { asked, page } = readList(list, url, new Date())
  const db = await lists()
  const canFilter = seesAllAgencies(actor)
  const [agencies, saved] = await Promise.all([
    listAgencies(db, actor, asked),
    canFilter ? viewsOf(db, actor, 'agencies') : null,
  ])
  return {
    ...page(agencies),
    saved,
    canEdit: editsAgencies(actor),
    canFilter,
    readsWork: readsAgencyWork(actor),
  }
}

export default function Agencies({ loaderData }: Route.ComponentProps) {
  const { canEdit, canFilter, readsWork } = loaderData
  return (
    <>
      <ListHeader
        list={list}
        loaded={loaderData}
        actions={canEdit && <LinkButton to="/admin/agencies/add">Nueva concesionaria</LinkButton>}
      />
      <ListBody
        list={list}
        loaded={loaderData}
        hasBar={canFilter}
        offers={{ order: readsWork ? undefined : ['reverse'] }}
        columns={columns}
      />
    </>
  )
}

const readsWork = (loaded: { readsWork: boolean }) => loaded.readsWork

const columns: readonly ListColumn<ListedAgency, { readsWork: boolean }>[] = [
  {
    header: 'Concesionaria',
    main: true,
    sorts: ['ascending'],
    cell: ({ id, name, brand }) => (
      <Link to={`/admin/agency/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
        {name}
        {brand && <SecondLine>{brand}</SecondLine>}
      </Link>
    ),
  },
  {
    header: 'Contacto',
    cell: ({ contact, phone }) => (
      <>
        {contact}
        <PhoneLine phone={phone} />
      </>
    ),
  },
  {
    header: 'Zona',
    from: 'wide',
    cell: ({ municipality }) => municipality && municipalityLabel(municipality),
  },
  { header: 'Aliados', numeric: true, cell: ({ allies }) => thousands(allies) },
  {
    header: 'Clientes',
    numeric: true,
    sorts: ['descending', 'clients'],
    when: readsWork,
    cell: ({ clients }) => thousands(clients ?? 0),
  },
  {
    header: 'Instalaciones',
    from: 'medium',
    numeric: true,
    when: readsWork,
    cell: ({ installations }) => thousands(installations ?? 0),
  },
  { header: 'Estado', whole: true, cell: ({ active }) => <ActiveBadge active={active} /> },
]
