import { Link } from 'react-router'
import { formatPhone, thousands } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ListedAgency } from '../../server/agencies/agencies-queries.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'

const columns: Column<ListedAgency>[] = [
  {
    header: 'Concesionaria',
    main: true,
    cell: ({ id, name, brand }) => (
      <Link to={`/admin/agency/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
        {name}
        {brand && <span className="block text-sm font-normal text-mute">{brand}</span>}
      </Link>
    ),
  },
  {
    header: 'Contacto',
    cell: ({ contact, phone }) => (
      <>
        {contact}
        {phone && <span className="block text-sm whitespace-nowrap text-mute">{formatPhone(phone)}</span>}
      </>
    ),
  },
  {
    header: 'Alcaldía o municipio',
    cell: ({ municipality }) => (municipality ? municipalityLabel(municipality) : ''),
  },
  { header: 'Aliados', numeric: true, cell: ({ allies }) => thousands(allies) },
]
const work: Column<ListedAgency>[] = [
  { header: 'Clientes', numeric: true, cell: ({ clients }) => thousands(clients ?? 0) },
  { header: 'Instalaciones', numeric: true, cell: ({ installations }) => thousands(installations ?? 0) },
]
const standing: Column<ListedAgency>[] = [
  { header: 'Estado', cell: ({ active }) => <ActiveBadge active={active} /> },
]

type AgencyTableProps = {
  rows: readonly ListedAgency[]
  /** Whether it says what the agencies bring. */
  withWork: boolean
}

/** Agencies as a table on a desk and as cards on a phone. */
export const AgencyTable = ({ rows, withWork }: AgencyTableProps) => (
  <DataTable
    caption="Consecionarias"
    columns={[...columns, ...(withWork ? work : []), ...standing]}
    rows={rows}
    rowKey={({ id }) => id}
  />
)

/** Whether an agency takes part. */
export const ActiveBadge = ({ active }: { active: boolean }) =>
  active ? <Badge tone="ok">Activa</Badge> : <Badge tone="neutral">Inactiva</Badge>
