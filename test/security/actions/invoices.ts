import { sql } from 'drizzle-orm'
import { incomeOf } from '../../../src/domain/invoices/cfdi.ts'
import { totalsOfOption } from '../../../src/domain/quotes/totals.ts'
import { fiscalData, invoices, payments } from '../../../src/server/platform/database/schema/payments.ts'
import type { Visit } from '../../kit/appointments.ts'
import { issuer, storeIssuer } from '../../kit/invoices.ts'
import { content, storeDraft, visited } from '../../kit/quotes.ts'
import { insertIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { homeOf } from './own-appointments.ts'
import type { Action, Fields, Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

let made = 0

/** An accepted quote of the first agency's client, its whole paid, whose invoice may be asked for. */
const paid = async (world: World, cast: Cast) =>
  paidAfter(world, cast, await visitOfToday(world, cast, 'done', { outcome: 'completed' }))

/** The same of the customer's, in the place of whatever they had. */
async function ownPaid(world: World, cast: Cast) {
  const { customer, technician } = cast
  await world.db.execute(sql`delete from fiscal_data`)
  await world.db.execute(sql`update quotes set state = 'superseded' where state = 'accepted'`)
  return paidAfter(world, cast, await visited(world, customer, technician, await homeOf(world, customer)))
}

async function paidAfter(world: World, cast: Cast, visit: Visit) {
  const now = new Date()
  const digest = 'a'.repeat(64)
  const { customerId, projectId } = visit
  const quote = await storeDraft(world, visit, cast.analyst, {
    state: 'accepted',
    content: content(),
    digest,
    sentAt: now,
    sentBy: cast.analyst.id,
    validUntil: now,
    acceptedOption: 'essential',
    acceptedTotal: 1160_00,
    depositAmount: 580_00,
    acceptedAt: now,
    acceptedName: 'Cliente',
    acceptedDigest: digest,
  })
  await storeIssuer(world)
  await world.db.execute(sql`update settings set value = jsonb_set(value, '{issuer}',
    '{"rfc": "EKU9003173C9", "name": "ESCUELA KEMPER URGATE", "regime": "601", "postalCode": "42501"}')`)
  await world.db.insert(fiscalData).values({
    customerId,
    state: 'verified',
    ...receiver,
    email: 'eva@prueba.mx',
  })
  await world.db.insert(payments).values({
    folio: `PAG-X-${++made}`,
    projectId,
    customerId,
    quoteId: quote.id,
    concept: 'deposit',
    method: 'spei',
    state: 'paid',
    amount: 1160_00,
    paidAt: now,
  })
  return quote
}

const receiver = {
  rfc: 'GODE561231GR8',
  legalName: 'EVA GOMEZ',
  postalCode: '04000',
  regime: '612',
  cfdiUse: 'G03',
} as const
const request = incomeOf(
  { issuer: { ...issuer, regime: '601' }, receiver },
  totalsOfOption(content().options[0]!),
  [],
)

/** The same with its invoice asked for. */
async function requested(world: World, cast: Cast) {
  const { customerId, id: quoteId, projectId } = await paid(world, cast)
  const invoice = await insertIn(world, invoices, {
    projectId,
    customerId,
    quoteId,
    kind: 'income',
    request,
    total: 1160_00,
    providerError: 'No se pudo.',
  })
  return { path: `/admin/cotizations/detail-quote/${quoteId}`, invoice: invoice }
}

const about = (intent: string, answered: { may?: Heards; hears?: Heards }, form: Fields = {}): Action => ({
  name: intent,
  async attempt(world, cast) {
    const { invoice, path } = await requested(world, cast)
    return { path, form: { intent, invoiceId: invoice.id, version: String(invoice.version), ...form } }
  },
  ...answered,
})

/** What the office does with invoices, on the screen of a quote; the second comes too late, or finds it done. */
export const invoiceForms: readonly Action[] = [
  {
    name: 'request-invoice',
    async attempt(world, cast) {
      const { id: quoteId } = await paid(world, cast)
      return {
        path: `/admin/cotizations/detail-quote/${quoteId}`,
        form: { intent: 'request-invoice', quoteId },
      }
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
export const ownInvoiceForm: Action = {
  name: 'request-invoice',
  async attempt(world, cast) {
    const { id: quoteId } = await ownPaid(world, cast)
    return { path: '/payments', form: { intent: 'request-invoice', quoteId } }
  },
  hears: { customer2: 404 },
  may: { customer: 303 },
}
