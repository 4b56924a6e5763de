import type { RouterContextProvider } from 'react-router'
import { ownPaymentInput } from '../../domain/payment-input.ts'
import { db, drive } from '../../server/context.ts'
import { sendProof } from '../../server/payments/proofs.ts'
import { requestRefund, tellAccount } from '../../server/payments/refunds.ts'
import type { FormWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

const here = '/payments'

/** A customer sends the proof of a transfer, asks for what is theirs back, or says to which account. */
export const ownPaymentAction = ({ file, form }: FormWithFiles, context: Readonly<RouterContextProvider>) =>
  submit(form, ownPaymentInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    switch (input.intent) {
      case 'send-proof':
        await sendProof(database, context.get(drive), actor, { ...input, file: file('file') }, now)
        return toast(here, 'Recibimos tu comprobante', 'Lo revisamos y te avisamos por correo.')
      case 'refund-account':
        await tellAccount(database, actor, input, now)
        return toast(here, 'Guardamos tu cuenta', 'Ahí te llega tu reembolso. Te lo confirmamos por correo.')
      case 'ask-refund':
        await requestRefund(database, actor, input.projectId, { reason: input.reason, told: input }, now)
        return toast(here, 'Pedimos tu reembolso', 'Te avisamos por correo qué sigue.')
    }
  })
