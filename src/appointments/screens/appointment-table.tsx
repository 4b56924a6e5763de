import { CustomerCell } from '../../projects/screens/customer-cell.tsx'
import { toMinutes } from '../../shared/calendar.ts'
import { briefTime, shortFolio } from '../../shared/columns.ts'
import { hourCountWords } from '../../shared/format.ts'
import { homeOrZone } from '../../shared/places.ts'
import {
  type Boxes,
  type Column,
  DataTable,
  rowLinkClass,
  SecondLine,
  type Sorting,
} from '../../ui/data-table.tsx'
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
  const columns: Column<ListedAppointment>[] = [
    { header: 'Cliente', main: true, cell: (row) => <CustomerCell row={{ ...row, home: null }} /> },
    { header: 'Fecha', sorting, cell: ({ startsAt }) => briefTime(startsAt, now) },
    ...(withMinutes ? [{ header: 'Dura', numeric: true, cell: hoursOf }] : []),
    {
      header: 'Cita',
      whole: true,
      cell: (row) => {
        const service = serviceFacts[row.service].label
        return (
          <>
            <Link
              to={pathOf(row)}
              prefetch="intent"
              discover="none"
              title={row.folio || undefined}
              className={rowLinkClass}
            >
              {shortFolio(row.folio, now) || service}
            </Link>
            {row.folio && <SecondLine>{service}</SecondLine>}
          </>
        )
      },
    },
    // Not for users who see no place.
    ...(has(({ home, municipality }) => home ?? municipality) ? [zone] : []),
    ...(withAssignee ? [{ header: 'Persona', cell: personOf }] : []),
    { header: 'Estado', cell: (row) => <StateCell row={row} now={now} late={lateOf(row)} /> },
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
    <span className="flex flex-wrap items-center gap-1 max-lg:justify-end @min-[60rem]:flex-nowrap">
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

const zone: Column<ListedAppointment> = {
  header: 'Zona',
  from: 'medium',
  cell: ({ home, municipality }) => homeOrZone(home, municipality),
}

const hoursOf = ({ minutes }: ListedAppointment) => hourCountWords(minutes)

function personOf({ assignee, confirmed }: ListedAppointment) {
  if (!assignee) return <span className="font-semibold text-bad">Sin persona</span>
  return confirmed ? assignee : <span className="text-mute">{assignee} (provisional)</span>
}
