import { CircleCheck, CircleX, Clock, type LucideIcon, Minus, Send, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { type MoveStanding, moveStandings } from '../../domain/scheduling/absence.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { TrackedOffer } from '../../server/scheduling/absences-queries.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'

const icons: Record<MoveStanding, LucideIcon> = {
  sent: Send,
  accepted: CircleCheck,
  declined: CircleX,
  expired: Clock,
  gone: TriangleAlert,
  withdrawn: Minus,
}

const columns: Column<TrackedOffer>[] = [
  {
    header: 'Cita',
    main: true,
    cell: ({ appointmentId: id, customer, folio, service }) => (
      <Link to={appointmentPath('pending', { id, service })} className={rowLinkClass}>
        {customer}
        <span className="block text-sm font-normal whitespace-nowrap text-mute">{folio}</span>
      </Link>
    ),
  },
  { header: 'Era', cell: ({ from }) => dateTime(from) },
  { header: 'Propuesta', cell: ({ to }) => dateTime(to) },
  { header: 'Con', cell: ({ assignee }) => assignee },
  { header: 'Molestia', numeric: true, cell: ({ harm }) => harm },
  { header: 'Vence', cell: ({ expiresAt }) => dateTime(expiresAt) },
  {
    header: 'Respuesta',
    cell: ({ standing }) => (
      <Badge tone={moveStandings[standing].tone} icon={icons[standing]}>
        {moveStandings[standing].label}
      </Badge>
    ),
  },
]

/** What was offered to each customer, and how they answered: it changes by itself. */
export function OfferTable({ offers }: { offers: readonly TrackedOffer[] }) {
  const open = offers.filter(({ standing }) => standing === 'sent').length
  return (
    <section aria-labelledby="propuestas" className="grid grid-cols-1 gap-4">
      <div className="grid gap-1" aria-live="polite">
        <h2 id="propuestas" className="text-lg font-semibold">
          Propuestas
        </h2>
        <p className="text-[0.9375rem] text-mute">
          {open === 0
            ? 'Todas tienen respuesta.'
            : open === 1
              ? 'Falta 1 respuesta.'
              : `Faltan ${open} respuestas.`}
        </p>
      </div>
      <DataTable
        caption="Propuestas de otro horario"
        columns={columns}
        rows={offers}
        rowKey={({ id }) => id}
      />
    </section>
  )
}
