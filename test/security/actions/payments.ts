import { randomUUID } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import { payments, refunds } from '../../../src/server/platform/database/schema/payments.ts'
import { insertIn } from '../../kit/reading.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { bankForms } from './bank.ts'
import { ownInvoiceForm } from './invoices.ts'
import { homeOf } from './own-appointments.ts'
import type { Action, Actions, Fields, Heards } from './shape.ts'

const day = '2026-11-20'

/** The customer's project, with nothing in review and no refund under way. */
async function cleared(world: World, { customer }: Cast) {
  const { projectId } = await homeOf(world, customer)
  await world.db.execute(sql`update payments set state = 'cancelled' where state in ('pending', 'in_review')`)
  await world.db
    .update(refunds)
    .set({ state: 'refused', refusedReason: 'Otra prueba.', decidedAt: new Date() })
  return { projectId, customerId: customer.id }
}

const newFolio = (prefix: string) => `${prefix}-PRUEBA-${randomUUID().slice(0, 8)}`

/** A payment that waits, with a proof or without. */
async function waitingPayment(world: World, cast: Cast, inReview: boolean) {
  const { customerId, projectId } = await cleared(world, cast)
  const { rows } = await world.db.execute<{ id: string }>(sql`
    insert into documents (customer_id, project_id, purpose, name, type, bytes, sha256, uploaded_by)
    values (${customerId}, ${projectId}, 'payment_proof', 'a.pdf', 'application/pdf', 1, ${'a'.repeat(64)}, ${customerId})
    returning id`)
  const proof = {
    state: 'in_review',
    method: 'spei',
    bank: '012',
    trackingKey: randomUUID().slice(0, 8).toUpperCase(),
    proofId: rows[0]!.id,
    proofSentAt: new Date(),
  } as const
  const row = await insertIn(world, payments, {
    folio: newFolio('PAG'),
    projectId,
    customerId,
    concept: 'extra_work',
    amount: 100_00,
    ...(inReview && proof),
  })
  // Nothing is charged for it: the effect of booking it was shown, and confirmed.
  return { projectId, form: { paymentId: row.id, version: '1', sure: '10000' } }
}
const demanded = (world: World, cast: Cast) => waitingPayment(world, cast, false)
export const reviewing = (world: World, cast: Cast) => waitingPayment(world, cast, true)

/** Money that nothing is charged for. */
async function credit(world: World, cast: Cast) {
  const whose = await cleared(world, cast)
  await world.db.insert(payments).values({
    ...whose,
    folio: newFolio('PAG'),
    state: 'paid',
    method: 'cash',
    paidAt: new Date(),
    concept: 'balance',
    amount: 100_00,
  })
  return { ...whose, form: { projectId: whose.projectId } }
}

/** The same with a refund of it. */
const refunding = (state: 'requested' | 'approved') => async (world: World, cast: Cast) => {
  const { customerId, projectId } = await credit(world, cast)
  const decided = { state, decidedAt: new Date(), decidedBy: cast.manager.id, method: 'spei' } as const
  const row = await insertIn(world, refunds, {
    folio: newFolio('REE'),
    projectId,
    customerId,
    amount: 100_00,
    reason: 'Sobra.',
    clabe: '646180157000000004',
    beneficiary: 'Camila',
    ...(state === 'approved' && decided),
  })
  return { projectId, form: { refundId: row.id, version: '1' } }
}

const correctable = sql`state = 'paid' and reversed_at is null and reverses_id is null and method = 'cash'`
async function correcting(world: World, cast: Cast) {
  const { projectId } = await credit(world, cast)
  const [row] = await world.db
    .select()
    .from(payments)
    .where(and(eq(payments.projectId, projectId), correctable))
    .orderBy(desc(payments.createdAt))
    .limit(1)
  return { projectId, form: { paymentId: row!.id, version: String(row!.version), sure: '' } }
}

