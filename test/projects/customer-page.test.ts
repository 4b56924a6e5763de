import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { TimelineEntity } from '../../src/domain/projects/timeline.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { payments } from '../../src/server/platform/database/schema/payments.ts'
import { events, tasks } from '../../src/server/platform/database/schema/projects.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { sendDraft, storeDraft, visited } from '../kit/quotes.ts'
import { readable, rowsIn } from '../kit/reading.ts'

openEach()
sendJobs()

const pageOf = ({ id }: Person, query = '') => `/admin/users/${id}/cliente${query}`
const seen = async (customer: Person, by: Person, query = '') =>
  readable(await world.visit(pageOf(customer, query), by))
const event = (entity: TimelineEntity, entityId: string, name: string, more: object = {}) =>
  world.db.insert(events).values({ entity, entityId, name, ...more })

/** A customer with a visit, a quote that was sent, a fee, a call and two letters. */
async function withHistory() {
  const { analyst, customer, technician } = people
  const visit = await visited(world, customer, technician)
  const { projectId } = visit
  const quote = await sendDraft(world, analyst, await storeDraft(world, visit, analyst))
  const fee = { projectId, customerId: customer.id, concept: 'visit_fee', amount: 50_000 } as const
  const [paid] = await world.db
    .insert(payments)
    .values({ ...fee, folio: 'PAG-PRUEBA-1' })
    .returning()
  await event('payment', paid!.id, 'demand')
  await event('appointment', visit.id, 'finish', { toState: 'done' })
  await event('letter', customer.id, 'send', { toState: 'sent', data: { letter: 'booked', job: 'a' } })
  await event('letter', customer.id, 'send', { toState: 'failed', data: { letter: 'quote_sent', job: 'b' } })
  return { visit, quote, projectId }
}

describe('a customer has one page', () => {
  test('with every module off: who, where, how far, what is owed, and one history', async () => {
    const { quote } = await withHistory()
    const page = await seen(people.customer, people.manager)
    for (const words of [
      'Camila Prueba',
      people.customer.email,
      'Correo confirmado',
      'Calle Ejemplo 12',
      'Le toca a: Cliente',
      'Falta',
      '$500.00',
      `Cotización ${quote.folio}: enviada`,
      'Pago PAG-PRUEBA-1, visita técnica de $500.00: por pagar',
      'Correo: cita agendada',
      'No se pudo enviar: cotización enviada',
    ])
      expect.soft(page).toContain(words)
  })

  test('the history is narrowed by kind and read a page at a time', async () => {
    await withHistory()
    const { customer, manager } = people
    const letters = await seen(customer, manager, '?ver=correos')
    expect(letters).toContain('Correo: cita agendada')
    expect(letters).not.toContain(': enviada')
    for (let n = 0; n < 60; n++) await event('user', customer.id, 'edit_profile')
    const first = await world.visit(pageOf(customer, '?ver=cambios'), manager)
    const next = /href="([^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&')
    expect(readable(first).match(/Cambió sus datos/g)).toHaveLength(25)
    const second = readable(await world.visit(next!, manager))
    expect(second.match(/Cambió sus datos/g)).toHaveLength(25)
    expect(second).toContain('Anterior')
  })

  test('a letter that failed and went out later is shown once', async () => {
    const { customer, manager } = people
    await world.home(customer)
    for (const toState of ['failed', 'sent'])
      await event('letter', customer.id, 'send', { toState, data: { letter: 'assigned', job: 'c' } })
    const page = await seen(customer, manager)
    expect(page).toContain('Correo: quién atiende la cita')
    expect(page).not.toContain('No se pudo enviar')
  })

  test('a call is noted, and stays in the history', async () => {
    const { analyst, customer } = people
    await world.home(customer)
    const form = { intent: 'note-call', result: 'Quiere agendar en enero.' }
    expect((await world.post(pageOf(customer), form, analyst)).status).toBe(303)
    expect(await rowsIn(world, tasks, { personId: customer.id })).toMatchObject([
      { result: form.result, takenBy: analyst.id, doneAt: expect.any(Date) },
    ])
    expect(await seen(customer, people.manager, '?ver=llamadas')).toContain(form.result)
  })
})

describe('who sees it', () => {
  test('the analyst reads the project without the account; others find nothing', async () => {
    await withHistory()
    const { ally, analyst, customer, customer2, gester, technician } = people
    const page = await seen(customer, analyst)
    expect(page).toContain('$500.00')
    for (const hidden of ['Corregir nombre y teléfono', 'Acceso a su cuenta', 'Agendar'])
      expect(page).not.toContain(hidden)
    for (const other of [technician, ally, gester])
      expect((await world.visit(pageOf(customer), other)).status).toBe(404)
    // Without a project there is nothing that an analyst finds in a list.
    expect((await world.visit(pageOf(customer2), analyst)).status).toBe(404)
    expect((await world.visit(pageOf(customer2), people.manager)).status).toBe(200)
    expect((await world.visit(pageOf(customer), customer)).location).toBe('/')
  })

  test('a staff member has no such page, nor has somebody unknown', async () => {
    const { manager, technician } = people
    expect((await world.visit(pageOf(technician), manager)).status).toBe(404)
    expect((await world.visit('/admin/users/nada/cliente', manager)).status).toBe(404)
  })

  test('a project’s old address leads there', async () => {
    const { projectId } = await world.home(people.customer)
    const on = world.under({ MODULES: 'clients' })
    const answer = await on.visit(`/admin/clients/${projectId}`, people.analyst)
    expect(answer.location).toBe(pageOf(people.customer, `?proyecto=${projectId}`))
    expect((await on.visit(`/admin/clients/${crypto.randomUUID()}`, people.analyst)).status).toBe(404)
  })
})

test('of an account that is closed nothing is corrected, and its home leads nowhere', async () => {
  const { customer, manager } = people
  await world.home(customer)
  const address = `${pageOf(customer)}/domicilio`
  expect((await world.visit(pageOf(customer), manager)).text).toContain(`href="${address}"`)
  await world.db.update(users).set({ active: false }).where(eq(users.id, customer.id))
  const page = await world.visit(pageOf(customer), manager)
  expect(readable(page)).toContain('Cuenta inactiva')
  expect(page.text).not.toContain(`href="${address}"`)
})

test('what comes next is one press away', async () => {
  const { customer, manager, technician } = people
  const home = await world.home(customer)
  const visit = await storeVisit(world, customer, home, new Date(Date.now() + 72 * hour), {
    assigneeId: technician.id,
  })
  const { text } = await world.visit(pageOf(customer), manager)
  expect(text).toContain(`href="/admin/assignations/nueva?cliente=${customer.id}`)
  expect(text).toContain(`href="/admin/assignations/${visit.id}/mover"`)
  expect(text).toContain(`href="/admin/cotizations/cobros/${home.projectId}"`)
})
