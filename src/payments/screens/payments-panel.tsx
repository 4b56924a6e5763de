import { Field, Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, useFormResult } from '../../kit/form/form.tsx'
import { localDay, money, shortDate } from '../../shared/format.ts'
import { Card, Details } from '../../ui/card.tsx'
import { conceptLabels, conceptOf, correctable, methodLabels } from '../rules/payment.ts'
import { AccountTable, bankOptions } from './account-table.tsx'
import type { OfficeAccount } from './forms.ts'
import { OfficeRefunds } from './office-refunds.tsx'
import { PaymentBadge } from './payment-badge.tsx'
import { AmountStep, BookButton, ReviewProof } from './review-proof.tsx'

/** The money of a project, for analysts and managers: what waits for them first, the account, and all payments. */
export function PaymentsPanel({ account }: { account: OfficeAccount }) {
  const { isManager, ledger, lines, now, payments, requestKey } = account
  return (
    <div className="grid gap-4" id="cobros">
      {payments
        .filter(({ state }) => state === 'in_review')
        .map((payment) => (
          <ReviewProof key={payment.id} payment={payment} now={now} />
        ))}
      <OfficeRefunds account={account} />
      <Card title="Cobros" aside={<p className="font-semibold tabular-nums">{standing(ledger)}</p>}>
        {lines.length === 0 && <p className="text-mute">Todavía no hay cargos ni pagos.</p>}
        {lines.length > 0 && <AccountTable lines={lines} ledger={ledger} />}
        <Rows payments={payments} isManager={isManager} now={now} />
        {isManager && <RecordForm payments={payments} now={now} requestKey={requestKey} />}
      </Card>
    </div>
  )
}

const standing = ({ credit, owed }: OfficeAccount['ledger']) =>
  credit > 0 ? `A favor ${money(credit)}` : owed > 0 ? `Falta ${money(owed)}` : 'Al corriente'

type RowsProps = Pick<OfficeAccount, 'payments' | 'isManager' | 'now'>

/** Every payment that was requested or made, in its current state; the manager corrects what was typed. */
function Rows({ isManager, now, payments }: RowsProps) {
  if (payments.length === 0) return null
  return (
    <ul className="grid gap-3 border-t border-line pt-4" aria-label="Pagos">
      {payments.map((payment) => {
        const { amount, dueAt, folio, id, method, paidAt, state } = payment
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="grid gap-0.5">
              <span>{conceptOf(payment)}</span>
              <span className="text-sm text-mute">
                {folio}
                {method && `, ${methodLabels[method]}`}
                {paidAt
                  ? `, ${shortDate(paidAt)}`
                  : dueAt && state === 'pending'
                    ? `, para el ${shortDate(dueAt)}`
                    : ''}
              </span>
            </span>
            <span className="flex items-center gap-3">
              <span className="tabular-nums">{money(amount)}</span>
              <PaymentBadge {...payment} />
            </span>
            {isManager && correctable(payment) && !isExcess(payment, payments) && (
              <CorrectPayment
                payment={payment}
                now={now}
                booked={payments
                  .filter((other) => isExcess(other, [payment]))
                  .reduce((sum, other) => sum + other.amount, amount)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

type Row = OfficeAccount['payments'][number]

/** The excess booked with another payment, at the same moment: it is corrected with that one. */
const isExcess = (row: Row, others: readonly Row[]) =>
  correctable(row) &&
  row.trackingKey === null &&
  others.some(
    (other) =>
      other.id === row.followsId &&
      correctable(other) &&
      other.method === row.method &&
      other.paidAt?.getTime() === row.paidAt?.getTime(),
  )

type CorrectPaymentProps = {
  payment: Pick<OfficeAccount['payments'][number], 'id' | 'version' | 'folio' | 'method' | 'paidAt'>
  now: Date
  /** The amount booked together with it. */
  booked: number
}

/** The manager reverses what was booked by mistake, and enters what really came. */
const CorrectPayment = ({
  booked,
  now,
  payment: { folio, id, method, paidAt, version },
}: CorrectPaymentProps) => (
  <FormDetails
    summary={`Corregir este pago (${folio})`}
    className="w-full"
    intent="correct-payment"
    target={{ paymentId: id }}
    intro={
      <p className="text-[0.9375rem] text-mute">
        Está registrado de {money(booked)}. Un movimiento de corrección lo cancela y su recibo pierde validez;
        el reembolso que se pidió por él se retira y le avisamos al cliente.
      </p>
    }
  >
    <input type="hidden" name="version" value={version} />
    <div className="grid gap-5 sm:grid-cols-3">
      <Field
        label="¿Cuánto llegó en realidad?"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        help="Escribe 0 si no llegó nada."
      />
      <Field
        type="date"
        label="Día en que llegó"
        name="paidOn"
        max={localDay(now)}
        defaultValue={paidAt ? localDay(paidAt) : ''}
      />
      <Select label="Cómo pagó" name="method" options={methods} defaultValue={method ?? 'cash'} />
    </div>
    <TextArea
      label="¿Por qué se corrige?"
      name="reason"
      maxLength={500}
      help="El cliente lo lee en su correo."
    />
    <AmountStep />
    <BookButton variant="destructive" className="justify-self-start">
      Corregir pago
    </BookButton>
  </FormDetails>
)

type RecordFormProps = {
  payments: OfficeAccount['payments']
  now: Date
  requestKey: string
}

const methods = [
  { value: 'cash', label: 'Efectivo' },
  { value: 'terminal', label: 'Terminal' },
  { value: 'spei', label: 'Transferencia SPEI' },
]

/** The manager records money that came by hand, by a terminal, or by a transfer that was not reported. */
function RecordForm({ payments, now, requestKey }: RecordFormProps) {
  const result = useFormResult('record-payment')
  const open = payments.filter(({ state }) => state === 'pending' || state === 'expired')
  const forWhat = [
    ...open.map(({ amount, concept, folio, id }) => ({
      value: id,
      label: `${conceptLabels[concept]} ${folio}, ${money(amount)}`,
    })),
    { value: '', label: 'Abono a su saldo' },
  ]
  return (
    <Details summary="Registrar un pago" open={result !== undefined}>
      <Form intent="record-payment" key={requestKey}>
        <input type="hidden" name="requestKey" value={result?.values.requestKey ?? requestKey} />
        <div className="grid gap-5 sm:grid-cols-2">
          <Select label="¿Qué paga?" name="paymentId" options={forWhat} defaultValue={open[0]?.id ?? ''} />
          <Field
            label="Cantidad recibida"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
          />
          <Select label="¿Cómo pagó?" name="method" options={methods} />
          <Field
            type="date"
            label="¿Qué día?"
            name="paidOn"
            max={localDay(now)}
            defaultValue={localDay(now)}
          />
        </div>
        <fieldset className="grid gap-5 sm:grid-cols-2">
          <legend className="mb-3 text-sm text-mute">Solo si fue una transferencia</legend>
          <Select
            label="Banco"
            name="bank"
            optional="unsaid"
            placeholder="Elige un banco"
            options={bankOptions}
          />
          <Field
            label="Clave de rastreo"
            name="trackingKey"
            optional="unsaid"
            autoComplete="off"
            maxLength={40}
          />
        </fieldset>
        <TextArea label="Nota" name="note" optional maxLength={300} />
        <AmountStep />
        <BookButton>Registrar pago</BookButton>
      </Form>
    </Details>
  )
}
