import { Link } from 'react-router'
import { kindLabel } from '../../domain/access/actor.ts'
import { formatPhone } from '../../domain/shared/format.ts'
import { calledBy, type User } from '../../domain/users/user.ts'
import type { AgencyName } from '../../server/users/agency-names.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'

type UserTableProps = { rows: readonly User[]; agencies: readonly AgencyName[]; manages: boolean }

/** People as a table on a desk and as cards on a phone. Only the manager's holds anybody who is not active. */
export function UserTable({ rows, agencies, manages }: UserTableProps) {
  const agencyOf = ({ agency }: User) => agencies.find(({ id }) => id === agency)?.name
  const columns: Column<User>[] = [
    {
      header: 'Nombre',
      main: true,
      cell: (user) => (
        <Link to={`/admin/users/${user.uid}`} prefetch="intent" discover="none" className={rowLinkClass}>
          {user.name ? calledBy(user) : 'Sin nombre todavía'}
        </Link>
      ),
    },
    {
      header: 'Rol',
      cell: (user) => (
        <>
          {kindLabel(user)}
          {agencyOf(user) && <span className="block text-sm text-mute">{agencyOf(user)}</span>}
        </>
      ),
    },
    { header: 'Correo', cell: ({ email }) => <span className="break-all">{email}</span> },
    {
      header: 'Teléfono',
      cell: ({ phone }) => <span className="whitespace-nowrap">{phone ? formatPhone(phone) : '–'}</span>,
    },
    ...(manages ? [{ header: 'Cuenta', cell: standing }] : []),
  ]
  return <DataTable caption="Usuarios" columns={columns} rows={rows} rowKey={({ uid }) => uid} />
}

const standing = ({ active }: User) => (active ? 'Activa' : <Badge tone="neutral">Inactiva</Badge>)
