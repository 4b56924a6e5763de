import type { ReactNode } from 'react'
import type { AppointmentDetail } from '../appointments/project-appointments.ts'
import { serviceFacts } from '../appointments/rules/appointment.ts'
import { fullName, theTime } from '../shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Draft } from './draft.ts'
import type { DraftMove } from './outbox/rows.ts'

const pending = '/admin/appointments-pending'

type EndedHereProps = {
  appointment: Pick<AppointmentDetail, 'customer' | 'folio' | 'service' | 'startsAt'>
  ended: Draft['ended']
  /** How much of it waits to be sent; null once all has arrived. */
  waits: string | null
}

const endTitles: Partial<Record<DraftMove['move'], string>> = {
  callOff: 'Listo, cancelaste la cita',
  noShow: 'Listo, anotaste que no se presentó',
  release: 'Listo, anotaste que no puedes llegar',
}

/** An appointment that was ended here, by its sheet or otherwise, and that has not arrived yet: no action is left. */
export default function EndedHere({ appointment, ended, waits }: EndedHereProps): ReactNode {
  const { customer, folio, service, startsAt } = appointment
  const { label } = serviceFacts[service]
  return (
    <>
      <PageHeader
        title={fullName(customer) || label}
        subtitle={`${label} de ${theTime(startsAt)} · ${folio}`}
        back={{ to: pending, label: 'Próximas citas' }}
      />
      <Alert
        tone="ok"
        title={(ended && endTitles[ended.move]) ?? 'Listo, ya terminaste'}
        actions={
          <LinkButton variant="ghost" to={pending}>
            Ver mis citas
          </LinkButton>
        }
      >
        {/* Announced when it changes: it is sent by itself. */}
        <p role="status">
          {waits === null
            ? 'Ya le llegó a la oficina.'
            : `${waits}. Se envía solo cuando haya señal; deja la app abierta, en cualquier pantalla. En «Por enviar» ves cuándo llegó.`}
        </p>
      </Alert>
    </>
  )
}
