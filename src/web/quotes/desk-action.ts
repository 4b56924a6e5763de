import { type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { addressInputBy } from '../../domain/address.ts'
import { approvedHome, quoteDeskInput } from '../../domain/quote-desk-input.ts'
import { approveHome } from '../../server/addresses/approve-home.ts'
import { placeOfCode } from '../../server/addresses/postal-codes.ts'
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

/** The manager approves another home for what was accepted. */
export function approveHomeAction(
  form: Request,
  context: Readonly<RouterContextProvider>,
  { id, here }: { id: string; here: string },
) {
  const database = context.get(db)
  const address = addressInputBy((postalCode) => placeOfCode(database, postalCode))
  return submit(form, z.intersection(address, approvedHome), async (input) => {
    const { intent, reason, stands, version, ...given } = input
    const wish = { address: given, reason, stands, version }
    await approveHome(database, someone(context), id, wish, new Date())
    return toast(here, 'Aprobaste otro domicilio', 'Le avisamos al cliente por correo.')
  })
}
