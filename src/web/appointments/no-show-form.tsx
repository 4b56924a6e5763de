import type { Failure } from '../submit.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** Says that the customer isn't there, after a call that nobody answered. The photo of the façade will be asked here too. */
export function NoShowForm({ result }: { result: Failure | undefined }) {
  return (
    <Form result={result}>
      <input type="hidden" name="move" value="noShow" />
      <Checkbox label="Intenté llamarle y no contestó" name="called" value="yes" />
      <Field label="¿A qué hora llamaste?" name="calledAt" type="time" />
      <TextArea label="Nota" name="note" optional maxLength={500} help="El cliente también la lee." />
      <Submit variant="destructive">El cliente no se presentó</Submit>
    </Form>
  )
}
