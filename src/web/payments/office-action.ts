import type { RouterContextProvider } from 'react-router'
import { type OfficePaymentForm, officePaymentInput } from '../../domain/payment-input.ts'
import { refuse } from '../../domain/refusal.ts'
import { db, drive } from '../../server/context.ts'
import type { Db } from '../../server/database/database.ts'
import { correctPayment } from '../../server/payments/correct.ts'
import { projectIdOfQuote } from '../../server/payments/queries.ts'
import { recordPayment } from '../../server/payments/record.ts'
import { approveRefund, refuseRefund } from '../../server/payments/refund-decisions.ts'
import { payRefund, requestRefund } from '../../server/payments/refunds.ts'
import { confirmProof, rejectProof } from '../../server/payments/review.ts'
import { seesPayments } from '../../server/payments/visible.ts'
import type { FormWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../flash.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

type Args = {
  sent: FormWithFiles
  context: Readonly<RouterContextProvider>
  /** Finds the project that the screen shows; asked only of those who may see its money. */
  of: (db: Db) => Promise<string | null>
  /** The screen that shows the panel. */
  here: string
}

const intents: readonly string[] = [
  ...['confirm-proof', 'reject-proof', 'record-payment', 'correct-payment'],
  ...['propose-refund', 'approve-refund', 'refuse-refund', 'pay-refund'],
]

/** Whether a form is about payments and refunds, and so the panel's. */
export const isOfficePayment = (intent: string) => intents.includes(intent)

/** What the office does with the money of a project that its screen has let it see. */
export const officePaymentAction = ({ context, here, of, sent }: Args) =>
  load(async () => {
    if (!seesPayments(someone(context))) refuse('permission-denied')
    const projectId = (await of(context.get(db))) ?? refuse('not-found')
    const now = new Date()
    return submit(sent.form, officePaymentInput(now), async (form) => {
      const [title, then] = await carryOut(context, projectId, form, sent, now)
      return toast(here, title, then)
    })
  })

/** The project that a quote is for. */
export const projectOfQuote = (quoteId: string) => (database: Db) => projectIdOfQuote(database, quoteId)

type Said = [title: string, then: string]

async function carryOut(
  context: Args['context'],
  projectId: string,
  form: OfficePaymentForm,
  { file }: FormWithFiles,
  now: Date,
): Promise<Said> {
  const [database, actor] = [context.get(db), someone(context)]
  switch (form.intent) {
    case 'confirm-proof':
      await confirmProof(database, actor, form, now)
      return ['Pago registrado', 'Su cliente recibe su recibo por correo.']
    case 'reject-proof':
      await rejectProof(database, actor, form, now)
      return ['Comprobante rechazado', 'Le avisamos a su cliente por qué.']
    case 'record-payment':
      await recordPayment(database, actor, { ...form, projectId }, now)
      return ['Pago registrado', 'Su cliente recibe su recibo por correo.']
    case 'correct-payment':
      await correctPayment(database, actor, form, now)
      return ['Pago corregido', 'Su cliente recibe un correo con el motivo.']
    case 'propose-refund':
      await requestRefund(database, actor, projectId, { reason: form.reason }, now)
      return ['Reembolso propuesto', 'Revísalo y apruébalo.']
    case 'approve-refund':
      await approveRefund(database, actor, form, now)
      return [
        'Reembolso aprobado',
        form.sourceId ? 'Vuelve a su tarjeta.' : 'Falta la transferencia y su comprobante.',
      ]
    case 'refuse-refund':
      await refuseRefund(database, actor, form, now)
      return ['El reembolso no procede', 'Le avisamos a su cliente por qué.']
    case 'pay-refund':
      await payRefund(database, context.get(drive), actor, { ...form, file: file('file') }, now)
      return ['Reembolso pagado', 'Su cliente ve el comprobante en su cuenta.']
  }
}
