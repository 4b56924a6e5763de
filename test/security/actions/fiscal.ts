import { sql } from 'drizzle-orm'
import { documents, fiscalData } from '../../../src/server/platform/database/schema/payments.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { insertIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { homeOf } from './own-appointments.ts'
import { type Action, type Actions, customers, type Fields, type Heards } from './shape.ts'

const data = {
  rfc: 'GODE561231GR8',
  legalName: 'EVA GOMEZ',
  regime: '612',
  cfdiUse: 'G03',
  postalCode: '04000',
  email: 'eva@prueba.mx',
} as const

/** A form of the customer's fiscal data, of whom nothing is kept yet. */
const saving = (intent: string): Action => ({
  name: intent,
  async attempt(world) {
    await world.db.execute(sql`delete from fiscal_data`)
    return { path: '/fiscal', form: { intent, ...data } }
  },
  // Everybody's are their own: somebody else who may send the form saves theirs.
  may: customers(303),
})

/** What the customer has a quote with, and fiscal data that wait to be looked over. */
async function toReview(world: World, { analyst, customer, technician }: Cast) {
  await world.db.execute(sql`delete from fiscal_data`)
  await world.db.execute(sql`update quotes set state = 'withdrawn' where state = 'draft'`)
  const visit = await visited(world, customer, technician, await homeOf(world, customer))
  const quote = await storeDraft(world, visit, analyst)
  const constancia = await insertIn(world, documents, {
    customerId: customer.id,
    uploadedBy: customer.id,
    purpose: 'constancia',
    name: 'constancia.pdf',
    type: 'application/pdf',
    bytes: 1,
    sha256: '0'.repeat(64),
  })
  await world.db.insert(fiscalData).values({
    ...data,
    state: 'submitted',
    customerId: customer.id,
    constanciaId: constancia.id,
    submittedAt: new Date(),
  })
  return `/admin/cotizations/detail-quote/${quote.id}`
}

const reviewing = (intent: string, form: Fields, may: Heards): Action => ({
  name: intent,
  attempt: async (world, cast) => ({
    path: await toReview(world, cast),
    form: { intent, version: '1', ...form },
  }),
  may,
})

/** What the office does with fiscal data, on the screen of a quote; the second comes too late. */
export const fiscalReviews: readonly Action[] = [
  reviewing('verify-fiscal', {}, { analyst: 303, manager: 409 }),
  reviewing(
    'reject-fiscal',
    { reason: 'El nombre no es el de la Constancia.' },
    { manager: 303, analyst: 409 },
  ),
]

export const fiscal: Actions = { 'invoices/fiscal.tsx': [saving('keep-fiscal'), saving('submit-fiscal')] }
