import { correctable } from '../../domain/payment.ts'
import { mayAskForRefund } from '../../domain/refund.ts'
import type { FormResult } from '../ui/form.tsx'
import type { OfficeAccount } from './office-account.ts'

/** Whether a refund can be proposed: there is too much of their money, and none is on its way back. */
export const canPropose = ({ isManager, ledger, refunds }: OfficeAccount) =>
  isManager && mayAskForRefund(ledger.credit, refunds)

type Sent = FormResult['values']

const stands = (
  rows: readonly { id: string; state: string }[],
  id: string | undefined,
  states: readonly string[],
) => rows.some((row) => row.id === id && states.includes(row.state))

const isThere: Record<string, (account: OfficeAccount, sent: Sent) => boolean> = {
  'confirm-proof': ({ payments }, { paymentId }) => stands(payments, paymentId, ['in_review']),
  'reject-proof': ({ payments }, { paymentId }) => stands(payments, paymentId, ['in_review']),
  'record-payment': ({ isManager }) => isManager,
  'correct-payment': ({ isManager, payments }, { paymentId }) =>
    isManager && payments.some((row) => row.id === paymentId && correctable(row)),
  'propose-refund': canPropose,
  'approve-refund': ({ refunds }, { refundId }) => stands(refunds, refundId, ['requested']),
  'refuse-refund': ({ refunds }, { refundId }) => stands(refunds, refundId, ['requested', 'approved']),
  'pay-refund': ({ refunds }, { refundId }) => stands(refunds, refundId, ['approved']),
}

/** An answer about payments whose form somebody else's change took away meanwhile. */
export function unheardPayment(account: OfficeAccount, result: FormResult | undefined) {
  const intent = result?.values.intent ?? ''
  const there = Object.hasOwn(isThere, intent) ? isThere[intent] : undefined
  return result && there && !there(account, result.values) ? result : undefined
}
