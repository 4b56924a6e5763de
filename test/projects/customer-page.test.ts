import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { MessageState, Template } from '../../src/domain/notifications/whatsapp.ts'
import type { TimelineEntity } from '../../src/domain/projects/timeline.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { clients } from '../../src/server/platform/database/schema/agencies.ts'
import { slotWishes } from '../../src/server/platform/database/schema/appointments.ts'
import { whatsappMessages } from '../../src/server/platform/database/schema/cfe.ts'
import { payments } from '../../src/server/platform/database/schema/payments.ts'
import { events, projects, tasks } from '../../src/server/platform/database/schema/projects.ts'
import { customerWithVisit, hour, storeVisit } from '../kit/appointments.ts'
import { deliver, emailEnv } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
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
  const account = `/admin/cotizations/cobros/${home.projectId}?de=cliente`
  expect(text).toContain(`href="${account}"`)
  // From the account one comes back to the customer, but not who came from a list.
  const back = `href="${pageOf(customer)}"`
  expect((await world.visit(account, manager)).text).toContain(back)
  expect((await world.visit(account.replace('?de=cliente', ''), manager)).text).not.toContain(back)
})

test('of several that are booked, each is moved from its own row', async () => {
  const { analyst, customer, manager, technician } = people
  const home = await world.home(customer)
  const at = (hours: number) => new Date(Date.now() + hours * hour)
  const first = await storeVisit(world, customer, home, at(72), { assigneeId: technician.id })
  const second = await storeVisit(world, customer, home, at(96), {
    assigneeId: technician.id,
    service: 'installation',
  })
  const { text } = await world.visit(pageOf(customer), manager)
  for (const { id } of [first, second])
    expect(text.split(`href="/admin/assignations/${id}/mover"`)).toHaveLength(2)
  expect((await world.visit(pageOf(customer), analyst)).text).not.toContain('/mover"')
})

test('a customer without a home gets one there, from the manager', async () => {
  const { analyst, customer, manager } = people
  const address = `${pageOf(customer)}/domicilio`
  expect(await seen(customer, manager)).toContain('Registrar domicilio')
  expect(readable(await world.visit(address, manager))).toContain('Registrar domicilio')
  const form = { intent: 'correct-address', ...addressForm, visitSeen: '' }
  expect((await world.post(address, form, manager)).location).toBe(pageOf(customer))
  const page = await seen(customer, manager)
  expect(page).toContain(addressForm.street)
  expect(page).not.toContain('Registrar domicilio')
  expect(await seen(customer, analyst)).toContain(addressForm.street)
})

test('a customer who never gave a name gets one, and a phone, from the manager', async () => {
  const { manager, technician } = people
  const customer = await world.person({ name: null })
  expect(await seen(customer, manager)).toContain('Registrar nombre y teléfono')
  const [user] = await rowsIn(world, users, { id: customer.id })
  const words = { name: 'Olga', lastname: 'Prueba', phone: '5512340000' }
  const form = { intent: 'correct-profile', version: String(user!.version), ...words }
  expect((await world.post(pageOf(customer), form, manager)).location).toBe(pageOf(customer))
  expect(await seen(customer, manager)).toContain('Olga Prueba')
  expect((await world.visit('/', customer)).status).toBe(200)
  // Of staff a profile is never written for them.
  await world.db.update(users).set({ name: null }).where(eq(users.id, technician.id))
  const other = await world.post(`/admin/users/${technician.id}`, { ...form, version: '1' }, manager)
  expect(readable(other)).toContain('Todavía no completa su perfil')
})

test('refuses a stale correction of a customer each time it is sent, and keeps what was typed', async () => {
  const { customer, manager } = people
  const [user] = await rowsIn(world, users, { id: customer.id })
  const words = { name: 'Olga', lastname: 'Prueba', phone: '5511113333' }
  const form = { intent: 'correct-profile', version: String(user!.version), ...words }
  expect((await world.post(pageOf(customer), form, manager)).status).toBe(303)
  const late = await world.post(pageOf(customer), { ...form, phone: '5529452695', lastname: 'Luna' }, manager)
  expect(late.status).toBe(409)
  expect(late.text).toMatch(new RegExp(`name="version" value="${user!.version}"[^]*value="Luna"`))
  expect(await rowsIn(world, users, { id: customer.id })).toMatchObject([words])
})

test('an older project says how it ended, and is reopened beside the one that is open', async () => {
  const { customer, manager } = people
  const older = await world.home(customer)
  const lose = (projectId: string) =>
    world.post(pageOf(customer), { intent: 'lose-project', projectId, reason: 'precio', note: '' }, manager)
  expect((await lose(older.projectId)).status).toBe(303)
  const newer = await world.home(customer)
  const query = `?proyecto=${older.projectId}`
  const page = await seen(customer, manager, query)
  for (const words of ['Proyecto no concretado', 'El precio', 'llevará los dos', 'Reabrir proyecto'])
    expect(page).toContain(words)
  expect(await seen(customer, manager)).not.toContain('llevará los dos')
  const form = { intent: 'reopen-project', projectId: older.projectId }
  // The form leads back to the project of its page.
  expect((await world.post(pageOf(customer) + query, form, manager)).onward).toBe(pageOf(customer) + query)
  const open = await rowsIn(world, projects, { customerId: customer.id })
  expect(open.map(({ closedAt, place }) => [closedAt, place]).sort()).toEqual([
    [null, 1],
    [null, 2],
  ])
  for (const { projectId } of [older, newer])
    expect(await seen(customer, manager, `?proyecto=${projectId}`)).toContain('Cerrar como No concretado')
  expect((await world.visit(`${pageOf(customer)}?proyecto=${older.projectId}`, manager)).text).toContain(
    `href="${pageOf(customer)}/domicilio?proyecto=${older.projectId}"`,
  )
})

