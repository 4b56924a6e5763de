import { incomeOf } from '../../../src/invoices/rules/cfdi.ts'
import { documents, invoices, payments } from '../../../src/platform/database/schema/payments.ts'
import { totalsOfOption } from '../../../src/quotes/rules/totals.ts'
import type { Visit } from '../../kit/appointments.ts'
import { acceptedOf } from '../../kit/cfe.ts'
import { issuer, storeFiscal } from '../../kit/invoices.ts'
import { fixture, runSql, storeRows } from '../../kit/open.ts'
import { set } from '../../kit/payments.ts'
import type { Person } from '../../kit/people.ts'
import { content, storeDraft, visited } from '../../kit/quotes.ts'
import { insertIn } from '../../kit/reading.ts'
import type { Everyone } from '../everyone.ts'
import { homeOf } from './own-appointments.ts'
import { type Action, type Actions, customers, type Fields, formAt, type Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

const data = {
  rfc: 'GODE561231GR8',
  legalName: 'EVA GOMEZ',
  regime: '612',
  cfdiUse: 'G03',
  postalCode: '04000',
  email: 'eva@prueba.mx',
} as const
const detail = '/admin/cotizations/detail-quote/'

/** A form of the customer's fiscal data, of whom nothing is kept yet. */
const saving = (intent: string) =>
  formAt(
    intent,
    '/fiscal',
    async () => {
      await runSql`delete from fiscal_data`
      return { intent, ...data }
    },
    // Everybody's are their own: someone else who may send the form saves theirs.
    { may: customers(303) },
  )

export const fiscal: Actions = {
  'invoices/screens/fiscal.tsx': [saving('keep-fiscal'), saving('submit-fiscal')],
}

/** A visit of the customer's, of whom no fiscal data are kept and nothing is agreed on yet. */
async function ownVisited({ customer, technician }: Everyone) {
  await runSql`delete from fiscal_data`
  await runSql`update quotes set state = 'withdrawn', ended_at = now() where state in ('draft', 'accepted')`
  return visited(customer, technician, await homeOf(customer))
}

/** Fiscal data that wait to be looked over, on the screen of a quote. */
const reviewing = (intent: string, form: Fields, may: Heards): Action => ({
  name: intent,
  async attempt(everyone) {
    const { customer } = everyone
    const quote = await storeDraft(fixture, await ownVisited(everyone), everyone.analyst)
    const constancia = await insertIn(fixture, documents, {
      customerId: customer.id,
      uploadedBy: customer.id,
      purpose: 'constancia',
      name: 'constancia.pdf',
      type: 'application/pdf',
      bytes: 1,
      sha256: '0'.repeat(64),
    })
    const submitted = { state: 'submitted', submittedAt: new Date(), constanciaId: constancia.id } as const
    await storeFiscal(customer, { ...data, ...submitted })
    return { path: detail + quote.id, form: { intent, version: '1', ...form } }
  },
  may,
})

/** What the office does with fiscal data; the second comes too late. */
export const fiscalReviews: readonly Action[] = [
  reviewing('verify-fiscal', {}, { analyst: 303, manager: 409 }),
  reviewing(
    'reject-fiscal',
    { reason: 'El nombre no es el de la Constancia.' },
    { manager: 303, analyst: 409 },
  ),
]

/** An accepted quote of a visit, its whole paid, whose invoice may be asked for. */
async function paidAfter({ analyst }: Everyone, visit: Visit) {
  const { customerId, projectId } = visit
  const quote = await acceptedOf(visit, analyst)
  await set(fixture, { issuer })
  await storeFiscal({ id: customerId } as Person, data)
  await storeRows(payments, {
    folio: `PAG-${quote.folio}`,
    projectId,
    customerId,
    quoteId: quote.id,
    concept: 'deposit',
    method: 'spei',
    state: 'paid',
    amount: 1160_00,
    paidAt: new Date(),
  })
  return quote
}

/** The same of the first agency's client. */
const paid = async (everyone: Everyone) =>
  paidAfter(everyone, await visitOfToday(everyone, 'done', { outcome: 'completed' }))

const request = incomeOf(
  { issuer: { ...issuer, regime: '601' }, receiver: data },
  totalsOfOption(content().options[0]!),
  [],
)

/** Its invoice is asked for. */
const about = (intent: string, answered: { may?: Heards; hears?: Heards }, form: Fields = {}): Action => ({
  name: intent,
  async attempt(everyone) {
    const { customerId, id: quoteId, projectId } = await paid(everyone)
    const { id: invoiceId, version } = await insertIn(fixture, invoices, {
      projectId,
      customerId,
      quoteId,
      kind: 'income',
      request,
      total: 1160_00,
      providerError: 'No se pudo.',
    })
    return { path: detail + quoteId, form: { intent, invoiceId, version: String(version), ...form } }
  },
  ...answered,
})

const requestInvoice = 'request-invoice'

/** What the office does with invoices, on the screen of a quote; the second comes too late, or finds it done. */
export const invoiceForms: readonly Action[] = [
  {
    name: requestInvoice,
    async attempt(everyone) {
      const { id: quoteId } = await paid(everyone)
      return { path: detail + quoteId, form: { intent: requestInvoice, quoteId } }
    },
    // For the others the quote does not exist; the agency's ally and its technician read of it.
    hears: { technician2: 404, gester: 404, ally2: 404 },
    may: { analyst: 303, manager: 303 },
  },
  // Nothing is sent but words.
  about('issue-invoice', { hears: { analyst: 400, manager: 400 } }),
  about('cancel-invoice', { may: { analyst: 303, manager: 409 } }, { reason: 'Datos equivocados.' }),
  about('retry-stamp', { may: { analyst: 303, manager: 303 } }),
]

/** A customer asks for theirs; for anybody else the quote does not exist. */
export const ownInvoiceForm = formAt(
  requestInvoice,
  '/payments',
  async (everyone) => {
    const { id: quoteId } = await paidAfter(everyone, await ownVisited(everyone))
    return { intent: requestInvoice, quoteId }
  },
  { hears: { customer2: 404 }, may: { customer: 303 } },
)
