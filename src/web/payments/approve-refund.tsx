import { longDate, money } from '../../domain/shared/format.ts'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import type { OfficeAccount } from './office-account.ts'
import { AccountFields } from './refund-forms.tsx'

type Refund = OfficeAccount['refunds'][number]
type ApproveRefundProps = { refund: Refund; account: OfficeAccount }

/** Approves a refund: what is kept for materials, by the terms it was accepted with, and the way it goes back. */
export function ApproveRefund({ refund, account }: ApproveRefundProps) {
  const { terms } = refund
  const ways = [
    ...cardsOf(account).map(({ amount, folio, id }) => ({
      value: id,
      label: `A la tarjeta del pago ${folio}, ${money(amount)}`,
    })),
    { value: '', label: 'Por transferencia a su CLABE' },
  ]
  return (
    <Form intent="approve-refund" target={{ refundId: refund.id }}>
      <input type="hidden" name="version" value={refund.version} />
      {terms && <p>{termsWords(terms)}</p>}
      {terms && !terms.isWhole ? (
        <Field
          label="Material ya comprado"
          name="materials"
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          defaultValue="0"
          help="Se descuenta de lo que se devuelve."
        />
      ) : (
        <input type="hidden" name="materials" value="0" />
      )}
      {ways.length > 1 ? (
        <Select label="¿Cómo se devuelve?" name="sourceId" options={ways} defaultValue={ways[0]?.value} />
      ) : (
        <input type="hidden" name="sourceId" value="" />
      )}
      <AccountFields clabe={refund.clabe} beneficiary={refund.beneficiary} optional={ways.length > 1} />
      <Submit>Aprobar reembolso</Submit>
    </Form>
  )
}

const termsWords = ({ isWhole, until }: NonNullable<Refund['terms']>) =>
  isWhole
    ? `Canceló dentro del plazo (hasta el ${longDate(new Date(until.getTime() - 1))}): se devuelve todo.`
    : 'Canceló fuera del plazo, o ya había empezado: se descuenta el material comprado.'

/** Card payments that were not given back yet. */
const cardsOf = ({ payments, refunds }: OfficeAccount) =>
  payments
    .filter(({ amount, method, state }) => state === 'paid' && method === 'card' && amount > 0)
    .map((payment) => ({
      ...payment,
      amount:
        payment.amount -
        refunds
          .filter(
            ({ sourceId, state }) => sourceId === payment.id && (state === 'approved' || state === 'paid'),
          )
          .reduce((sum, { amount }) => sum + amount, 0),
    }))
    .filter(({ amount }) => amount > 0)
