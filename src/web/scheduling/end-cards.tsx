import { closingReasonCodes, closingReasons } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import type { AppointmentDetail } from '../../server/appointments/detail.ts'
import { concerning } from '../accounts/form-concerned.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

type EndCardsProps = {
  appointment: Pick<AppointmentDetail, 'id' | 'version' | 'assignee'>
  mayRelease: boolean
  result: Failure | undefined
}

/** What the manager can do with an appointment besides giving it: take its person off, or let it go. */
export function EndCards({ appointment: { assignee, version }, mayRelease, result }: EndCardsProps) {
  const [released, cancelled] = [concerning(result, 'release'), concerning(result, 'cancel-by-house')]
  return (
    <div className="mt-6 grid items-start gap-4 lg:grid-cols-2">
      {mayRelease && assignee && (
        <Details summary={`Quitar a ${assignee.name}`} open={released !== undefined}>
          <Form result={released}>
            <input type="hidden" name="version" value={version} />
            <TextArea
              label="Motivo"
              name="releaseReason"
              maxLength={300}
              help="Le avisamos al cliente que buscamos a alguien más."
            />
            <Submit name="intent" value="release" variant="ghost">
              Quitar de la cita
            </Submit>
          </Form>
        </Details>
      )}
      <Details summary="Cancelar la cita" open={cancelled !== undefined}>
        <Form result={cancelled}>
          <input type="hidden" name="version" value={version} />
          <Select
            label="Motivo"
            name="reason"
            placeholder="Elige un motivo"
            options={closingReasonCodes.map((value) => ({ value, label: closingReasons[value] }))}
          />
          <TextArea label="Nota" name="note" optional maxLength={500} help="El cliente la puede leer." />
          <Submit name="intent" value="cancel-by-house" variant="destructive">
            Cancelar la cita
          </Submit>
        </Form>
      </Details>
    </div>
  )
}

type OverdueProps = { appointment: Pick<AppointmentDetail, 'id' | 'service'>; mayMiss: boolean }

/** Its hour went by without anybody saying how it went: nothing else happens by itself any more. */
export const Overdue = ({ appointment, mayMiss }: OverdueProps) => (
  <Alert
    tone="wait"
    title="Ya pasó su hora y nadie dijo cómo quedó"
    className="mb-4"
    actions={
      mayMiss && (
        <LinkButton to={appointmentPath('pending', appointment)} variant="ghost">
          No se presentó
        </LinkButton>
      )
    }
  >
    Cámbiala de día o cancélala aquí. Después el cliente puede agendar otra.
  </Alert>
)
