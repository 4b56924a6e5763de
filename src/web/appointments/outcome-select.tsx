import { type Outcome, outcomeLabels, outcomes } from '../../domain/appointments/appointment.ts'
import { Select } from '../ui/select.tsx'

/** How an appointment that took place ended. What only some ends ask for stands beside it, in the same `group`. */
export const OutcomeSelect = ({ offered = outcomes }: { offered?: readonly [Outcome, ...Outcome[]] }) => (
  <Select
    label="¿Cómo terminó?"
    name="outcome"
    defaultValue={offered[0]}
    options={offered.map((value) => ({ value, label: outcomeLabels[value] }))}
  />
)
