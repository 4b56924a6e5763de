import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { noShowSlot } from '../../src/domain/reports/photos.ts'
import { createDepositCharge } from '../../src/server/payments/charges.ts'
import { recordPayment } from '../../src/server/payments/record-payment.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { appointments, files } from '../../src/server/platform/database/schema/appointments.ts'
import { payments } from '../../src/server/platform/database/schema/payments.ts'
import { agenda, around, book, hour, move, slots, type Visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { refundsOf, rowsOf, set, storeAccepted, wordsOf } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout, readable } from '../kit/reading.ts'
import { completeSheet, fileRow } from '../kit/reports.ts'
import { press } from '../reports/phone.ts'

openEach()
sendJobs()

const fee = { amount: 500_00, keptOnLateCancel: true, keptOnNoShow: true, keptOnNotViable: true }
let home: Home
let visit: Visit
beforeEach(async () => {
  home = await world.home(people.customer)
  await set(world, { visitFee: fee })
})

const bookIt = async (form: Record<string, string> = { fee: '50000' }, nth = 0) =>
  book(world, people.customer, (await slots(world, people.customer, nth))[2]!, form)
const rows = async () => wordsOf(await rowsOf(world, home.projectId))
const outcomes = async () => (await rowsOf(world, home.projectId)).map(({ feeOutcome }) => feeOutcome)
async function booked() {
  expect((await bookIt()).status).toBe(303)
  visit = await visitOf(world, people.customer)
}
async function paid() {
  const [row] = await rowsOf(world, home.projectId)
  const now = new Date()
  const about = { projectId: home.projectId, paymentId: row!.id, amount: 500_00, actorId: null }
  await transaction(world.db, (tx) => recordPayment(tx, { ...about, method: 'cash', paidAt: now }, now))
}
const cancel = (form: Record<string, string> = {}) =>
  world.post(
    '/technics-visit',
    {
      intent: 'cancel',
      appointmentId: visit.id,
      version: String(visit.version),
      reason: 'cliente_se_arrepiente',
      note: '',
      ...form,
    },
    people.customer,
  )

test('is said before booking, and asked for with it', async () => {
  const page = readable(await world.visit(agenda, people.customer))
  expect(page).toContain('Tu visita cuesta $500.00, con IVA')
  expect(page).toContain('no, si cancelas tarde, no hay quien reciba o la instalación no es posible')
  await booked()
  expect(await rows()).toEqual(['visit_fee pending 500'])
  const [row] = await rowsOf(world, home.projectId)
  expect(row).toMatchObject({ appointmentId: visit.id, dueAt: visit.startsAt })
  expect(await emailsAbout(world, row!.id)).toEqual(['payment_due to customer'])
})

test('without a fee it is free, and nothing is asked for', async () => {
  await set(world, {})
  expect(readable(await world.visit(agenda, people.customer))).toContain('Tu visita es gratis')
  expect((await bookIt({ fee: '0' })).status).toBe(303)
  expect(await rows()).toEqual([])
})

test('another than was shown is refused: nothing is booked', async () => {
  const answer = await bookIt({ fee: '0' })
  expect([answer.status, readable(answer).includes('ahora es $500.00')]).toEqual([409, true])
  expect(await rows()).toEqual([])
  expect(await world.db.select().from(appointments)).toEqual([])
})

