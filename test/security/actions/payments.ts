import { randomUUID } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import { payments, refunds } from '../../../src/server/platform/database/schema/payments.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { bankForms, proofReviewForms } from './bank.ts'
import { ownInvoiceForms } from './invoices.ts'
import { homeOf } from './own-appointments.ts'
import type { Action, Actions } from './shape.ts'

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
export async function waitingPayment(world: World, cast: Cast, inReview: boolean) {
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
  } as const
  const [row] = await world.db
    .insert(payments)
    .values({
      folio: newFolio('PAG'),
      projectId,
      customerId,
      concept: 'extra_work',
      amount: 100_00,
      ...(inReview && { ...proof, proofId: rows[0]!.id, proofSentAt: new Date() }),
    })
    .returning()
  // Nothing is charged for it: the effect of booking it was shown, and confirmed.
  return { projectId, form: { paymentId: row!.id, version: '1', sure: '10000' } }
}

/** Money that nothing is charged for, and a refund of it. */
async function credit(world: World, cast: Cast, state: 'none' | 'requested' | 'approved') {
  const { customerId, projectId } = await cleared(world, cast)
  const paid = {
    state: 'paid',
    method: 'cash',
    paidAt: new Date(),
    concept: 'balance',
    amount: 100_00,
  } as const
  await world.db.insert(payments).values({ folio: newFolio('PAG'), projectId, customerId, ...paid })
  if (state === 'none') return { projectId, form: { projectId } }
  const decided = { state, decidedAt: new Date(), decidedBy: cast.manager.id, method: 'spei' } as const
  const [row] = await world.db
    .insert(refunds)
    .values({
      folio: newFolio('REE'),
      projectId,
      customerId,
      amount: 100_00,
      reason: 'Sobra.',
      clabe: '646180157000000004',
      beneficiary: 'Camila',
      ...(state === 'approved' && decided),
    })
    .returning()
  return { projectId, form: { refundId: row!.id, version: '1' } }
}

type Made = Awaited<ReturnType<typeof credit>> | Awaited<ReturnType<typeof waitingPayment>>
type Make = (world: World, cast: Cast) => Promise<Made>
type Said = Pick<Action, 'may' | 'hears'>

const own = (intent: string, make: Make, more: Record<string, string>, said: Said): Action => ({
  name: intent,
  attempt: async (world, cast) => ({
    path: '/payments',
    form: { intent, ...(await make(world, cast)).form, ...more },
  }),
  ...said,
})
const office = (intent: string, make: Make, more: Record<string, string>, said: Said): Action => ({
  name: intent,
  async attempt(world, cast) {
    const { form, projectId } = await make(world, cast)
    return { path: `/admin/cotizations/cobros/${projectId}`, form: { intent, ...form, ...more } }
  },
  ...said,
})

const account = {
  clabe: '032180000118359719',
  beneficiary: 'Camila Prueba',
  currentPassword: 'no-es-esta-clave',
}
const correctableRow = sql`state = 'paid' and reversed_at is null and reverses_id is null and method = 'cash'`
const reason = 'No es de aquí.'

/** What customers and the office do about payments and refunds. */
export const paymentActions: Actions = {
  'payments/payments.tsx': [
    ...ownInvoiceForms,
    // Nothing is sent but words: its file is missing. Another's payment does not exist.
    own(
      'send-proof',
      (world, cast) => waitingPayment(world, cast, false),
      { bank: '012', trackingKey: 'ABC12345' },
      { hears: { customer: 409, customer2: 404 } },
    ),
    own(
      'replace-proof',
      (world, cast) => waitingPayment(world, cast, true),
      { bank: '014', trackingKey: 'ABC12346' },
      { hears: { customer: 409, customer2: 404 } },
    ),
    own(
      'take-back-proof',
      (world, cast) => waitingPayment(world, cast, true),
      {},
      { hears: { customer2: 404 }, may: { customer: 303 } },
    ),
    // Nobody here has a password: where money goes is not said without one.
    own('refund-account', (world, cast) => credit(world, cast, 'requested'), account, {
      hears: { customer: 409, customer2: 404 },
    }),
    own(
      'ask-refund',
      (world, cast) => credit(world, cast, 'none'),
      { reason, ...account },
      { hears: { customer: 409, customer2: 404 } },
    ),
  ],
  'payments/review.tsx': proofReviewForms,
  'payments/bank.tsx': bankForms,
  'payments/receivables.tsx': [
    {
      name: 'remind-payment',
      async attempt(world, cast) {
        const { paymentId } = (await waitingPayment(world, cast, false)).form
        return { path: '/admin/payments/cobrar', form: { intent: 'remind-payment', paymentId } }
      },
      // The first one does it; the second one comes on the same day.
      may: { analyst: 303, manager: 409 },
    },
    {
      name: 'remind-chosen',
      async attempt(world, cast) {
        const { form } = await waitingPayment(world, { ...cast, customer: cast.customer2 }, false)
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
    office(
      'confirm-proof',
      (world, cast) => waitingPayment(world, cast, true),
      { amount: '100', paidOn: day },
      { may: { analyst: 303, manager: 409 } },
    ),
    office(
      'confirm-whole-proof',
      (world, cast) => waitingPayment(world, cast, true),
      { paidOn: day },
      { may: { analyst: 303, manager: 409 } },
    ),
    office(
      'reject-proof',
      (world, cast) => waitingPayment(world, cast, true),
      { reason },
      { may: { manager: 303, analyst: 409 } },
    ),
    office(
      'record-payment',
      (world, cast) => credit(world, cast, 'none'),
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
      { may: { manager: 303 } },
    ),
    office(
      'correct-payment',
      async (world, cast) => {
        const { projectId } = await credit(world, cast, 'none')
        const [row] = await world.db
          .select()
          .from(payments)
          .where(and(eq(payments.projectId, projectId), correctableRow))
          .orderBy(desc(payments.createdAt))
          .limit(1)
        return { projectId, form: { paymentId: row!.id, version: String(row!.version), sure: '' } }
      },
      { amount: '0', reason, sure: '', again: '' },
      { may: { manager: 303 } },
    ),
    office(
      'propose-refund',
      (world, cast) => credit(world, cast, 'none'),
      { reason },
      { may: { manager: 303 } },
    ),
    office(
      'approve-refund',
      (world, cast) => credit(world, cast, 'requested'),
      { materials: '0', sourceId: '', clabe: '', beneficiary: '' },
      { may: { manager: 303 } },
    ),
    office(
      'refuse-refund',
      (world, cast) => credit(world, cast, 'requested'),
      { reason },
      { may: { manager: 303 } },
    ),
    // Its file is missing.
    office(
      'pay-refund',
      (world, cast) => credit(world, cast, 'approved'),
      { paidOn: day },
      { hears: { manager: 400 } },
    ),
  ],
}
