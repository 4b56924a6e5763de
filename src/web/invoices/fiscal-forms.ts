import type { RouterContextProvider } from 'react-router'
import { fiscalReviewInput } from '../../domain/invoices/fiscal-schema.ts'
import { reviewsFiscal } from '../../domain/invoices/taxpayer.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { fiscalOfQuote, reviewFiscal } from '../../server/invoices/fiscal-data.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'

/** Verifies, or gives back, the fiscal data of whom a quote is for. */
export function fiscalReviewForms(context: Readonly<RouterContextProvider>, quoteId: string, here: string) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const customer = async () => {
    if (!reviewsFiscal(actor)) refuse('permission-denied')
    return (await fiscalOfQuote(database, actor, quoteId)) ?? refuse('not-found')
  }
  return {
    'verify-fiscal': form(fiscalReviewInput['verify-fiscal'], async ({ version }) => {
      const { customerId } = await customer()
      await reviewFiscal(database, actor, { move: 'verify', customerId, version }, now)
      return redirectWithToast(here, 'Datos fiscales verificados', 'Ya se puede facturar con ellos.')
    }),
    'reject-fiscal': form(fiscalReviewInput['reject-fiscal'], async ({ reason, version }) => {
      const { customerId } = await customer()
      await reviewFiscal(database, actor, { move: 'reject', customerId, version, reason }, now)
      return redirectWithToast(here, 'Pediste que los corrijan', 'Le avisamos por correo.')
    }),
  }
}
