import type { RouterContextProvider } from 'react-router'
import { fiscalReviewInput } from '../../domain/fiscal-input.ts'
import { reviewsFiscal } from '../../domain/fiscal-life.ts'
import { refuse } from '../../domain/refusal.ts'
import { db } from '../../server/context.ts'
import { reviewFiscal } from '../../server/fiscal/changes.ts'
import { fiscalOfQuote } from '../../server/fiscal/queries.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

const intents: readonly unknown[] = ['verify-fiscal', 'reject-fiscal']

/** Whether a form is one of the card of fiscal data. */
export const isFiscalReview = (intent: unknown) => intents.includes(intent)

/** Verifies, or gives back, the fiscal data of whom a quote is for. */
export const fiscalReviewAction = (
  form: Request,
  context: Readonly<RouterContextProvider>,
  { id, here }: { id: string; here: string },
) =>
  submit(form, fiscalReviewInput, async (wish) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (!reviewsFiscal(actor)) refuse('permission-denied')
    const { customerId } = (await fiscalOfQuote(database, actor, id)) ?? refuse('not-found')
    const { version } = wish
    if (wish.intent === 'verify-fiscal') {
      await reviewFiscal(database, actor, { move: 'verify', customerId, version }, now)
      return toast(here, 'Datos fiscales verificados', 'Ya se puede facturar con ellos.')
    }
    await reviewFiscal(database, actor, { move: 'reject', customerId, version, reason: wish.reason }, now)
    return toast(here, 'Pediste que los corrijan', 'Le avisamos por correo.')
  })
