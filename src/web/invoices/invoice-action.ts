import type { RouterContextProvider } from 'react-router'
import { invoiceInput, ownInvoiceInput } from '../../domain/invoice-input.ts'
import { db, drive } from '../../server/context.ts'
import { cancelInvoice } from '../../server/invoices/cancel.ts'
import { uploadStamped } from '../../server/invoices/issue.ts'
import { askForInvoice } from '../../server/invoices/request.ts'
import { retryStamp } from '../../server/invoices/stamp.ts'
import type { FormWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

const intents: readonly unknown[] = ['request-invoice', 'issue-invoice', 'cancel-invoice', 'retry-stamp']

/** Whether a form is one of the card of invoices. */
export const isAboutInvoices = (intent: unknown) => intents.includes(intent)

type Context = Readonly<RouterContextProvider>

/** A customer asks for their invoice; `here` is the screen that the form stands on. */
export const ownInvoiceAction = (form: Request, context: Context, here: string) =>
  submit(form, ownInvoiceInput, async ({ quoteId }) => {
    await askForInvoice(context.get(db), someone(context), quoteId)
    return toast(here, 'Pedimos tu factura', 'Te avisamos por correo cuando esté lista.')
  })

/** What the office does with invoices: asks for one, hands in the stamped files, cancels, has it stamped again. */
export const invoiceAction = ({ file, form }: FormWithFiles, context: Context, here: string) =>
  submit(form, invoiceInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    switch (input.intent) {
      case 'request-invoice':
        await askForInvoice(database, actor, input.quoteId)
        return toast(here, 'La factura quedó solicitada', 'Aquí verás cuando quede emitida.')
      case 'issue-invoice': {
        const files = { xml: file('xml'), pdf: file('pdf') }
        await uploadStamped(database, context.get(drive), actor, { ...input, ...files }, now)
        return toast(here, 'La factura quedó emitida', 'Le avisamos al cliente por correo.')
      }
      case 'cancel-invoice':
        await cancelInvoice(database, actor, input, now)
        return toast(here, 'La factura quedó cancelada', 'Si ya estaba emitida, su cliente recibe un correo.')
      case 'retry-stamp':
        await retryStamp(database, actor, input.invoiceId)
        return toast(here, 'La mandamos timbrar otra vez', 'En unos minutos verás aquí si quedó emitida.')
    }
  })
