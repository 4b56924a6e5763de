import { Link } from 'react-router'
import { municipalityLabel } from '../../domain/regions.ts'
import type { ListedAgency } from '../../server/agencies/queries.ts'
import { formatPhone, thousands } from '../format.ts'
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
  { header: 'Estado', cell: ({ active }) => <ActiveBadge active={active} /> },
]

/** Agencies as a table on a desk and as cards on a phone. */
export const AgencyTable = ({ rows }: { rows: readonly ListedAgency[] }) => (
  <DataTable caption="Consecionarias" columns={columns} rows={rows} rowKey={({ id }) => id} />
)

/** Whether an agency takes part. */
export const ActiveBadge = ({ active }: { active: boolean }) =>
  active ? <Badge tone="ok">Activa</Badge> : <Badge tone="neutral">Inactiva</Badge>
