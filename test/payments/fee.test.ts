import { endFeeOfCancelled } from '../../src/appointments/cancel.ts'
import { createDepositCharge } from '../../src/payments/charges.ts'
import { recordPayment } from '../../src/payments/record-payment.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { appointments, files } from '../../src/platform/database/schema/appointments.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import { noShowSlot } from '../../src/reports/rules/photos.ts'
import { agenda, around, book, hour, move, slots, type Visit, visitOf } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  customer,
  db,
  expectEmails,
  expectRowsIn,
  expectScreen,
  fixture,
  openEach,
  rowsWhere,
  sendJobs,
  setRow,
  storeRows,
  technician,
} from '../kit/open.ts'
import { refundsOf, rowsOf, set, storeAccepted, wordsOf } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { expectAnswered, expectShown, expectWords, sentTogether } from '../kit/reading.ts'
import { completeSheet, fileRow } from '../kit/reports.ts'
import { press } from '../reports/phone.ts'

const fee = { amount: 500_00, keptOnLateCancel: true, keptOnNoShow: true, keptOnNotViable: true }
let home: Home
let visit: Visit
openEach(async () => {
  home = await fixture.home(customer)
  await set(fixture, { visitFee: fee })
})
sendJobs()

const bookIt = async (form: Record<string, string> = { fee: '50000' }, nth = 0) =>
  book(customer, (await slots(customer, nth))[2]!, form)
const rows = async () => wordsOf(await rowsOf(home.projectId))
/** Expects what became of the fee, and how many refunds were proposed. */
async function expectOutcome(outcome: string | null, refunds = 0) {
  expect(await rowsOf(home.projectId)).toMatchObject([{ feeOutcome: outcome }])
  expect(await refundsOf(home.projectId)).toHaveLength(refunds)
}
async function booked() {
  await expectAnswered(bookIt(), 303)
  visit = await visitOf(customer)
}
async function paid() {
  const [row] = await rowsOf(home.projectId)
  const now = new Date()
  const about = { projectId: home.projectId, paymentId: row!.id, amount: 500_00, actorId: null }
  await transaction(db, (tx) => recordPayment(tx, { ...about, method: 'cash', paidAt: now }, now))
}
const cancel = (form: Record<string, string> = {}) =>
  fixture.post(
    '/technics-visit',
    {
      intent: 'cancel',
      appointmentId: visit.id,
      version: String(visit.version),
      reason: 'cliente_se_arrepiente',
      note: '',
      ...form,
    },
    customer,
  )

test('a fee is shown before booking, and asked for with it', async () => {
  const kept = 'no, si cancelas tarde, no hay quien reciba o la instalación no es posible'
  await expectScreen(agenda, customer, 'Tu visita cuesta $500.00, con IVA', kept)
  await booked()
  const [row] = await rowsOf(home.projectId)
  expect(await rows()).toEqual(['visit_fee pending 500'])
  expect(row).toMatchObject({ appointmentId: visit.id, dueAt: visit.startsAt })
  await expectEmails(row!, [])
  const [email] = await emailsOf(db, { letter: 'booked', appointmentId: visit.id, to: 'customer' })
  expectWords(email!.text, 'Visita técnica: $500.00', 'Pagar: https://carga.example/payments')
  expect(await sentTogether(fixture)).toEqual([])
  await expectAnswered(cancel(), 303)
  expect(await rows()).toEqual(['visit_fee cancelled 500'])
  await expectOutcome(null)
})

test('no fee is asked for where visits are free', async () => {
  await set(fixture, {})
  await expectScreen(agenda, customer, 'Tu visita es gratis')
  await expectAnswered(bookIt({ fee: '0' }), 303)
  expect(await rows()).toEqual([])
})

test('refuses to book for another fee than was shown', async () => {
  expectShown(await bookIt({ fee: '0' }), 409, 'ahora es $500.00')
  expect(await rows()).toEqual([])
  await expectRowsIn(appointments, {}, [])
})

describe('a paid fee', () => {
  beforeEach(async () => {
    await booked()
    await paid()
  })

  test('reduces the deposit of the quote that is accepted', async () => {
    await setRow(appointments, visit, { state: 'done', outcome: 'completed' })
    const quote = await storeAccepted(customer, home)
    await transaction(db, (tx) => createDepositCharge(tx, quote, new Date()))
    expect(await rows()).toEqual(['visit_fee paid 500', 'deposit pending 4500'])
    expect(await rowsOf(home.projectId)).toMatchObject([{ feeOutcome: 'credited' }, { feeOutcome: null }])
  })

  test('is refunded when the customer cancels in time', async () => {
    await expectAnswered(cancel(), 303)
    await expectOutcome('returned', 1)
    expect(await refundsOf(home.projectId)).toMatchObject([{ amount: 500_00, state: 'requested' }])
  })

  /** The day comes, and whoever goes is confirmed. */
  async function dayComes(after = 0): Promise<Visit> {
    const taken = { state: 'assigned', assigneeId: technician.id, confirmedAt: new Date() } as const
    await setRow(appointments, visit, taken)
    fixture.at(around(visit, after))
    return { ...visit, ...taken }
  }
  async function cancelLate() {
    fixture.at(around(visit, -2 * hour))
    await expectAnswered(cancel({ late: 'on', intent: 'cancel-late' }), 303)
  }
  async function nobodyThere() {
    const { assigneeId } = await dayComes(hour / 3)
    await storeRows(files, fileRow(visit.id, noShowSlot, assigneeId!))
    await expectAnswered(move(technician, visit, 'start'), 303)
    const calledAt = around(visit, hour / 4).toLocaleTimeString('en-GB', {
      timeZone: 'America/Mexico_City',
      hour: '2-digit',
      minute: '2-digit',
    })
    await expectAnswered(move(technician, visit, 'noShow', { called: 'yes', calledAt, note: '' }), 303)
    await endFeeOfCancelled(db, { appointmentId: visit.id }, new Date())
  }
  async function notViable() {
    const going = await dayComes()
    await expectAnswered(move(technician, visit, 'start'), 303)
    const why = { feasibility: 'not_viable', feasibilityReason: 'No hay por dónde llevar el cable.' }
    await completeSheet(going, why)
    const later = around(visit, hour)
    fixture.at(later)
    await expectAnswered(press(technician, visit, 'submit', later), 200)
  }

  describe.each([
    ['a late cancellation', 'keptOnLateCancel', cancelLate],
    ['a no-show', 'keptOnNoShow', nobodyThere],
    ['a report that is not viable', 'keptOnNotViable', notViable],
  ] as const)('after %s', (_, name, happens) => {
    test.each([
      [true, 'kept', 0],
      [false, 'returned', 1],
    ])('with keeping it set to %s is %s', async (isKept, outcome, refunds) => {
      await set(fixture, { visitFee: { ...fee, [name]: isKept } })
      await happens()
      await expectOutcome(outcome, refunds)
    })
  })

  test('pays for the next visit where this one could not be finished', async () => {
    await dayComes()
    await expectAnswered(move(technician, visit, 'start'), 303)
    const form = { outcome: 'not_possible', reason: 'sin_acceso', closingNote: '' }
    await expectAnswered(move(technician, visit, 'finish', form), 303)
    await expectOutcome(null)
    await expectScreen(agenda, customer, 'Tu visita es gratis')
    await expectAnswered(bookIt({ fee: '0' }), 303)
    expect(await rows()).toEqual(['visit_fee paid 500'])
    const [row] = await rowsWhere(payments)
    expect(row!.appointmentId).not.toBe(visit.id)
  })
})
