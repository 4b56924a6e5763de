import type { OpenLine } from '../../domain/payments/bank-matching.ts'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { LineWords } from './line-words.tsx'
import type { Heard } from './open-lines.tsx'

type LoneLineProps = { line: OpenLine; heard: Heard }

/** A movement that seems to be no payment. */
export const LoneLine = ({ line, heard }: LoneLineProps) => (
  <li className="grid gap-3 border-t border-line py-4 first:border-0 first:pt-0 last:pb-0 lg:grid-cols-2 lg:items-start lg:gap-6">
    <LineWords line={line} />
    <LineChoices line={line} heard={heard} />
  </li>
)

/** Somebody ties a movement to a payment, or says what it is. */
export function LineChoices({ line: { id }, heard }: LoneLineProps) {
  const [tying, ignoring] = [heard('tie-line', id), heard('ignore-line', id)]
  return (
    <div className="grid gap-2">
      <Details summary="Unir a un pago" open={tying !== undefined}>
        <Form result={tying}>
          <input type="hidden" name="lineId" value={id} />
          <Field
            label="Folio del pago"
            name="folio"
            list="pagos-que-esperas"
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={40}
            help="Uno que esperas se registra con esta cantidad. Una transferencia que ya registraste solo se une."
          />
          <Submit name="intent" value="tie-line">
            Unir
          </Submit>
        </Form>
      </Details>
      <Details summary="No es un pago" open={ignoring !== undefined}>
        <Form result={ignoring}>
          <input type="hidden" name="lineId" value={id} />
          <Field
            label="¿Qué es?"
            name="reason"
            maxLength={300}
            help="Por ejemplo, un traspaso entre tus cuentas."
          />
          <Submit name="intent" value="ignore-line" variant="ghost">
            Quitar de la lista
          </Submit>
        </Form>
      </Details>
    </div>
  )
}
