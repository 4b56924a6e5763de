import { randomUUID } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { db } from '../../server/context.ts'
import { accountOf, projectIdOfQuote } from '../../server/payments/queries.ts'
import { seesPayments } from '../../server/payments/visible.ts'
import { someone } from '../someone.ts'

export type OfficeAccount = NonNullable<Awaited<ReturnType<typeof officeAccount>>>

/** The money of a project for the office: nothing for whoever may not see it. */
export async function officeAccount(context: Readonly<RouterContextProvider>, projectId: string) {
  const actor = someone(context)
  if (!seesPayments(actor)) return null
  const account = await accountOf(context.get(db), actor, projectId)
  return (
    account && { ...account, isManager: actor.kind === 'manager', now: new Date(), requestKey: randomUUID() }
  )
}

/** The same of the project that a quote is for. */
export async function accountOfQuote(context: Readonly<RouterContextProvider>, quoteId: string) {
  const projectId = await projectIdOfQuote(context.get(db), quoteId)
  return projectId ? officeAccount(context, projectId) : null
}
