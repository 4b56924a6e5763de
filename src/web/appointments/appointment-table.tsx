import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ListedAppointment } from '../../server/appointments/lists.ts'
import { WaitingBadge } from '../calls/waiting-badge.tsx'
import { CustomerLink } from '../projects/customer-link.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { Link } from '../ui/link.tsx'
import { SheetBadge, StateBadge, StateIcons, WarrantyBadge } from './state-badge.tsx'

type AppointmentTableProps = {
  caption: string
  rows: readonly ListedAppointment[]
  /** Where a row has its own screen. */
  pathOf: (row: ListedAppointment) => string
  withAssignee?: boolean
  /** When the rows were read; left out where no waiting customer is shown. */
  now?: Date
}

/** Appointments as a table on a desk and as cards on a phone. */
export function AppointmentTable({ caption, rows, pathOf, withAssignee = true, now }: AppointmentTableProps) {
  const columns: Column<ListedAppointment>[] = [
    {
      header: 'Cita',
      main: true,
      cell: (row) => (
        <Link to={pathOf(row)} prefetch="intent" discover="none" className={rowLinkClass}>
          {row.folio && <span className="block whitespace-nowrap">{row.folio}</span>}
          <span className={row.folio && 'block text-sm font-normal text-mute'}>
            {serviceFacts[row.service].label}
          </span>
        </Link>
      ),
    },
    {
      header: 'Fecha',
      cell: ({ startsAt }) => <span className="whitespace-nowrap">{dateTime(startsAt)}</span>,
    },
    {
      header: 'Cliente',
      cell: ({ customer, customerId }) => <CustomerLink id={customerId}>{customer}</CustomerLink>,
    },
    // Not for users who see no place.
    ...(rows.some(({ municipality }) => municipality) ? [zone] : []),
    ...(withAssignee ? [{ header: 'Persona', cell: personOf }] : []),
    {
      header: 'Estado',
      cell: ({ isWarranty, service, sheetState, state, waitingSince }) => (
        <span className="flex flex-wrap gap-1 max-lg:justify-end">
          <StateBadge state={state} service={service} sheet />
          {isWarranty && <WarrantyBadge />}
          {sheetState && <SheetBadge state={sheetState} />}
          {waitingSince && now && <WaitingBadge since={waitingSince} now={now} />}
        </span>
      ),
    },
  ]
  return (
    <>
      <StateIcons />
      <DataTable caption={caption} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </>
  )
}

const zone: Column<ListedAppointment> = {
  header: 'Zona',
  // Beside a long name the words would break.
  cell: ({ municipality }) =>
    municipality && <span className="wrap-normal">{municipalityLabel(municipality)}</span>,
}

function personOf({ assignee, confirmed }: ListedAppointment) {
  if (!assignee) return <span className="font-semibold text-bad">Sin persona</span>
  return confirmed ? assignee : <span className="text-mute">{assignee} (provisional)</span>
}
