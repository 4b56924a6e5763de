import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import type { ListedAppointment } from '../../server/appointments/lists.ts'
import { AppointmentTable } from '../appointments/appointment-table.tsx'

/** The next appointments of an agency's clients. */
export function Upcoming({ rows }: { rows: readonly ListedAppointment[] }) {
  if (rows.length === 0) return null
  return (
    <section className="grid gap-4">
      <h2 className="text-lg font-semibold">Lo que sigue con tus clientes</h2>
      <AppointmentTable
        caption="Próximas citas de tus clientes"
        rows={rows}
        pathOf={(row) => appointmentPath('pending', row, 'alliate')}
        withAssignee={false}
      />
    </section>
  )
}