describe('that was paid', () => {
  beforeEach(async () => {
    await booked()
    await paid()
  })

  test('goes into the quote that is accepted, and its deposit is less', async () => {
    await world.db
      .update(appointments)
      .set({ state: 'done', outcome: 'completed' })
      .where(eq(appointments.id, visit.id))
    const quote = await storeAccepted(world, people.customer, home)
    await transaction(world.db, (tx) => createDepositCharge(tx, quote, new Date()))
    expect(await rows()).toEqual(['visit_fee paid 500', 'deposit pending 4500'])
    expect(await outcomes()).toEqual(['credited', null])
  })

  test('is given back whole when its customer cancels in time', async () => {
    expect((await cancel()).status).toBe(303)
    expect(await outcomes()).toEqual(['returned'])
    expect(await refundsOf(world, home.projectId)).toMatchObject([{ amount: 500_00, state: 'requested' }])
  })

  test.each([
    [true, 'kept', 0],
    [false, 'returned', 1],
  ])('on a late cancellation, kept: %s', async (keptOnLateCancel, outcome, refunds) => {
    await set(world, { visitFee: { ...fee, keptOnLateCancel } })
    world.at(around(visit, -2 * hour))
    expect((await cancel({ late: 'on', intent: 'cancel-late' })).status).toBe(303)
    expect(await outcomes()).toEqual([outcome])
    expect(await refundsOf(world, home.projectId)).toHaveLength(refunds)
  })

  /** The day comes, and whoever goes is confirmed. */
  async function dayComes(after = 0): Promise<Visit> {
    const taken = { state: 'assigned', assigneeId: people.technician.id, confirmedAt: new Date() } as const
    await world.db.update(appointments).set(taken).where(eq(appointments.id, visit.id))
    world.at(around(visit, after))
    return { ...visit, ...taken }
  }

  test.each([
    [true, 'kept', 0],
    [false, 'returned', 1],
  ])('where nobody was there, kept: %s', async (keptOnNoShow, outcome, refunds) => {
    await set(world, { visitFee: { ...fee, keptOnNoShow } })
    const { assigneeId } = await dayComes(hour / 3)
    await world.db.insert(files).values(fileRow(visit.id, noShowSlot, assigneeId!))
    const called = around(visit, hour / 4)
    const calledAt = called.toLocaleTimeString('en-GB', {
      timeZone: 'America/Mexico_City',
      hour: '2-digit',
      minute: '2-digit',
    })
    const form = { called: 'yes', calledAt, note: '' }
    expect((await move(world, people.technician, visit, 'noShow', form)).status).toBe(303)
    expect(await outcomes()).toEqual([outcome])
    expect(await refundsOf(world, home.projectId)).toHaveLength(refunds)
  })

  test.each([
    [true, 'kept', 0],
    [false, 'returned', 1],
  ])('where no installation is possible, kept: %s', async (keptOnNotViable, outcome, refunds) => {
    await set(world, { visitFee: { ...fee, keptOnNotViable } })
    const going = await dayComes()
    expect((await move(world, people.technician, visit, 'start')).status).toBe(303)
    const why = { feasibility: 'not_viable', feasibilityReason: 'No hay por dónde llevar el cable.' }
    await completeSheet(world, going, why)
    const later = around(visit, hour)
    world.at(later)
    expect((await press(world, people.technician, visit, 'submit', later)).status).toBe(200)
    expect(await outcomes()).toEqual([outcome])
    expect(await refundsOf(world, home.projectId)).toHaveLength(refunds)
  })

  test('goes on with the next visit where this one could not be finished', async () => {
    const { technician } = people
    await dayComes()
    expect((await move(world, technician, visit, 'start')).status).toBe(303)
    const form = { outcome: 'not_possible', reason: 'sin_acceso', closingNote: '' }
    expect((await move(world, technician, visit, 'finish', form)).status).toBe(303)
    expect(await outcomes()).toEqual([null])
    expect(readable(await world.visit(agenda, people.customer))).toContain('Tu visita es gratis')
    expect((await bookIt({ fee: '0' })).status).toBe(303)
    expect(await rows()).toEqual(['visit_fee paid 500'])
    const [row] = await world.db.select().from(payments)
    expect(row!.appointmentId).not.toBe(visit.id)
  })
})

test('one that was not paid is asked for no more once its visit is cancelled', async () => {
  await booked()
  expect((await cancel()).status).toBe(303)
  expect(await rows()).toEqual(['visit_fee cancelled 500'])
  expect(await refundsOf(world, home.projectId)).toEqual([])
})
