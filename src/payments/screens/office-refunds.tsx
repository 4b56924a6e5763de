import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { Field, Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit } from '../../kit/form/form.tsx'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { dateTime, localDay, longDate, money } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { clabeInParts } from '../rules/banks.ts'
import { mayAskForRefund } from '../rules/payment.ts'
import { AccountFields } from './account-table.tsx'
import type { OfficeAccount } from './forms.ts'
import { RefundBadge } from './payment-badge.tsx'

type OfficeRefundsProps = { account: OfficeAccount }
type Refund = OfficeAccount['refunds'][number]

/** Whether a refund can be proposed: the customer paid too much, and no refund is under way. */
const canPropose = ({ isManager, ledger, refunds }: OfficeAccount) =>
  isManager && mayAskForRefund(ledger.credit, refunds)

/** Pending and past refunds; a manager decides and pays, an analyst reads. */
export function OfficeRefunds({ account }: OfficeRefundsProps) {
  const { ledger, refunds } = account
  return (
    <>
      {refunds.map((refund) => (
        <RefundCard key={refund.id} refund={refund} account={account} />
      ))}
      {canPropose(account) && (
        <Card title={`Hay ${money(ledger.credit)} a favor del cliente`}>
          <Form intent="propose-refund">
            <TextArea label="¿Por qué se devuelve?" name="reason" maxLength={500} />
            <Submit>Proponer reembolso</Submit>
          </Form>
        </Card>
      )}
    </>
  )
}

function RefundCard({ refund, account }: OfficeRefundsProps & { refund: Refund }) {
  const {
    accountAt,
    amount,
    beneficiary,
    clabe,
    folio,
    materials,
    method,
    notOf,
    paidAt,
    proof,
    reason,
    refusedReason,
    state,
  } = refund
  return (
    <Card title={`Reembolso ${folio}`} aside={<RefundBadge {...refund} />}>
      <DefinitionList
        items={[
          { term: 'Cantidad', value: money(amount) },
          { term: 'Motivo', value: reason },
          { term: 'Material descontado', value: materials > 0 ? money(materials) : null },
          { term: 'Cómo', value: method === 'card' ? 'A su tarjeta' : null },
          { term: 'CLABE', value: method !== 'card' && clabe ? clabeInParts(clabe) : null },
          { term: 'A nombre de', value: method !== 'card' ? beneficiary : null },
          { term: 'Cuenta dada', value: method !== 'card' ? accountAt && dateTime(accountAt) : null },
          { term: 'Pagado', value: paidAt && dateTime(paidAt) },
          { term: refund.isWithdrawn ? 'Retirado' : 'No procede', value: refusedReason },
        ]}
      />
      {notOf && method !== 'card' && (state === 'requested' || state === 'approved') && (
        <Alert tone="wait" title="La cuenta está a otro nombre">
          El cliente se llama {notOf}. Llámale antes de aprobar o de transferir.
        </Alert>
      )}
      {proof && <DocumentLink document={proof}>Comprobante</DocumentLink>}
      {account.isManager && state === 'requested' && <ApproveRefund refund={refund} account={account} />}
      {account.isManager && state === 'approved' && <Pay refund={refund} account={account} />}
      {account.isManager && (state === 'requested' || state === 'approved') && <Refuse refund={refund} />}
    </Card>
  )
}

function Pay({ refund, account: { now } }: OfficeRefundsProps & { refund: Refund }) {
  if (refund.method === 'card')
    return (
      <Alert tone="info" title="Va en camino a su tarjeta">
        Se registra solo cuando Stripe lo confirma.
      </Alert>
    )
  return (
    <Form intent="pay-refund" target={{ refundId: refund.id }} encType="multipart/form-data">
      <input type="hidden" name="version" value={refund.version} />
      <Field
        type="date"
        label="Día de la transferencia"
        name="paidOn"
        max={localDay(now)}
        defaultValue={localDay(now)}
      />
      <DocumentField purpose="refund_proof" label="Comprobante de la transferencia" />
      <Submit>Registrar reembolso</Submit>
    </Form>
  )
}

const Refuse = ({ refund: { id, version } }: { refund: Refund }) => (
  <FormDetails summary="No procede" intent="refuse-refund" target={{ refundId: id }}>
    <input type="hidden" name="version" value={version} />
    <TextArea label="¿Por qué no procede?" name="reason" maxLength={500} help="El cliente lo lee." />
    <NoWayBack to="al cliente, si tiene correo" />
    <Submit variant="destructive">Rechazar reembolso</Submit>
  </FormDetails>
)

type RefundToApprove = OfficeAccount['refunds'][number]
type ApproveRefundProps = { refund: RefundToApprove; account: OfficeAccount }

/** Approves a refund: what is kept for materials, by the accepted terms, and how it is refunded. */
function ApproveRefund({ refund, account }: ApproveRefundProps) {
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
      <NoWayBack to="al cliente, si tiene correo" />
      <Submit>Aprobar reembolso</Submit>
    </Form>
  )
}

const termsWords = ({ isWhole, until }: NonNullable<RefundToApprove['terms']>) =>
  isWhole
    ? `Canceló dentro del plazo (hasta el ${longDate(new Date(until.getTime() - 1))}): se devuelve todo.`
    : 'Canceló fuera del plazo, o ya había empezado: se descuenta el material comprado.'

/** Card payments that were not refunded yet. */
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
