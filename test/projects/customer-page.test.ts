import type { TimelineEntity } from '../../src/customers/rules/timeline.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { slotWishes } from '../../src/platform/database/schema/appointments.ts'
import { whatsappMessages } from '../../src/platform/database/schema/cfe.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import { events, projects, tasks } from '../../src/platform/database/schema/projects.ts'
import { customerWithVisit, hour, storeVisit } from '../kit/appointments.ts'
import { deliver, emailEnv } from '../kit/delivered.ts'
import {
  ally,
  analyst,
  customer,
  customer2,
  db,
  expectLed,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  fixture,
  fromNow,
  gester,
  manager,
  markupOf,
  newHome,
  openEach,
  pageText,
  post,
  rowsWhere,
  sendJobs,
  setRow,
  storeRows,
  technician,
} from '../kit/open.ts'
import { addressForm, type Home, type Person } from '../kit/people.ts'
import { sendDraft, storeDraft, visited } from '../kit/quotes.ts'
import { expectAnswered, expectLocation, expectWords, readable } from '../kit/reading.ts'

openEach()
sendJobs()

const pageOf = ({ id }: Person = customer, query = '') => `/admin/users/${id}/cliente${query}`
const seen = (query = '', by = manager) => pageText(pageOf(undefined, query), by)
/** The markup of the page. */
const markup = (by = manager) => markupOf(pageOf(), by)
const send = (form: Record<string, string>, by = manager) => post(pageOf(), form, by)
const statusOf = async (path: string, by: Person) => (await fixture.data(path, by)).status
const event = (entity: TimelineEntity, entityId: string, name: string, more: object = {}) =>
  storeRows(events, { entity, entityId, name, ...more })
const storeBooked = (home: Home, days = 3, service: 'technical_visit' | 'installation' = 'technical_visit') =>
  storeVisit(fixture, customer, home, fromNow(days * 24 * hour), {
    assigneeId: technician.id,
    service,
  })

/** A customer with a visit, a quote that was sent, a fee and two e-mails. */
async function withHistory() {
  const visit = await visited(customer, technician)
  const quote = await sendDraft(fixture, analyst, await storeDraft(fixture, visit, analyst))
  const about = { projectId: visit.projectId, customerId: customer.id, folio: 'PAG-PRUEBA-1' }
  const [fee] = await storeRows(payments, { ...about, concept: 'visit_fee', amount: 50_000 })
  await event('payment', fee!.id, 'demand')
  await event('letter', customer.id, 'send', { toState: 'sent', data: { letter: 'booked', job: 'a' } })
  await event('letter', customer.id, 'send', { toState: 'failed', data: { letter: 'quote_sent', job: 'b' } })
  return quote
}

test('the page of a customer shows contact, address, status, debts and history to managers, without the account to analysts', async () => {
  const { folio } = await withHistory()
  const who = ['Camila Prueba', customer.email, 'Calle Ejemplo 12', 'Le toca a: Cliente']
  const history = [`Cotización ${folio}: enviada`, 'Pago PAG-PRUEBA-1, visita técnica de $500.00: por pagar']
  const emails = ['Correo: cita agendada', 'No se pudo enviar: cotización enviada']
  expectWords(await seen(), ...who, 'Falta', '$500.00', ...history, ...emails)
  const page = await seen('', analyst)
  expectWords(page, '$500.00')
  expect(page).not.toMatch(/Corregir nombre y teléfono|Acceso a su cuenta|Agendar/)
  for (const other of [technician, ally, gester]) expect(await statusOf(pageOf(), other)).toBe(404)
  // Without a project there is nothing that an analyst finds in a list.
  expect(await statusOf(pageOf(customer2), analyst)).toBe(404)
  expect(await statusOf(pageOf(customer2), manager)).toBe(200)
  for (const path of [pageOf(technician), '/admin/users/nada/cliente'])
    expect(await statusOf(path, manager)).toBe(404)
})

test('the page of a customer lets the manager register a missing address, and correct it unless the account is inactive', async () => {
  const address = `${pageOf()}/domicilio`
  for (const path of [pageOf(), address]) await expectScreen(path, manager, 'Registrar domicilio')
  const form = { intent: 'correct-address', ...addressForm, visitSeen: '' }
  expectLocation(await post(address, form, manager), pageOf())
  await expectScreen(pageOf(), manager, addressForm.street, `href="${address}"`)
  await setRow(users, customer, { active: false })
  const text = await markup()
  expectWords(text, 'Cuenta inactiva')
  expect(text).not.toContain(`href="${address}"`)
})

test('the page of a customer lets the manager register a missing name and phone of a customer, not of staff', async () => {
  const customer = await fixture.person({ name: null })
  await expectScreen(pageOf(customer), manager, 'Registrar nombre y teléfono')
  const words = { name: 'Olga', lastname: 'Prueba', phone: '5512340000' }
  const form = { intent: 'correct-profile', version: '1', ...words }
  expectLocation(await post(pageOf(customer), form, manager), pageOf(customer))
  await expectScreen(pageOf(customer), manager, 'Olga Prueba')
  await expectLed('/', customer, null)
  await setRow(users, technician, { name: null })
  const other = await post(`/admin/users/${technician.id}`, form, manager)
  expectWords(readable(other), 'Todavía no completa su perfil')
})

