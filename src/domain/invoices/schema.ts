import { z } from 'zod'
import { requiredText, seenVersion, staleForm } from '../shared/schema.ts'

const id = z.uuid(staleForm)

const held = { invoiceId: id, version: seenVersion }
const reason = requiredText('Escribe por qué se cancela.', 300)

/** What is sent about the invoices of a project, by its intent; the files of a stamped one come beside. */
export const invoiceInput = {
  'request-invoice': z.object({ quoteId: id }),
  'issue-invoice': z.object(held),
  'cancel-invoice': z.object({ ...held, reason }),
  'retry-stamp': z.object({ invoiceId: id }),
}