type Make = (world: World, cast: Cast) => Promise<{ projectId: string; form: Fields }>
type Place = (projectId: string) => string

const at =
  (place: Place) =>
  (intent: string, make: Make, fields: Fields, answered: { may?: Heards; hears?: Heards }): Action => ({
    name: intent,
    async attempt(world, cast) {
      const { form, projectId } = await make(world, cast)
      return { path: place(projectId), form: { intent, ...form, ...fields } }
    },
    ...answered,
  })
const own = at(() => '/payments')
const projectPage: Place = (projectId) => `/admin/cotizations/cobros/${projectId}`
const office = at(projectPage)

const account = {
  clabe: '032180000118359719',
  beneficiary: 'Camila Prueba',
  currentPassword: 'no-es-esta-clave',
}
const reason = 'No es de aquí.'
/** Another's payment does not exist. */
const hears = { customer: 409, customer2: 404 }
const analystFirst = { may: { analyst: 303, manager: 409 } }
const managerOnly = { may: { manager: 303 } }

/** What the office does with a proof, from its queue or at the project. */
const proofReviews = (place: Place): readonly Action[] => [
  at(place)('confirm-proof', reviewing, { amount: '100', paidOn: day }, analystFirst),
  at(place)('confirm-whole-proof', reviewing, { paidOn: day }, analystFirst),
  at(place)('reject-proof', reviewing, { reason }, analystFirst),
]

/** What customers and the office do about payments and refunds. */
export const paymentActions: Actions = {
  'payments/payments.tsx': [
    ownInvoiceForm,
    // Nothing is sent but words: its file is missing.
    own('send-proof', demanded, { bank: '012', trackingKey: 'ABC12345' }, { hears }),
    own('replace-proof', reviewing, { bank: '014', trackingKey: 'ABC12346' }, { hears }),
    own('take-back-proof', reviewing, {}, { hears: { customer2: 404 }, may: { customer: 303 } }),
    // Nobody here has a password: where money goes is not said without one.
    own('refund-account', refunding('requested'), account, { hears }),
    own('ask-refund', credit, { reason, ...account }, { hears }),
  ],
  'payments/review.tsx': proofReviews(() => '/admin/payments'),
  'payments/bank.tsx': bankForms,
  'payments/receivables.tsx': [
    {
      name: 'remind-payment',
      async attempt(world, cast) {
        const { paymentId } = (await demanded(world, cast)).form
        return { path: '/admin/payments/cobrar', form: { intent: 'remind-payment', paymentId } }
      },
      // The first one does it; the second one comes on the same day.
      may: { analyst: 303, manager: 409 },
    },
    {
      name: 'remind-chosen',
      async attempt(world, cast) {
        const { form } = await demanded(world, { ...cast, customer: cast.customer2 })
        return {
          path: '/admin/payments/cobrar',
          form: { intent: 'remind-chosen', [`row.${form.paymentId}`]: '1' },
        }
      },
      // The second one hears of each why not.
      may: { analyst: 303, manager: 200 },
    },
  ],
  'payments/project-account.tsx': [
    ...proofReviews(projectPage),
    office(
      'record-payment',
      credit,
      {
        requestKey: randomUUID(),
        paymentId: '',
        amount: '100',
        again: '100',
        method: 'cash',
        paidOn: day,
        bank: '',
        trackingKey: '',
        note: '',
      },
      managerOnly,
    ),
    office('correct-payment', correcting, { amount: '0', reason, sure: '', again: '' }, managerOnly),
    office('propose-refund', credit, { reason }, managerOnly),
    office(
      'approve-refund',
      refunding('requested'),
      { materials: '0', sourceId: '', clabe: '', beneficiary: '' },
      managerOnly,
    ),
    office('refuse-refund', refunding('requested'), { reason }, managerOnly),
    // Its file is missing.
    office('pay-refund', refunding('approved'), { paidOn: day }, { hears: { manager: 400 } }),
  ],
}
