import { Link } from 'react-router'
import { municipalityLabel } from '../../domain/regions.ts'
import { serviceFacts } from '../../domain/services.ts'
import type { ListedAppointment } from '../../server/appointments/lists.ts'
import { dateTime } from '../format.ts'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { StateBadge, StateIcons } from './state-badge.tsx'

type AppointmentTableProps = {
  caption: string
  rows: readonly ListedAppointment[]
  /** The folder of the rows' own screens. */
  to: string
  withAssignee?: boolean
}

/** Appointments as a table on a desk and as cards on a phone. */
export function AppointmentTable({ caption, rows, to, withAssignee = true }: AppointmentTableProps) {
  const columns: Column<ListedAppointment>[] = [
    {
      header: 'Cita',
      main: true,
      cell: ({ id, folio, service }) => (
        <Link to={`${to}/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
          <span className="whitespace-nowrap">{folio}</span>
          <span className="block text-sm font-normal text-mute">{serviceFacts[service].label}</span>
        </Link>
      ),
    },
    {
      header: 'Fecha',
      cell: ({ startsAt }) => <span className="whitespace-nowrap">{dateTime(startsAt)}</span>,
    },
    { header: 'Cliente', cell: ({ customer }) => customer },
    {
      header: 'Zona',
      // Beside a long name it would be cut within its words.
      cell: ({ municipality }) =>
        municipality && <span className="wrap-normal">{municipalityLabel(municipality)}</span>,
    },
    ...(withAssignee ? [{ header: 'Persona', cell: personOf }] : []),
    { header: 'Estado', cell: ({ state }) => <StateBadge state={state} sheet /> },
  ]
  return (
    <>
      <StateIcons />
      <DataTable caption={caption} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </>
  )
}

function personOf({ assignee, confirmed }: ListedAppointment) {
  if (!assignee) return <span className="font-semibold text-bad">Sin persona</span>
  return confirmed ? assignee : <span className="text-mute">{assignee} (provisional)</span>
}
