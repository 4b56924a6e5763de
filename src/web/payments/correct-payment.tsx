import { money } from '../../domain/shared/format.ts'
import type { Failure } from '../submit.ts'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { AmountStep, bookWords } from './amount-step.tsx'
import type { OfficeAccount } from './office-account.ts'

type CorrectPaymentProps = {
  payment: Pick<OfficeAccount['payments'][number], 'id' | 'version' | 'folio'>
  /** What was booked in one go with it. */
  booked: number
  result: Failure | undefined
}

/** The manager takes back what was booked by mistake, and says what really came. */
export const CorrectPayment = ({ booked, payment: { folio, id, version }, result }: CorrectPaymentProps) => (
  <Details summary={`Corregir este pago (${folio})`} open={result !== undefined} className="w-full">
    <p className="text-[0.9375rem] text-mute">
      Está registrado de {money(booked)}. Una fila nueva lo quita, su recibo deja de valer y le avisamos a su
      cliente.
    </p>
    <Form result={result}>
      <input type="hidden" name="paymentId" value={id} />
      <input type="hidden" name="version" value={version} />
      <Field
        label="¿Cuánto llegó de verdad?"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        help="Escribe 0 si no llegó nada."
      />
      <TextArea
        label="¿Por qué se corrige?"
        name="reason"
        maxLength={500}
        help="Su cliente lo lee en su correo."
      />
      <AmountStep result={result} />
      <Submit name="intent" value="correct-payment" variant="destructive" className="justify-self-start">
        {bookWords(result, 'Corregir pago')}
      </Submit>
    </Form>
  </Details>
)
