import { conceptOf, correctable, methodLabels } from '../../domain/payments/payment.ts'
import { money, shortDate } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { AccountTable } from './account-table.tsx'
import { CorrectPayment } from './correct-payment.tsx'
import type { OfficeAccount } from './office-account.ts'
import { OfficeRefunds } from './office-refunds.tsx'
import { PaymentBadge } from './payment-badge.tsx'
import { RecordForm } from './record-form.tsx'
import { ReviewProof } from './review-proof.tsx'

/** The money of a project, for analysts and managers: what waits for them first, then the account, and everything that was paid. */
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
        <Rows payments={payments} isManager={isManager} />
        {isManager && <RecordForm payments={payments} now={now} requestKey={requestKey} />}
      </Card>
    </div>
  )
}

const standing = ({ credit, owed }: OfficeAccount['ledger']) =>
  credit > 0 ? `A favor ${money(credit)}` : owed > 0 ? `Falta ${money(owed)}` : 'Al corriente'

type RowsProps = Pick<OfficeAccount, 'payments' | 'isManager'>

/** Every payment that was asked for or made, as it stands; the manager corrects what was typed. */
function Rows({ isManager, payments }: RowsProps) {
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

/** What was booked beyond what another asked for, at the same moment: it is corrected with that one. */
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
