import type { Service } from '../../domain/appointments/appointment.ts'
import type { Failure } from '../lib/submit.ts'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { FreeTimes } from './proposals.tsx'
import { ReasonSelect } from './reason-select.tsx'

type CallOffFormProps = { service: Service; proposals: readonly Date[]; result: Failure | undefined }

/** Calls an appointment off on the spot, with the free times that can be proposed there and then. */
export function CallOffForm({ service, proposals, result }: CallOffFormProps) {
  return (
    <Form result={result}>
      <input type="hidden" name="move" value="callOff" />
      {proposals.length > 0 && (
        <div className="grid gap-1">
          <p className="text-[0.9375rem] text-mute">
            Los horarios libres más cercanos, para proponerle otro:
          </p>
          <FreeTimes starts={proposals} />
        </div>
      )}
      <ReasonSelect service={service} help="Le avisamos al cliente y puede agendar otra de inmediato." />
      <TextArea
        label="Nota"
        name="note"
        optional
        maxLength={500}
        help="Qué pasó. El cliente también la lee."
      />
      <Submit variant="destructive">Cancelar la cita</Submit>
    </Form>
  )
}
