import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { payments } from '../../../src/platform/database/schema/payments.ts'
import { projects, tasks } from '../../../src/platform/database/schema/projects.ts'
import { agenda, book, hour, slots, storeVisit } from '../../kit/appointments.ts'
import {
  analyst,
  customer,
  customer2,
  eventsAbout,
  expectCount,
  expectEmails,
  expectLed,
  expectNotOnPage,
  expectRow,
  expectScreen,
  fixture,
  fromNow,
  manager,
  newHome,
  newPerson,
  openEach,
  post,
  sendJobs,
  sentAbout,
  storeRows,
  technician,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { agreeOn, quoteOf, sendDraft, storeDraft, visited } from '../../kit/quotes.ts'
import { expectAnswered, expectPage, expectStatuses, expectWords, readable } from '../../kit/reading.ts'
import { storeInstallation } from '../../reports/installed.ts'

openEach()
sendJobs()

const page = () => `/admin/users/${customer.id}/cliente`
const note = 'Le pareció caro.'
const lose = (projectId: string, form: Record<string, string> = { reason: 'precio', note }) =>
  post(page(), { intent: 'lose-project', projectId, ...form }, manager)

test('a manager closes a project as lost once: visits, quotes, charges and tasks end, and the customer can be deactivated', async () => {
  const home = await newHome(customer)
  const { projectId } = home
  const visit = await visited(customer, technician, home)
  const sent = await sendDraft(fixture, analyst, await storeDraft(fixture, visit, analyst))
  const soon = fromNow(72 * hour)
  const booked = await storeVisit(fixture, customer, home, soon, { assigneeId: technician.id })
  const whose = { projectId, customerId: customer.id }
  await storeRows(payments, { ...whose, concept: 'visit_fee', amount: 50_000, folio: 'PAG-PRUEBA-1' })
  await storeRows(tasks, { subject: 'Llamar', reason: 'callback', projectId, personId: customer.id })

  await expectScreen(page(), manager, 'Cerrar como No concretado')
  await expectAnswered(lose(projectId), 303, page())

  await expectRow(projects, { id: projectId }, { lostReason: 'precio', closedAt: expect.any(Date) })
  await expectRow(appointments, { id: booked.id }, { state: 'cancelled' })
  expect(await sentAbout(booked)).toContain('cancelled to customer')
  expect((await quoteOf(sent)).state).toBe('withdrawn')
  // The e-mail with the quote was still waiting.
  await expectEmails(sent, [])
  await expectRow(payments, whose, { state: 'cancelled' })
  await expectRow(tasks, { projectId }, { doneAt: expect.any(Date) })
  const event = { name: 'lose', reason: note, actorId: manager.id }
  expect(await eventsAbout(projectId)).toContainEqual(expect.objectContaining(event))

  await expectScreen(page(), manager, 'Proyecto no concretado', 'El precio', note, 'Reabrir proyecto')
  await expectScreen(`/admin/users/${customer.id}`, manager, 'Desactivar cuenta')
  await expectAnswered(lose(projectId), 303)
  await expectAnswered(lose(projectId, { reason: 'sin_respuesta' }), 409)
})

test('a manager closes no project with an accepted quote, a visit under way or an installation, and none without a reason', async () => {
  const visit = await visited(customer, technician)
  await agreeOn(manager, customer, await storeDraft(fixture, visit, analyst))
  const home = await newHome(customer2)
  await storeVisit(fixture, customer2, home, new Date(), { state: 'en_route', assigneeId: technician.id })
  const whose = [await newPerson(), await newPerson({ kind: 'tecnician' })] as const
  const installed = await storeInstallation(...whose, { state: 'approved' })
  const other = await newHome(await newPerson())
  for (const [projectId, words, form] of [
    [visit.projectId, 'está aceptada. Primero cancélala'],
    [home.projectId, 'está en curso'],
    [installed.visit.projectId, 'ya está hecha'],
    [other.projectId, 'Elige por qué no se concretó.', {}],
  ] as const) {
    expectWords(readable(await lose(projectId, form)), words)
    await expectRow(projects, { id: projectId }, { closedAt: null })
  }
  await expectAnswered(lose(other.projectId, { reason: '__proto__' }), 400)
})

test('of three managers who close a project at once one does', async () => {
  const { projectId } = await newHome(customer)
  const reasons = ['precio', 'sin_respuesta', 'otro_proveedor']
  const answers = await Promise.all(reasons.map((reason) => lose(projectId, { reason })))
  expectStatuses(answers, 303, 409, 409)
})

const another = (by: Person) => post('/installation', { intent: 'start-another' }, by)

test('a customer starts another charger once, after the installation, whose project keeps its warranty and books no further visit', async () => {
  const { visit } = await storeInstallation(customer, technician, { state: 'approved' })
  const neighbour = await newPerson()
  await newHome(neighbour)
  const [start] = await slots(neighbour)
  await expectScreen('/', customer, 'Mi cargador y su garantía')
  await expectLed(agenda, customer, '/technics-visit')
  expectPage(await book(customer, start!), 409, 'Tu cargador ya está instalado')
  await expectScreen('/installation', customer, 'Instalar otro cargador')
  await expectAnswered(another(customer), 303, '/address')
  await expectRow(projects, { id: visit.projectId }, { closedAt: expect.any(Date), lostReason: null })
  await expectAnswered(another(customer), 303)
  await expectCount(projects, { customerId: customer.id }, 2)
  await expectScreen('/installation', customer, 'Reportar una falla', 'Documento de entrega')
  await expectNotOnPage('/installation', customer, 'Instalar otro cargador')
  await expectScreen('/', customer, 'dinos dónde instalamos tu cargador')
})

test('a customer starts no other charger while the project is open', async () => {
  await newHome(customer)
  await expectAnswered(another(customer), 303)
  await expectCount(projects, { customerId: customer.id }, 1)
  const other = await newPerson()
  await visited(other, technician)
  expectWords(readable(await another(other)), 'todavía no termina')
  await expectCount(appointments, { customerId: other.id }, 1)
})
