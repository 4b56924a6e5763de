import { randomUUID } from 'node:crypto'
import { payments, refunds } from '../../../src/platform/database/schema/payments.ts'
import { db, fixture, runSql } from '../../kit/open.ts'
import { recording } from '../../kit/payments.ts'
import { insertIn } from '../../kit/reading.ts'
import type { Everyone } from '../everyone.ts'
import { bankForms } from './bank.ts'
import { ownInvoiceForm } from './invoices.ts'
import { homeOf } from './own-appointments.ts'
import {
  type Action,
  type Actions,
  analystFirst,
  type Fields,
  formAt,
  type Heards,
  managerOnly,
} from './shape.ts'

const day = '2026-11-20'
const owedPage = '/admin/payments/cobrar'

/** The customer's project, with nothing in review and no refund under way. */
async function cleared({ customer }: Everyone) {
  const { projectId } = await homeOf(customer)
  await runSql`update payments set state = 'cancelled' where state in ('pending', 'in_review')`
  await db.update(refunds).set({ state: 'refused', refusedReason: 'Otra prueba.', decidedAt: new Date() })
  return { projectId, customerId: customer.id }
}

const newFolio = (prefix: string) => `${prefix}-PRUEBA-${randomUUID().slice(0, 8)}`

/** A payment that waits, with a proof or without. */
async function waitingPayment(everyone: Everyone, inReview: boolean) {
  const { customerId, projectId } = await cleared(everyone)
  const { rows } = await runSql<{ id: string }>`
    insert into documents (customer_id, project_id, purpose, name, type, bytes, sha256, uploaded_by)
    values (${customerId}, ${projectId}, 'payment_proof', 'a.pdf', 'application/pdf', 1, ${'a'.repeat(64)}, ${customerId})
    returning id`
  const proof = {
    state: 'in_review',
    method: 'spei',
    bank: '012',
    trackingKey: randomUUID().slice(0, 8).toUpperCase(),
    proofId: rows[0]!.id,
    proofSentAt: new Date(),
  } as const
  const row = await insertIn(fixture, payments, {
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
const demanded = (everyone: Everyone) => waitingPayment(everyone, false)
export const reviewing = (everyone: Everyone) => waitingPayment(everyone, true)

/** Money that nothing is charged for. */
async function credit(everyone: Everyone) {
  const whose = await cleared(everyone)
  const row = await insertIn(fixture, payments, {
    ...whose,
    folio: newFolio('PAG'),
    state: 'paid',
    method: 'cash',
    paidAt: new Date(),
    concept: 'balance',
    amount: 100_00,
  })
  return { ...whose, row, form: { projectId: whose.projectId } }
}

/** The same with a refund of it. */
const refunding = (state: 'requested' | 'approved') => async (everyone: Everyone) => {
  const { customerId, projectId } = await credit(everyone)
  const decided = { state, decidedAt: new Date(), decidedBy: everyone.manager.id, method: 'spei' } as const
  const row = await insertIn(fixture, refunds, {
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

async function correcting(everyone: Everyone) {
  const { projectId, row } = await credit(everyone)
  return { projectId, form: { paymentId: row.id, version: '1', sure: '' } }
}

type Make = (everyone: Everyone) => Promise<{ projectId: string; form: Fields }>
type Place = (projectId: string) => string

const at =
  (place: Place) =>
  (intent: string, make: Make, fields: Fields, answered: { may?: Heards; hears?: Heards }): Action => ({
    name: intent,
    async attempt(everyone) {
      const { form, projectId } = await make(everyone)
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

/** What the office does with a proof, from its queue or at the project. */
const proofReviews = (place: Place): readonly Action[] => [
  at(place)('confirm-proof', reviewing, { amount: '100', paidOn: day }, analystFirst),
  at(place)('confirm-whole-proof', reviewing, { paidOn: day }, analystFirst),
  at(place)('reject-proof', reviewing, { reason }, analystFirst),
]

/** What customers and the office do about payments and refunds. */
export const paymentActions: Actions = {
  'payments/screens/payments.tsx': [
    ownInvoiceForm,
    // Nothing is sent but words: its file is missing.
    own('send-proof', demanded, { bank: '012', trackingKey: 'ABC12345' }, { hears }),
    own('replace-proof', reviewing, { bank: '014', trackingKey: 'ABC12346' }, { hears }),
    own('take-back-proof', reviewing, {}, { hears: { customer2: 404 }, may: { customer: 303 } }),
    // Nobody here has a password: where money goes is not said without one.
    own('refund-account', refunding('requested'), account, { hears }),
    own('ask-refund', credit, { reason, ...account }, { hears }),
  ],
  'payments/screens/card-payment.tsx': [
    {
      name: 'pay by card',
      async attempt({ customer }) {
        const { projectId } = await homeOf(customer)
        const payment = await insertIn(fixture, payments, {
          folio: newFolio('PAG'),
          projectId,
          customerId: customer.id,
          concept: 'cfe_paperwork',
          amount: 1_500_00,
        })
        return { path: `/payments/tarjeta/${payment.id}`, form: {} }
      },
      hears: { customer2: 404 },
      // Without a key nobody is led to Stripe, and the customer hears that.
      may: { customer: 409 },
    },
  ],
  'payments/screens/review.tsx': proofReviews(() => '/admin/payments'),
  'payments/screens/bank.tsx': bankForms,
  'payments/screens/receivables.tsx': [
    formAt(
      'remind-payment',
      owedPage,
      async (...of) => {
        const { paymentId } = (await demanded(...of)).form
        return { intent: 'remind-payment', paymentId }
      },
      // The second comes on the same day.
      analystFirst,
    ),
    formAt(
      'remind-chosen',
      owedPage,
      async (everyone) => {
        const { form } = await demanded({ ...everyone, customer: everyone.customer2 })
        return { intent: 'remind-chosen', [`row.${form.paymentId}`]: '1' }
      },
      // The second one hears of each why not.
      { may: { analyst: 303, manager: 200 } },
    ),
  ],
  'payments/screens/project-account.tsx': [
    ...proofReviews(projectPage),
    office('record-payment', credit, recording('100', { again: '100', paidOn: day }), managerOnly),
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
