import { closingReasons, fieldReasons, type Service } from '../../domain/appointments/appointment.ts'
import { Select } from '../ui/select.tsx'

type ReasonSelectProps = { service: Service; help?: string; className?: string }

/** Why an appointment ends otherwise than it should, in the field `reason`. */
export const ReasonSelect = ({ service, ...rest }: ReasonSelectProps) => (
  <Select
    label="Motivo"
    name="reason"
    placeholder="Elige un motivo"
    options={fieldReasons(service === 'videocall').map((value) => ({ value, label: closingReasons[value] }))}
    {...rest}
  />
)
