import { type RouterContextProvider, redirect } from 'react-router'
import { quoteDeskInput } from '../../domain/quote-desk-input.ts'
import { db } from '../../server/context.ts'
import { cancelQuote } from '../../server/quotes/cancel.ts'
import { openDraft } from '../../server/quotes/drafts.ts'
import { withdrawQuote } from '../../server/quotes/withdraw.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

/** Begins the next version of a quote, withdraws one that was sent, or cancels one that was accepted. */
export const quoteDeskAction = (
  form: Request,
  context: Readonly<RouterContextProvider>,
  { id, here }: { id: string; here: string },
) =>
  submit(form, quoteDeskInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (input.intent === 'revise-quote') {
      const { appointmentId } = await openDraft(database, actor, id, now)
      return redirect(`/admin/cotizations/add-quote/${appointmentId}`, 303)
    }
    const { intent, reason, version } = input
    if (intent === 'withdraw-quote') {
      await withdrawQuote(database, actor, id, { version, reason }, now)
      return toast(here, 'Retiraste la cotización', 'Le avisamos al cliente por correo.')
    }
    await cancelQuote(database, actor, id, { version, reason }, now)
    return toast(here, 'La cotización quedó cancelada', 'Si pagó algo, revisa su reembolso.')
  })
