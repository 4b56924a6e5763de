import { z } from 'zod'
import { seenVersion, staleForm } from './seen-version.ts'
import { requiredText } from './text.ts'

const id = z.uuid(staleForm)

/** A customer asks for the invoice of what they accepted. */
export const ownInvoiceInput = z.object({ intent: z.literal('request-invoice'), quoteId: id })

const held = { invoiceId: id, version: seenVersion }
const reason = requiredText('Escribe por qué se cancela.', 300)

/** What the office does with the invoices of a project; the files of a stamped one come beside. */
export const invoiceInput = z.discriminatedUnion(
  'intent',
  [
    ownInvoiceInput,
    z.object({ intent: z.literal('issue-invoice'), ...held }),
    z.object({ intent: z.literal('cancel-invoice'), ...held, reason }),
    z.object({ intent: z.literal('retry-stamp'), invoiceId: id }),
  ],
  staleForm,
)
