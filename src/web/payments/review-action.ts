import type { RouterContextProvider } from 'react-router'
import { officePaymentInput } from '../../domain/payment-input.ts'
import { refuse } from '../../domain/refusal.ts'
import { db } from '../../server/context.ts'
import { confirmProof, rejectProof } from '../../server/payments/review.ts'
import { seesPayments } from '../../server/payments/visible.ts'
import type { FormWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../flash.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

/** Reviews a proof of the queue, as at its project's account; the other forms of an account are not here. */
export const reviewAction = (sent: FormWithFiles, context: Readonly<RouterContextProvider>, here: string) =>
  load(async () => {
    const [actor, now] = [someone(context), new Date()]
    if (!seesPayments(actor)) refuse('permission-denied')
    return submit(sent.form, officePaymentInput(now), async (form) => {
      if (form.intent === 'confirm-proof') {
        await confirmProof(context.get(db), actor, form, now)
        return toast(here, 'Pago registrado', 'Su cliente recibe su recibo por correo.')
      }
      if (form.intent !== 'reject-proof') return refuse('not-found')
      await rejectProof(context.get(db), actor, form, now)
      return toast(here, 'Comprobante rechazado', 'Le avisamos a su cliente por qué.')
    })
  })
