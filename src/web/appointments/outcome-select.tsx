import { outcomeLabels, outcomes } from '../../domain/appointment.ts'
import { Select } from '../ui/select.tsx'

/** How an appointment that took place ended. What only some ends ask for stands beside it, in the same `group`. */
export const OutcomeSelect = () => (
  <Select
    label="¿Cómo terminó?"
    name="outcome"
    defaultValue="completed"
    options={outcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
  />
)
