import { randomInt, randomUUID } from 'node:crypto'
import { letUnverifiedGo } from '../../src/appointments/unverified.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { invoices } from '../../src/platform/database/schema/payments.ts'
import { quotePartPath } from '../../src/quotes/rules/quote-path.ts'
import { lettersTo } from '../accounts/own.ts'
import { hour, storeVisit, visitAtHome } from '../kit/appointments.ts'
import { storeFiscal } from '../kit/invoices.ts'
import {
  ago,
  db,
  expectCount,
  expectRow,
  fixture,
  fromNow,
  manager,
  newPerson,
  openOnce,
  pageText,
  post,
  rowWhere,
  sendJobsOnce,
  setRow,
  storeRows,
  technician,
} from '../kit/open.ts'
import { acceptQuote, demandOf, today } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { expectStatus, expectStatuses, expectWords, readable } from '../kit/reading.ts'

openOnce()
sendJobsOnce()

const phone = () => `55${randomInt(10_000_000, 99_999_999)}`
const register = (phone: string, more: Record<string, string> = {}) => {
  const caller = { name: 'Rita', lastname: 'Llamas', phone, email: '', ...more }
  return post('/admin/assignations/nueva', { intent: 'create-customer', callOnly: 'on', ...caller }, manager)
}
const userWith = async (phone: string) => (await rowWhere(users, { phone }))!

/** A customer without a mailbox, at home. */
async function unreached() {
  const rita = await newPerson({ name: 'Rita' })
  await setRow(users, rita, { email: `${rita.id}@sin-correo.invalid` })
  return { rita, home: await fixture.home(rita) }
}

test('registers a caller without a mailbox once per phone, without e-mails, unless asked to', async () => {
  const number = phone()
  const next = await pageText((await register(number)).location!, manager)
  expect(next).toContain('No tiene correo: avísale por teléfono.')
  expect(next).not.toContain('Le mandamos un correo')
  const user = await userWith(number)
  expect(user.email).toBe(`${user.id}@sin-correo.invalid`)
  expect(await lettersTo(user)).toEqual([])
  const path = `/admin/users/${user.id}/cliente`
  const page = await fixture.visit(path, manager)
  expectWords(readable(page), 'No tiene correo')
  for (const shown of [page, await fixture.visit('/admin/users?text=Rita', manager)])
    expect(readable(shown)).not.toContain('sin-correo.invalid')
  for (const intent of ['resend-access', 'access-link'])
    expectStatus(await post(path, { intent }, manager), 409)
  expectWords(readable(await register(number)), 'Ya existe Rita Llamas con este teléfono')
  expectStatus(await register(number, { name: 'Otra', another: 'on' }), 303)
  await expectCount(users, { phone: number }, 2)
})

test('keeps an appointment of a customer who has no mailbox to verify', async () => {
  const number = phone()
  await register(number)
  const visit = await visitAtHome((await userWith(number)) as unknown as Person, fromNow(3 * hour), {
    assigneeId: technician.id,
    bookedBy: manager.id,
    createdAt: ago(72 * hour),
  })
  await letUnverifiedGo(db, new Date())
  await expectRow(appointments, { id: visit.id }, { state: visit.state })
})

test('of two registrations of one phone at once refuses the second', async () => {
  const number = phone()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const holder = await db.$client.connect()
  // Both have begun, and neither is stored yet.
  await holder.query('begin; lock table events in share mode')
  const both = [register(number), register(number, { name: 'Otra' })]
  await vi.waitFor(async () => expect((await db.$client.query(waiting)).rowCount).toBe(2))
  await holder.query('rollback')
  holder.release()
  const answers = await Promise.all(both)
  expectStatuses(answers, 303, 409)
  expectWords(readable(answers.find(({ status }) => status === 409)!), 'con este teléfono')
  await expectCount(users, { phone: number }, 1)
})

const office = () => fixture.under({ MODULES: 'payments,gesties' })
async function expectCallHint(path: string, form: Record<string, string>, by = manager) {
  const answer = await office().post(path, form, by)
  expect([answer.status, answer.status === 303 ? '' : readable(answer)]).toEqual([303, ''])
  const shown = readable(await office().visit(answer.location!, by))
  expectWords(shown, 'No tiene correo: llámale.')
  expect(shown).not.toMatch(/por correo\.|recibe su recibo/)
  return shown
}
async function visitOf(input: Partial<typeof appointments.$inferInsert>) {
  const { home, rita } = await unreached()
  const { id: assigneeId } = await newPerson({ kind: 'tecnician' })
  const now = new Date()
  return storeVisit(fixture, rita, home, now, { assigneeId, setOutAt: now, startedAt: now, ...input })
}

test.each([
  ['setOut', 'assigned', {}],
  ['callOff', 'in_progress', { reason: 'clima' }],
] as const)(
  'the toast asks to call a customer without a mailbox after the technician’s %s',
  async (move, state, form) => {
    const by = await newPerson({ kind: 'tecnician' })
    const { id } = await visitOf({ state, assigneeId: by.id })
    await expectCallHint(`/admin/appointments-pending/${id}`, { move, ...form }, by)
  },
)

test('the toast asks to call a customer without a mailbox after a payment and a reminder', async () => {
  const { home, rita } = await unreached()
  const quote = await acceptQuote(rita, home)
  const { id: paymentId } = (await demandOf(home.projectId))!
  const reminder = { intent: 'remind-payment', paymentId }
  expect(await expectCallHint('/admin/payments/cobrar', reminder)).toContain('Recordatorio anotado')
  const way = { method: 'cash', paidOn: today(), bank: '', trackingKey: '', note: '' }
  const form = { requestKey: randomUUID(), paymentId, amount: '200', sure: '20000', ...way }
  await expectCallHint(quotePartPath(quote.id, 'cuenta'), { intent: 'record-payment', ...form })
})

test('the toast asks to call a customer without a mailbox after a cancelled invoice, rejected fiscal data and a new case', async () => {
  const { home, rita } = await unreached()
  const { folio, id: quoteId } = await acceptQuote(rita, home, { folio: 'COT-2026-000077' })
  const page = quotePartPath(quoteId, 'fiscal')
  const whose = { projectId: home.projectId, customerId: rita.id, quoteId }
  const [invoice] = await storeRows(invoices, { ...whose, kind: 'income', request: {}, total: 100_00 })
  const form = { invoiceId: invoice!.id, version: String(invoice!.version), reason: 'Datos equivocados.' }
  await expectCallHint(page, { intent: 'cancel-invoice', ...form })
  await storeFiscal(rita, { state: 'submitted' })
  await expectCallHint(page, { intent: 'reject-fiscal', version: '1', reason: 'Falta el régimen.' })
  await expectCallHint('/admin/gesties', { intent: 'cases.open', folio, kind: 'name_change' })
})