test('the page of a customer shows how an older project ended; the manager reopens it beside the open one', async () => {
  const { projectId } = await newHome(customer)
  await expectAnswered(send({ intent: 'lose-project', projectId, reason: 'precio', note: 'Caro.' }), 303)
  const newer = await newHome(customer)
  const query = `?proyecto=${projectId}`
  const page = pageOf(undefined, query)
  await expectScreen(page, manager, 'Proyecto no concretado', 'El precio', 'Reabrir proyecto')
  const reopened = await post(page, { intent: 'reopen-project', projectId }, manager)
  expect(reopened.onward).toBe(page)
  const open = await rowsWhere(projects, { customerId: customer.id })
  const kept = { closedAt: null, lostReason: null, lostNote: null }
  expect(open).toMatchObject([kept, kept])
  expect(open.map(({ place }) => place).sort()).toEqual([1, 2])
  for (const at of [page, pageOf(undefined, `?proyecto=${newer.projectId}`)])
    await expectScreen(at, manager, 'Cerrar como No concretado')
})

test('the page of a customer lets an analyst ask the manager once to close a project with a booked visit', async () => {
  const home = await newHome(customer)
  const visit = await storeBooked(home)
  expectWords(await seen('', analyst), 'Pedir a la gerencia')
  const link = `href="/admin/assignations/${visit.id}/mover"`
  expect([await markup(), await markup(analyst)].map((text) => text.includes(link))).toEqual([true, false])
  expect(await seen()).not.toContain('Pedir a la gerencia')
  const form = { projectId: home.projectId, reason: 'precio', note: 'Muy caro.' }
  for (let n = 0; n < 2; n++)
    expectLocation(await send({ intent: 'ask-to-lose', ...form }, analyst), pageOf())
  await expectRowsIn(tasks, { personId: customer.id }, [{ appointmentId: visit.id }])
  const asked = 'El precio. Muy caro.'
  await expectScreen('/admin', manager, 'Cerrar el proyecto como No concretado', asked)
  // Closing the project does what was asked.
  await send({ intent: 'lose-project', ...form })
  await expectNotOnPage('/admin', manager, asked)
})

test('the history of a customer is filtered by kind and paged', async () => {
  await withHistory()
  const emails = await seen('?ver=correos')
  expectWords(emails, 'Correo: cita agendada')
  expect(emails).not.toContain(': enviada')
  const change = { entity: 'user', entityId: customer.id, name: 'edit_profile' }
  await storeRows(events, Array(60).fill(change))
  const first = await fixture.visit(pageOf(undefined, '?ver=cambios'), manager)
  const next = /href="([^"]*after=[^"]*)"/.exec(first.text)![1]!.replaceAll('&amp;', '&')
  const second = await pageText(next, manager)
  for (const page of [readable(first), second]) expect(page.match(/Cambió sus datos/g)).toHaveLength(25)
  expectWords(second, 'Anterior')
})

test('the history of a customer shows a call that an analyst noted', async () => {
  await newHome(customer)
  const result = 'Quiere agendar en enero.'
  await expectAnswered(send({ intent: 'note-call', result }, analyst), 303)
  await expectRowsIn(tasks, { personId: customer.id }, [
    { result, takenBy: analyst.id, doneAt: expect.any(Date) },
  ])
  expectWords(await seen('?ver=llamadas'), result)
})

test('the history of a customer shows messages by WhatsApp, with how far each got', async () => {
  await newHome(customer)
  for (const row of [
    { template: 'cita_agendada', state: 'read' },
    { template: 'recordatorio_24h', state: 'failed', fault: '131026' },
  ] as const) {
    const of = { userId: customer.id, letterId: crypto.randomUUID() }
    const [message] = await storeRows(whatsappMessages, { ...of, ...row })
    await event('whatsapp', message!.id, 'send')
  }
  expectWords(
    await seen('?ver=correos'),
    'WhatsApp: cita agendada (leído)',
    'No se pudo entregar por WhatsApp: recordatorio de un día antes',
    'Error 131026 de WhatsApp',
  )
})

test('the history of a customer shows attributions, requests for an earlier time and merges to analysts, not other account events', async () => {
  const { projectId } = await newHome(customer)
  const account = `/admin/users/${customer.id}`
  const give = { intent: 'attribution.give', seen: '', allyId: ally.id, reason: 'Lo trajo Ana.' }
  await expectAnswered(post(account, give, manager), 303)
  const about = { customerId: customer.id, projectId, service: 'technical_visit' } as const
  const [request] = await storeRows(slotWishes, about)
  await event('slot_wish', request!.id, 'ask', { actorId: customer.id })
  for (const name of ['merge', 'undo_merge', 'change_password']) await event('user', customer.id, name)
  const page = await seen('', analyst)
  expectWords(
    page,
    'Lo trajo Ana.',
    'Pidió que le avisemos de un horario antes',
    'Se unió con otra ficha',
    'Se deshizo la unión',
  )
  expect(page).not.toContain('Cambió su contraseña')
})

test('the history of a customer shows an e-mail refused by the mail server once, until it is sent', async () => {
  const { customer, visit } = await customerWithVisit()
  const job = { letter: 'booked', appointmentId: visit.id, to: 'customer' } as const
  const refusing = { send: () => Promise.reject(new Error('EENVELOPE 550')) }
  for (let tries = 0; tries < 2; tries++)
    await expect(deliver(db, emailEnv, refusing, job, 'job-1')).rejects.toThrow('EENVELOPE')
  const page = () => pageText(pageOf(customer), manager)
  const failed = 'No se pudo enviar'
  expect((await page()).split(`${failed}: cita agendada`)).toHaveLength(2)
  await deliver(db, emailEnv, { send: async () => {} }, job, 'job-1')
  const later = await page()
  expect(later).not.toContain(failed)
  expect(later).toContain('Correo: cita agendada')
})
