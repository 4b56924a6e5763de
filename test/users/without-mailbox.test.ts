import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { quotePartPath } from '../../src/domain/quotes/quote-path.ts'
import { letUnverifiedGo } from '../../src/server/appointments/unverified.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { appointments, moveOffers } from '../../src/server/platform/database/schema/appointments.ts'
import { invoices } from '../../src/server/platform/database/schema/payments.ts'
import { hour, slots, storeVisit } from '../kit/appointments.ts'
import { storeFiscal } from '../kit/invoices.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { acceptQuote, demandOf, today } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { readable, rowIn, rowsIn } from '../kit/reading.ts'

openEach()
sendJobs()

const caller = { callOnly: 'on', name: 'Rita', lastname: 'Llamas', phone: '+52 55 8123 4567', email: '' }
const register = (more: Record<string, string> = {}) =>
  world.post('/admin/assignations/nueva', { intent: 'create-customer', ...caller, ...more }, people.manager)

test('a caller without a mailbox is registered, once, and gets no letter', async () => {
  const { manager } = people
  const registered = await register()
  expect(registered.status).toBe(303)
  const next = readable(await world.visit(registered.location!, manager))
  expect(next).toContain('No tiene correo: avísale por teléfono.')
  expect(next).not.toContain('Le mandamos un correo')
  const user = (await rowIn(world, users, { phone: '5581234567' }))!
  expect(user.email).toBe(`${user.id}@sin-correo.invalid`)
  const { rows } = await world.db.$client.query(`select 1 from pgboss.job where name = 'account-letter'`)
  expect(rows).toEqual([])
  expect(readable(await register())).toContain('Ya existe Rita Llamas con este teléfono')
  const path = `/admin/users/${user.id}/cliente`
  const page = await world.visit(path, manager)
  expect(readable(page)).toContain('No tiene correo')
  for (const shown of [page, await world.visit('/admin/users?text=Rita', manager)])
    expect(readable(shown)).not.toContain('sin-correo.invalid')
  for (const intent of ['resend-access', 'access-link'])
    expect((await world.post(path, { intent }, manager)).status).toBe(409)
  // Another caller who has none either is somebody else.
  expect((await register({ name: 'Otra', phone: '5581234568' })).status).toBe(303)
  expect(await rowsIn(world, users, { lastname: 'Llamas' })).toHaveLength(2)
})

test('an appointment of theirs is not released: there is nothing to verify', async () => {
  const { technician } = people
  await register()
  const { id } = (await rowIn(world, users, { phone: '5581234567' }))!
  const person = { id } as Person
  const visit = await storeVisit(world, person, await world.home(person), new Date(Date.now() + 3 * hour), {
    assigneeId: technician.id,
    bookedBy: people.manager.id,
    createdAt: new Date(Date.now() - 72 * hour),
  })
  await letUnverifiedGo(world.db, new Date())
  expect(await rowIn(world, appointments, { id: visit.id })).toMatchObject({ state: visit.state })
})

test('of two who register the same phone at once, the second is told of the first', async () => {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const holder = await world.db.$client.connect()
  // Both have begun, and neither is stored yet.
  await holder.query('begin; lock table events in share mode')
  const both = [register(), register({ name: 'Otra' })]
  await vi.waitFor(async () => expect((await world.db.$client.query(waiting)).rowCount).toBe(2))
  await holder.query('rollback')
  holder.release()
  const answers = await Promise.all(both)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(readable(answers.find(({ status }) => status === 409)!)).toContain('con este teléfono')
  expect(await rowsIn(world, users, { phone: '5581234567' })).toHaveLength(1)
  // Somebody else with that phone is still registered deliberately.
  expect((await register({ name: 'Otra', another: 'on' })).status).toBe(303)
  expect(await rowsIn(world, users, { phone: '5581234567' })).toHaveLength(2)
})

