import { ReasonNote, Select, TextArea } from '../../../kit/form/field.tsx'
import { FormDetails, Submit } from '../../../kit/form/form.tsx'
import type { AppointmentDetail } from '../../project-appointments.ts'
import { closingReasonCodes, closingReasons } from '../../rules/appointment.ts'
import { undoSeconds } from '../../rules/undo.ts'
import { NoShowForm } from '../more-actions.tsx'

type EndsProps = {
  appointment: Pick<AppointmentDetail, 'version' | 'assignee'>
  mayRelease: boolean
  mayCancel: boolean
  mayMiss: boolean
  /** Why a no-show can't be said yet. */
  wait: string | null
  /** The address that the forms are sent to; the screen's own where left out. */
  at?: string
}

/** What the manager can do with an appointment besides assigning it: release its assignee, cancel it, or say that its customer was not there. */
export function EndForms({
  appointment: { assignee, version },
  mayRelease,
  mayCancel,
  mayMiss,
  wait,
  at,
}: EndsProps) {
  const to = at ? { action: at } : {}
  return (
    <div className="grid items-start gap-3">
      {mayRelease && assignee && (
        <FormDetails summary={`Quitar a ${assignee.name}`} intent="release" {...to}>
          <input type="hidden" name="version" value={version} />
          <TextArea
            label="Motivo"
            name="releaseReason"
            maxLength={300}
            help="Le avisamos al cliente que buscamos a alguien más."
          />
          <Submit variant="ghost">Quitar de la cita</Submit>
        </FormDetails>
      )}
      {mayMiss && <NoShowForm facade={null} by="intent" {...to} />}
      {wait && <p className="text-sm text-mute">{wait}</p>}
      {mayCancel && <CancelForm appointment={{ version }} {...(at && { at })} />}
    </div>
  )
}

type CancelProps = { appointment: Pick<AppointmentDetail, 'version'> } & Pick<EndsProps, 'at'>

/** Cancels an appointment, with the reason that its customer reads. */
export const CancelForm = ({ appointment: { version }, at }: CancelProps) => (
  <FormDetails summary="Cancelar la cita" intent="cancel-by-house" {...(at && { action: at })}>
    <input type="hidden" name="version" value={version} />
    <Select
      label="Motivo"
      name="reason"
      placeholder="Elige un motivo"
      options={closingReasonCodes.map((value) => ({ value, label: closingReasons[value] }))}
    />
    <ReasonNote label="Nota" name="note" maxLength={500} help="El cliente la puede leer." />
    <p className="text-sm text-mute">
      Durante {undoSeconds} segundos puedes deshacerlo, en el aviso o en la página de la cita. Después le
      avisamos a su gente.
    </p>
    <Submit variant="destructive">Cancelar la cita</Submit>
  </FormDetails>
)
