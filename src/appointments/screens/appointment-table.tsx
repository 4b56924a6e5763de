import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { toMinutes } from '../../shared/calendar.ts'
import { dayTimeIn, formatPhone, hourCountWords } from '../../shared/format.ts'
import { homeOrZone } from '../../shared/places.ts'
import { type Boxes, type Column, DataTable, rowLinkClass, type Sorting } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { ListedAppointment } from '../lists.ts'
import { serviceFacts, stateFacts } from '../rules/appointment.ts'
import { lateMinutes } from '../rules/late.ts'
import { WaitingBadge } from './day/waiting-badge.tsx'
import { CallAssignee, LateBadge } from './office-notices.tsx'
import { SheetBadge, StateBadge, StateIcons, WarrantyBadge } from './state-badge.tsx'

/** `isUnsent`: the phone alone knows its state. */
type Row = ListedAppointment & { isUnsent?: boolean }

type AppointmentTableProps = {
  caption: string
  rows: readonly Row[]
  /** Where a row has its own screen. */
  pathOf: (row: ListedAppointment) => string
  withAssignee?: boolean
  withMinutes?: boolean
  sorting?: Sorting
  boxes?: Boxes<ListedAppointment> | undefined
  /** When the rows were read. */
  now: Date
}

/** Appointments as a table on a desk and as cards on a phone. */
export function AppointmentTable({
  caption,
  rows,
  pathOf,
  withAssignee = true,
  withMinutes = false,
  boxes,
  now,
  sorting,
}: AppointmentTableProps) {
  const has = (read: (row: Row) => unknown) => rows.some(read)
  const lateOf = ({ startsAt, state }: ListedAppointment) =>
    withAssignee ? lateMinutes({ state, start: toMinutes(startsAt) }, toMinutes(now)) : 0
  // Beside a second badge there is no room for the phone, nor in a small window for what the folio says too.
  const hasMore = has(
    (row) => row.isUnsent || row.isWarranty || row.sheetState || row.waitingSince || lateOf(row) > 0,
  )
  const columns: Column<ListedAppointment>[] = [
    {
      header: 'Cita',
      main: true,
      width: 9.25,
      cell: (row) => (
        <Link to={pathOf(row)} prefetch="intent" discover="none" className={rowLinkClass}>
          {row.folio || serviceFacts[row.service].label}
        </Link>
      ),
    },
    { header: 'Fecha', width: 11.25, sorting, cell: ({ startsAt }) => dayTimeIn(startsAt, now) },
    ...(withMinutes ? [{ header: 'Dura', numeric: true, width: 5, cell: hoursOf }] : []),
    {
      header: 'Cliente',
      cell: ({ customer, customerId }) => <CustomerLink id={customerId}>{customer}</CustomerLink>,
    },
    // Not for users who see no folio, phone or place.
    ...(has(({ folio }) => folio) ? [hasMore ? { ...service, from: 'wide' as const } : service] : []),
    ...(has(({ phone }) => phone) && !hasMore ? [phone] : []),
    ...(has(({ home, municipality }) => home ?? municipality) ? [zone] : []),
    ...(withAssignee ? [{ header: 'Persona', cell: personOf }] : []),
    {
      header: 'Estado',
      width: hasMore ? 14.75 : 8.5,
      cell: (row) => <StateCell row={row} now={now} late={lateOf(row)} />,
    },
  ]
  return (
    <>
      <StateIcons />
      <DataTable
        dense
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        boxes={boxes}
      />
    </>
  )
}

type StateCellProps = { row: Row; now: Date; late: number }

/** The state of an appointment and what is special about it; a late one with the call to its assignee. */
function StateCell({ row, now, late }: StateCellProps) {
  const { assignee, assigneePhone, isUnsent, isWarranty, service, sheetState, state, waitingSince } = row
  return (
    <span className="flex items-center gap-1 max-lg:flex-wrap max-lg:justify-end">
      <span title={late > 0 ? stateFacts[state].label : undefined} className="inline-flex">
        <StateBadge state={state} service={service} sheet isShort={late > 0} isUnsent={isUnsent} />
      </span>
      {isWarranty && <WarrantyBadge />}
      {sheetState && <SheetBadge state={sheetState} />}
      {waitingSince && <WaitingBadge since={waitingSince} now={now} />}
      {late > 0 && <LateBadge minutes={late} />}
      {late > 0 && assignee && assigneePhone && (
        <CallAssignee inRow name={assignee} phone={assigneePhone} className={callClass} />
      )}
    </span>
  )
}

/** Above the link that the whole row is on a phone. */
const callClass =
  'relative z-10 inline-flex min-h-11 items-center gap-1 text-[0.8125rem] font-semibold text-brand underline underline-offset-2 lg:min-h-7 lg:w-7 lg:shrink-0 lg:justify-center'

const service: Column<ListedAppointment> = {
  header: 'Servicio',
  width: 7.5,
  from: 'medium',
  cell: (row) => serviceFacts[row.service].label,
}

const phone: Column<ListedAppointment> = {
  header: 'Teléfono',
  width: 7.5,
  from: 'wide',
  cell: (row) => row.phone && formatPhone(row.phone),
}

const zone: Column<ListedAppointment> = {
  header: 'Zona',
  from: 'medium',
  cell: ({ home, municipality }) => homeOrZone(home, municipality),
}

const hoursOf = ({ minutes }: ListedAppointment) => hourCountWords(minutes)

function personOf({ assignee, confirmed }: ListedAppointment) {
  if (!assignee) return <span className="font-semibold text-bad">Sin persona</span>
  return confirmed ? (
    assignee
  ) : (
    <span className="text-mute" title={`${assignee} (provisional)`}>
      {assignee} (provisional)
    </span>
  )
}
