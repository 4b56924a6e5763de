import { randomUUID } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { mayBeOf } from '../../domain/payments/refund-account.ts'
import { db } from '../../server/app/context.ts'
import { accountOf, payerOf, projectIdOfQuote } from '../../server/payments/queries.ts'
import { seesPayments } from '../../server/payments/refund-rows.ts'
import { requireActor } from '../lib/require-actor.ts'

export type OfficeAccount = NonNullable<Awaited<ReturnType<typeof officeAccount>>>

/** The money of a project for the office: nothing for whoever may not see it. */
export async function officeAccount(context: Readonly<RouterContextProvider>, projectId: string) {
  const actor = requireActor(context)
  if (!seesPayments(actor)) return null
  const account = await accountOf(context.get(db), actor, projectId)
  if (!account) return null
  const payer = await payerOf(context.get(db), projectId)
  return {
    ...account,
    refunds: account.refunds.map((refund) => ({
      ...refund,
      /** Its customer, where the account seems to be somebody else's. */
      notOf: refund.beneficiary && !mayBeOf(refund.beneficiary, payer) ? payer : null,
    })),
    ...{ isManager: actor.kind === 'manager', now: new Date(), requestKey: randomUUID() },
  }
}

/** The same of the project that a quote is for. */
export async function accountOfQuote(context: Readonly<RouterContextProvider>, quoteId: string) {
  const projectId = await projectIdOfQuote(context.get(db), quoteId)
  return projectId ? officeAccount(context, projectId) : null
}
