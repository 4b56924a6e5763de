import { money } from '../../domain/shared/format.ts'
import { Field, TextArea } from '../ui/field.tsx'
import { FormDetails } from '../ui/form.tsx'
import { AmountStep, BookButton } from './amount-step.tsx'
import type { OfficeAccount } from './office-account.ts'

type CorrectPaymentProps = {
  payment: Pick<OfficeAccount['payments'][number], 'id' | 'version' | 'folio'>
  /** What was booked in one go with it. */
  booked: number
}

/** The manager takes back what was booked by mistake, and says what really came. */
export const CorrectPayment = ({ booked, payment: { folio, id, version } }: CorrectPaymentProps) => (
  <FormDetails
    summary={`Corregir este pago (${folio})`}
    className="w-full"
    intent="correct-payment"
    target={{ paymentId: id }}
    intro={
      <p className="text-[0.9375rem] text-mute">
        Está registrado de {money(booked)}. Una fila nueva lo quita, su recibo deja de valer y le avisamos a
        su cliente.
      </p>
    }
  >
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
    <AmountStep />
    <BookButton variant="destructive" className="justify-self-start">
      Corregir pago
    </BookButton>
  </FormDetails>
)
