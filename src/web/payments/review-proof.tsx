import type { ReactNode } from 'react'
import { bankName } from '../../domain/payments/banks.ts'
import { conceptLabels } from '../../domain/payments/payment.ts'
import { dateTime, localDay, money, plainAmount } from '../../domain/shared/format.ts'
import type { ToConfirm } from '../../server/payments/proofs.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, FormDetails, Submit, useOwnResult } from '../ui/form.tsx'
import type { OfficeAccount } from './forms.ts'
import { PaymentBadge } from './payment-badge.tsx'

type Facts = 'id' | 'version' | 'amount' | 'bank' | 'concept' | 'folio' | 'state' | 'trackingKey'
type Payment = Pick<OfficeAccount['payments'][number], Facts | 'proof' | 'proofSentAt' | 'sameKey'>
type ReviewProofProps = {
  payment: Payment
  now: Date
  /** Its customer, where the screen is not the customer's own. */
  payer?: ReactNode
}

/** A transfer that its customer says was made: the reviewer who finds it in the account types how much came. */
export function ReviewProof({ payment, now, payer }: ReviewProofProps) {
  const { amount, bank, concept, folio, id, proof, proofSentAt, sameKey, state, trackingKey, version } =
    payment
  return (
    <Card title={`Revisa la transferencia ${folio}`} aside={<PaymentBadge state={state} />}>
      <DefinitionList
        items={[
          { term: 'Cliente', value: payer },
          { term: 'Se pidió', value: `${money(amount)}, ${conceptLabels[concept].toLowerCase()}` },
          { term: 'Banco', value: bank && bankName(bank) },
          { term: 'Clave de rastreo', value: trackingKey },
          { term: 'La mandó', value: proofSentAt && dateTime(proofSentAt) },
        ]}
      />
      {sameKey && (
        <Alert tone="wait" title={`Esta clave ya se usó en ${sameKey.folio}, de ${sameKey.customer}.`}>
          Un mismo depósito paga una sola vez. Compáralo con la cuenta antes de registrarlo.
        </Alert>
      )}
      {proof && <DocumentLink document={proof}>Ver comprobante</DocumentLink>}
      <Form intent="confirm-proof" target={{ paymentId: id }}>
        <input type="hidden" name="version" value={version} />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Cantidad que llegó"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
            defaultValue={plainAmount(amount)}
            help="La de la cuenta, aunque no sea la que se pidió."
          />
          <Field
            type="date"
            label="Día en que llegó"
            name="paidOn"
            max={localDay(now)}
            defaultValue={localDay(proofSentAt ?? now)}
          />
        </div>
        <AmountStep />
        <BookButton>Registrar pago</BookButton>
      </Form>
      <FormDetails summary="No llegó, o no es este pago" intent="reject-proof" target={{ paymentId: id }}>
        <input type="hidden" name="version" value={version} />
        <TextArea label="¿Qué le decimos a su cliente?" name="reason" maxLength={500} />
        <Submit variant="destructive">Rechazar comprobante</Submit>
      </FormDetails>
    </Card>
  )
}

/** What the answer to the form asks to be confirmed; null when it asks nothing. */
const useToConfirm = (): ToConfirm | null =>
  (useOwnResult()?.refusal?.details as { confirm?: ToConfirm } | undefined)?.confirm ?? null

/** The second step of an amount whose consequence was shown: its button names the amount, or it is typed again. */
export function AmountStep() {
  const confirm = useToConfirm()
  if (!confirm) return null
  if (!confirm.twice) return <input type="hidden" name="sure" value={confirm.amount} />
  return (
    <Field
      label="Escribe otra vez la cantidad"
      name="again"
      inputMode="decimal"
      autoComplete="off"
      maxLength={16}
      help={`Es más de lo que debe: ${money(confirm.amount)}.`}
    />
  )
}

type BookButtonProps = Pick<Parameters<typeof Submit>[0], 'variant' | 'className'> & { children: ReactNode }

/** The button of such a form, which names the amount once its consequence was shown. */
export function BookButton({ children, ...rest }: BookButtonProps) {
  const confirm = useToConfirm()
  return <Submit {...rest}>{confirm ? `Sí, registrar ${money(confirm.amount)}` : children}</Submit>
}
