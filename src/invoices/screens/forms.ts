import { wrongPapers } from '../../documents/documents.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { form } from '../../kit/submit.ts'
import { refuse } from '../../shared/refusal.ts'
import { fiscalOfQuote, reviewFiscal } from '../fiscal-data.ts'
import { cancelInvoice, uploadStamped } from '../issue.ts'
import { askForInvoice } from '../queries.ts'
import { fiscalReviewInput, invoiceInput } from '../rules/schema.ts'
import { reviewsFiscal } from '../rules/taxpayer.ts'
import { retryStamp } from '../stamp.ts'

/** A customer requests their invoice; `here` is the form's screen. */
export const ownInvoiceForms = (context: LoaderContext, here: string) => ({
  'request-invoice': form(invoiceInput['request-invoice'], async ({ quoteId }) => {
    const { db, actor } = signedIn(context)
    await askForInvoice(db, actor, quoteId)
    return redirectWithToast(here, 'Pedimos tu factura', 'Te avisamos por correo cuando esté lista.')
  }),
})

/** What the office does with invoices: requests one, uploads the stamped files, cancels, has it stamped again. */
export function invoiceForms(context: LoaderContext, here: string) {
  const { db, actor, now, drive } = signedIn(context)
  const told = (id: string, words: string) => customerWords(db, { of: 'invoices', id }, words)
  return {
    'request-invoice': form(invoiceInput['request-invoice'], async ({ quoteId }) => {
      await askForInvoice(db, actor, quoteId)
      return redirectWithToast(here, 'La factura quedó solicitada', 'Aquí verás cuando quede emitida.')
    }),
    'issue-invoice': form(
      invoiceInput['issue-invoice'],
      async (input, { file }) => {
        const files = { xml: file('xml'), pdf: file('pdf') }
        await uploadStamped(db, drive, actor, { ...input, ...files }, now)
        const words = await told(input.invoiceId, 'Le avisamos al cliente por correo.')
        return redirectWithToast(here, 'La factura quedó emitida', words)
      },
      wrongPapers({ xml: 'invoice_xml', pdf: 'invoice_pdf' }),
    ),
    'cancel-invoice': form(invoiceInput['cancel-invoice'], async (input) => {
      await cancelInvoice(db, actor, input, now)
      const words = await told(input.invoiceId, 'Si ya estaba emitida, el cliente recibe un correo.')
      return redirectWithToast(here, 'La factura quedó cancelada', words)
    }),
    'retry-stamp': form(invoiceInput['retry-stamp'], async ({ invoiceId }) => {
      await retryStamp(db, actor, invoiceId)
      return redirectWithToast(
        here,
        'La mandamos timbrar otra vez',
        'En unos minutos verás aquí si quedó emitida.',
      )
    }),
  }
}

/** Verifies, or returns, the fiscal data of the customer of a quote. */
export function fiscalReviewForms(context: LoaderContext, quoteId: string, here: string) {
  const { db, actor, now } = signedIn(context)
  const customer = async () => {
    if (!reviewsFiscal(actor)) refuse('permission-denied')
    return (await fiscalOfQuote(db, actor, quoteId)) ?? refuse('not-found')
  }
  return {
    'verify-fiscal': form(fiscalReviewInput['verify-fiscal'], async ({ version }) => {
      const { customerId } = await customer()
      await reviewFiscal(db, actor, { move: 'verify', customerId, version }, now)
      return redirectWithToast(here, 'Datos fiscales verificados', 'Ya se puede facturar con ellos.')
    }),
    'reject-fiscal': form(fiscalReviewInput['reject-fiscal'], async ({ reason, version }) => {
      const { customerId } = await customer()
      await reviewFiscal(db, actor, { move: 'reject', customerId, version, reason }, now)
      const told = await customerWords(db, { of: 'quotes', id: quoteId }, 'Le avisamos por correo.')
      return redirectWithToast(here, 'Pediste que los corrijan', told)
    }),
  }
}