test('a toast about money or a quote promises no letter to whoever has no mailbox', async () => {
  const { manager } = people
  const rita = await world.person({ name: 'Rita' })
  const home = await world.home(rita)
  const quote = await acceptQuote(world, rita, home)
  const demand = (await demandOf(world, home.projectId))!
  const record = async (amount: string) => {
    const form = { requestKey: randomUUID(), paymentId: demand.id, amount, sure: `${amount}00` }
    const way = { method: 'cash', paidOn: today(), bank: '', trackingKey: '', note: '' }
    const path = quotePartPath(quote.id, 'cuenta')
    const answer = await world.post(path, { intent: 'record-payment', ...form, ...way }, manager)
    return readable(await world.visit(answer.location!, manager))
  }
  expect(await record('100')).toContain('El cliente recibe su recibo por correo.')
  await world.db
    .update(users)
    .set({ email: `${rita.id}@sin-correo.invalid` })
    .where(eq(users.id, rita.id))
  const told = await record('200')
  expect(told).toContain('No tiene correo: llámale.')
  expect(told).not.toContain('recibe su recibo')
})

describe('a toast about anything else promises no letter either', () => {
  const office = () => world.under({ MODULES: 'payments,gesties' })
  /** A customer without a mailbox, at home. */
  async function unreached() {
    const rita = await world.person({ name: 'Rita' })
    const home = await world.home(rita)
    const email = `${rita.id}@sin-correo.invalid`
    await world.db.update(users).set({ email }).where(eq(users.id, rita.id))
    return { rita, home }
  }
  async function visitOf(wish: Partial<typeof appointments.$inferInsert>) {
    const { home, rita } = await unreached()
    const now = new Date()
    const assigneeId = people.technician.id
    return storeVisit(world, rita, home, now, { assigneeId, setOutAt: now, startedAt: now, ...wish })
  }
  async function says(path: string, form: Record<string, string>, by = people.manager) {
    const answer = await office().post(path, form, by)
    expect([answer.status, answer.status === 303 ? '' : readable(answer)]).toEqual([303, ''])
    const told = readable(await office().visit(answer.location!, by))
    expect(told).toContain('No tiene correo: llámale.')
    expect(told).not.toContain('por correo.')
    return told
  }

  test.each([
    ['setOut', 'assigned', {}],
    ['callOff', 'in_progress', { reason: 'clima' }],
  ] as const)('of a technician: %s', async (move, state, form) => {
    const { id } = await visitOf({ state })
    await says(`/admin/appointments-pending/${id}`, { move, ...form }, people.technician)
  })

  test('of an answer by phone to another hour', async () => {
    const { id, startsAt } = await visitOf({ state: 'requested', assigneeId: null, confirmedAt: null })
    const scout = await world.person()
    await world.home(scout)
    const toStartsAt = new Date((await slots(world, scout))[2]!)
    const whose = { appointmentId: id, absentId: people.technician2.id, assigneeId: people.technician.id }
    const times = { fromStartsAt: startsAt, toStartsAt, expiresAt: new Date(Date.now() + hour) }
    const [offer] = await world.db
      .insert(moveOffers)
      .values({ ...whose, ...times, harm: 1, madeBy: people.manager.id })
      .returning()
    await says(`/admin/assignations/${id}`, { intent: 'accept-move', offerId: offer!.id })
  })

  test('of a reminder, which is not said to be sent', async () => {
    const { home, rita } = await unreached()
    await acceptQuote(world, rita, home)
    const { id: paymentId } = (await demandOf(world, home.projectId))!
    const told = await says('/admin/payments/cobrar', { intent: 'remind-payment', paymentId })
    expect(told).toContain('Recordatorio anotado')
  })

  test('of an invoice and of fiscal data', async () => {
    const { home, rita } = await unreached()
    const quote = await acceptQuote(world, rita, home)
    const page = quotePartPath(quote.id, 'fiscal')
    const about = {
      projectId: home.projectId,
      customerId: rita.id,
      quoteId: quote.id,
      kind: 'income' as const,
    }
    const [invoice] = await world.db
      .insert(invoices)
      .values({ ...about, request: {}, total: 100_00 })
      .returning()
    const form = { invoiceId: invoice!.id, version: String(invoice!.version), reason: 'Datos equivocados.' }
    await says(page, { intent: 'cancel-invoice', ...form })
    await storeFiscal(world, rita, { state: 'submitted' })
    await says(page, { intent: 'reject-fiscal', version: '1', reason: 'Falta el régimen.' })
  })

  test('of a case that is opened', async () => {
    const { home, rita } = await unreached()
    const { folio } = await acceptQuote(world, rita, home, { folio: 'COT-2026-000077' })
    await says('/admin/gesties', { intent: 'cases.open', folio, kind: 'name_change' })
  })
})
