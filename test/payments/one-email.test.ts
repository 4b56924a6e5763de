import { cancel, endFeeOfCancelled } from '../../src/appointments/cancel.ts'
import { callOff } from '../../src/appointments/field.ts'
import { giveBack } from '../../src/payments/apply-ledger.ts'
import { endFee } from '../../src/payments/charges.ts'
import { rejectProof } from '../../src/payments/proofs.ts'
import { refuseRefund } from '../../src/payments/refunds.ts'
import { type Tx, transaction } from '../../src/platform/database/client.ts'
import { payments, quotes, refunds } from '../../src/platform/database/schema/payments.ts'
import { storeVisit } from '../kit/appointments.ts'
import { emailsOf, openedJob } from '../kit/delivered.ts'
import {
  customer,
  db,
  fixture,
  fromNow,
  manager,
  newHome,
  openEach,
  runSql,
  sendJobs,
  setRow,
  storeRows,
  technician,
} from '../kit/open.ts'
import { acceptQuote, account, day, demandOf, prove, set, storeAccepted } from '../kit/payments.ts'
import type { Home, Person } from '../kit/people.ts'
import { expectWords } from '../kit/reading.ts'

let home: Home
openEach(async () => {
  home = await newHome(customer)
})
sendJobs()

const now = new Date()
const within = <Result>(change: (tx: Tx) => Promise<Result>) => transaction(db, change)
const store = async (row: Partial<typeof payments.$inferInsert> & { amount: number }) => {
  const about = {
    projectId: home.projectId,
    customerId: customer.id,
    concept: 'deposit',
    folio: `PAG-${row.amount}`,
  }
  const [made] = await storeRows(payments, {
    ...about,
    state: 'paid',
    method: 'spei',
    paidAt: now,
    ...row,
  } as never)
  return made!
}
async function approved(amount: number) {
  const about = { projectId: home.projectId, customerId: customer.id, folio: 'REE-1', reason: 'Sobra.' }
  const by = { decidedBy: manager.id, decidedAt: now, method: 'spei', clabe: '032180000118359719' } as const
  const [row] = await storeRows(refunds, {
    ...about,
    ...by,
    beneficiary: 'Camila',
    amount,
    state: 'approved',
  })
  return row!
}
/** A visit whose fee was paid, beside an accepted quote: given back, it pays the deposit. */
async function paidVisit(assignee?: Person) {
  await storeAccepted(customer, home, { depositAmount: 500_00 })
  const who = assignee && { assigneeId: assignee.id, confirmedAt: now }
  const visit = await storeVisit(fixture, customer, home, fromNow(3 * day), {
    state: assignee ? 'in_progress' : 'requested',
    ...who,
  })
  await store({ concept: 'visit_fee', appointmentId: visit.id, amount: 500_00 })
  return visit
}
const ready = 'Agendar mi instalación'
const refund = 'A tu favor'
const cancelBy = async (who: Person) => {
  const visit = await paidVisit()
  await cancel(
    db,
    who.actor,
    visit.id,
    { reason: 'cliente_se_arrepiente', note: null, version: visit.version },
    now,
  )
  return visit
}
test.each<[string, string, string, () => Promise<unknown>]>([
  [
    'refuses an approved refund that the deposit needs',
    'refund_refused',
    ready,
    async () => {
      await acceptQuote(customer, home)
      await store({ amount: 5_000_00 })
      const { id: refundId, version } = await approved(5_000_00)
      await refuseRefund(db, manager.actor, { refundId, version, reason: 'No sobra.' }, now)
    },
  ],
  [
    'pays a part of what is in favour',
    'refund_paid',
    refund,
    async () => {
      await store({ amount: 1_000_00 })
      const row = await approved(300_00)
      await within((tx) => giveBack(tx, row, { method: 'spei', paidAt: now, actorId: manager.id }, now))
    },
  ],
  [
    'rejects the proof of an ended quote while a newer one asks for its deposit',
    'proof_rejected',
    'En tu cuenta te toca otro pago.',
    async () => {
      await set(fixture, { spei: account })
      const quote = await acceptQuote(customer, home)
      await prove(customer, home.projectId)
      await runSql`delete from pgboss.job`
      await setRow(quotes, quote, { state: 'superseded', endedAt: now })
      await storeAccepted(customer, home)
      const { id: paymentId, version } = (await demandOf(home.projectId))!
      await rejectProof(db, manager.actor, { paymentId, version, reason: 'No llegó.' }, now)
    },
  ],
  ['cancels a paid visit', 'cancelled', ready, () => cancelBy(customer)],
  [
    'cancels a paid visit by the manager, once it cannot be undone',
    'cancelled',
    ready,
    async () => {
      const { id: appointmentId } = await cancelBy(manager)
      await endFeeOfCancelled(db, { appointmentId, email: 'cancelled' }, now)
    },
  ],
  [
    'calls a paid visit off',
    'called_off',
    ready,
    async () => {
      const { id } = await paidVisit(technician)
      await callOff(db, technician.actor, id, { reason: 'sin_acceso', note: null }, now)
    },
  ],
  [
    'ends the fee of a visit whose e-mail has left, more than the deposit',
    'refund_requested',
    'Ya puedes agendar tu instalación',
    async () => {
      const visit = await paidVisit()
      await store({ amount: 10_000_00, concept: 'balance' })
      await within((tx) => endFee(tx, visit, 'cancel', now))
    },
  ],
])('sends one e-mail that says all: %s', async (_, letter, words, act) => {
  await act()
  const { rows } = await runSql<{ data: never }>`select data from pgboss.job
    where name = 'letter' and data ->> 'to' = 'customer' order by created_on`
  const jobs = rows.map(({ data }) => openedJob<never>(data))
  expect(jobs).toMatchObject([{ letter }])
  const [email] = await emailsOf(db, jobs[0]!)
  expectWords(email!.text, words)
})