test('an analyst asks the manager to close a project with a booked visit, once', async () => {
  const { analyst, customer, manager, technician } = people
  const home = await world.home(customer)
  const soon = new Date(Date.now() + 72 * hour)
  const visit = await storeVisit(world, customer, home, soon, { assigneeId: technician.id })
  expect(await seen(customer, analyst)).toContain('Pedir a la gerencia')
  expect(await seen(customer, manager)).not.toContain('Pedir a la gerencia')
  const form = { intent: 'ask-to-lose', projectId: home.projectId, reason: 'precio', note: 'Muy caro.' }
  for (let n = 0; n < 2; n++)
    expect((await world.post(pageOf(customer), form, analyst)).location).toBe(pageOf(customer))
  expect(await rowsIn(world, tasks, { personId: customer.id })).toMatchObject([{ appointmentId: visit.id }])
  const work = readable(await world.visit('/admin', manager))
  expect(work).toContain('Cerrar el proyecto como No concretado')
  expect(work).toContain('El precio. Muy caro.')
  // Closing the project does what was asked.
  await world.post(pageOf(customer), { ...form, intent: 'lose-project' }, manager)
  expect(readable(await world.visit('/admin', manager))).not.toContain('El precio. Muy caro.')
})

describe('the history tells more than the letters', () => {
  test('messages by WhatsApp, with how far each got', async () => {
    const { customer, manager } = people
    await world.home(customer)
    const message = (template: Template, state: MessageState, fault: string | null = null) =>
      world.db
        .insert(whatsappMessages)
        .values({ userId: customer.id, letterId: crypto.randomUUID(), template, state, fault })
        .returning()
    const [read] = await message('cita_agendada', 'read')
    const [failed] = await message('recordatorio_24h', 'failed', '131026')
    for (const one of [read, failed]) await event('whatsapp', one!.id, 'send')
    const page = await seen(customer, manager, '?ver=correos')
    expect(page).toContain('WhatsApp: cita agendada (leído)')
    expect(page).toContain('No se pudo entregar por WhatsApp: recordatorio de un día antes')
    expect(page).toContain('Error 131026 de WhatsApp')
  })

  test('an attribution given and ended, and a wish for an earlier time', async () => {
    const { ally, analyst, customer, manager } = people
    const home = await world.home(customer)
    const account = `/admin/users/${customer.id}`
    const give = { intent: 'attribution.give', seen: '', allyId: ally.id, reason: 'Lo trajo Ana.' }
    expect((await world.post(account, give, manager)).status).toBe(303)
    const [tie] = await rowsIn(world, clients, { customerId: customer.id })
    await world.post(account, { intent: 'attribution.end', seen: tie!.id, reason: 'Fue error.' }, manager)
    const about = { customerId: customer.id, projectId: home.projectId, service: 'technical_visit' } as const
    const [wish] = await world.db.insert(slotWishes).values(about).returning()
    await event('slot_wish', wish!.id, 'ask', { actorId: customer.id })
    const page = await seen(customer, analyst)
    for (const words of [
      'La gerencia lo atribuyó a',
      'Lo trajo Ana.',
      'Ya no viene de',
      'Fue error.',
      'Pidió que le avisemos de un horario antes',
    ])
      expect(page).toContain(words)
  })

  test('a letter that the mail server refuses, once, and no more once it goes out', async () => {
    const { customer, visit } = await customerWithVisit(world)
    const job = { letter: 'booked', appointmentId: visit.id, to: 'customer' } as const
    const refusing = { send: () => Promise.reject(new Error('EENVELOPE 550')) }
    for (let tries = 0; tries < 2; tries++)
      await expect(deliver(world.db, emailEnv, refusing, job, 'job-1')).rejects.toThrow('EENVELOPE')
    const page = await seen(customer as Person, people.manager)
    expect(page.split('No se pudo enviar: cita agendada')).toHaveLength(2)
    await deliver(world.db, emailEnv, { send: async () => {} }, job, 'job-1')
    const later = await seen(customer as Person, people.manager)
    expect(later).not.toContain('No se pudo enviar')
    expect(later).toContain('Correo: cita agendada')
  })

  test('a merge, also to analysts, who read nothing else of the account', async () => {
    const { analyst, customer } = people
    await world.home(customer)
    for (const name of ['merge', 'undo_merge', 'change_password']) await event('user', customer.id, name)
    const page = await seen(customer, analyst)
    expect(page).toContain('Se unió con otra ficha')
    expect(page).toContain('Se deshizo la unión')
    expect(page).not.toContain('Cambió su contraseña')
  })
})
