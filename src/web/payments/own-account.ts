import type { RouterContextProvider } from 'react-router'
import { hasPassword } from '../../server/accounts/password.ts'
import { cards, db } from '../../server/app/context.ts'
import { cardPaymentStatuses } from '../../server/integrations/stripe/own-payment.ts'
import { ownInvoicing } from '../../server/invoices/queries.ts'
import { accountOf, agreedTermsOf, ownProjectId } from '../../server/payments/queries.ts'
import { shownSettings } from '../../server/settings/queries.ts'
import { requireActor } from '../lib/require-actor.ts'

export type OwnAccount = Awaited<ReturnType<typeof ownPaymentsPage>>
export type OwnPayment = NonNullable<OwnAccount['account']>['payments'][number]
export type OwnRefund = NonNullable<OwnAccount['account']>['refunds'][number]

/** What a customer's page of payments shows. */
export async function ownPaymentsPage(context: Readonly<RouterContextProvider>) {
  const [database, actor] = [context.get(db), requireActor(context)]
  const projectId = await ownProjectId(database, actor)
  const [account, terms, { spei }] = await Promise.all([
    projectId ? accountOf(database, actor, projectId) : null,
    projectId ? agreedTermsOf(database, projectId) : null,
    shownSettings(database),
  ])
  const invoicing = projectId ? await ownInvoicing(database, actor, projectId) : null
  const byCard = await cardPaymentStatuses(database, context.get(cards), account?.payments ?? [])
  return {
    /** Without one, an account is not told. */
    hasPassword: await hasPassword(database, actor.id),
    projectId,
    invoicing,
    terms,
    spei: spei.clabe ? spei : null,
    account: account && {
      ...account,
      payments: account.payments.map((payment) => ({
        ...shownPayment(payment),
        card: byCard.get(payment.id) ?? { offer: null, voucher: null },
      })),
      refunds: account.refunds.map(shownRefund),
    },
  }
}

type Account = NonNullable<Awaited<ReturnType<typeof accountOf>>>

/** Without who looked at it, and whatever else is the office's. */
function shownPayment(payment: Account['payments'][number]) {
  const { amount, bank, concept, dueAt, folio, id, method, paidAt, proof, rejectedReason } = payment
  const { reversedAt, reversesId, state, trackingKey, version } = payment
  const told = { amount, bank, concept, dueAt, folio, id, method, paidAt, proof, rejectedReason }
  return { ...told, reversedAt, reversesId, state, trackingKey, version }
}

function shownRefund(refund: Account['refunds'][number]) {
  const { amount, beneficiary, clabe, folio, id, materials, method, paidAt, proof, reason } = refund
  const { refusedReason, state, version } = refund
  const told = { amount, beneficiary, clabe, folio, id, materials, method, paidAt, proof, reason }
  return { ...told, refusedReason, state, version }
}
