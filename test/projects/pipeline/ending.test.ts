import { describe, expect, test } from 'vitest'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { payments } from '../../../src/server/platform/database/schema/payments.ts'
import { events, projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { agenda, book, hour, slots, storeVisit, visitsOf } from '../../kit/appointments.ts'
import { expectLed, expectScreen, openEach, pageText, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { agreeOn, quoteOf, sendDraft, storeDraft, visited } from '../../kit/quotes.ts'
import {
  emailsAbout,
  expectAnswered,
  expectPage,
  expectStatuses,
  expectWords,
  readable,
  rowIn,
  rowsIn,
} from '../../kit/reading.ts'
import { storeInstallation } from '../../reports/installed.ts'

openEach()
sendJobs()

const page = () => `/admin/users/${people.customer.id}/cliente`
const note = 'Le pareció caro.'
const lose = (projectId: string, form: Record<string, string> = { reason: 'precio', note }) =>
  world.post(page(), { intent: 'lose-project', projectId, ...form }, people.manager)
const reopen = (projectId: string) =>
  world.post(page(), { intent: 'reopen-project', projectId }, people.manager)
const projectOf = async (id: string) => (await rowIn(world, projects, { id }))!
const homeOf = (who: Person) => pageText('/', who)

describe('a manager closes a project as lost', () => {
  test('once: visits, quotes, charges and tasks end, and the customer can be deactivated', async () => {
    const { customer, manager, technician, analyst } = people
    const home = await world.home(customer)
    const { projectId } = home
    const visit = await visited(world, customer, technician, home)
    const sent = await sendDraft(world, analyst, await storeDraft(world, visit, analyst))
    const soon = new Date(Date.now() + 72 * hour)
    await storeVisit(world, customer, home, soon, { assigneeId: technician.id })
    const whose = { projectId, customerId: customer.id }
    const fee = { ...whose, concept: 'visit_fee', amount: 50_000, folio: 'PAG-PRUEBA-1' } as const
    await world.db.insert(payments).values(fee)
    const task = { subject: 'Llamar', reason: 'callback', projectId, personId: customer.id }
    await world.db.insert(tasks).values(task)

    await expectScreen(page(), manager, 'Cerrar como No concretado')
    expect(await lose(projectId)).toMatchObject({ status: 303, location: page() })

    const closed = { lostReason: 'precio', closedAt: expect.any(Date) }
    expect(await projectOf(projectId)).toMatchObject(closed)
    const booked = (await visitsOf(world, customer)).find(({ state }) => state !== 'done')!
    expect(booked.state).toBe('cancelled')
    expect(await emailsAbout(world, booked)).toContain('cancelled to customer')
    expect((await quoteOf(world, sent)).state).toBe('withdrawn')
    // The e-mail with the quote was still waiting.
    expect(await emailsAbout(world, sent)).toEqual([])
    expect(await rowsIn(world, payments, whose)).toMatchObject([{ state: 'cancelled' }])
    expect((await rowsIn(world, tasks, { projectId })).every(({ doneAt }) => doneAt)).toBe(true)
    const event = { name: 'lose', reason: note, actorId: manager.id }
    const trail = await rowsIn(world, events, { entityId: projectId })
    expect(trail).toContainEqual(expect.objectContaining(event))

    const after = await pageText(page(), manager)
    expectWords(after, 'Proyecto no concretado', 'El precio', note, 'Reabrir proyecto')
    await expectScreen(`/admin/users/${customer.id}`, manager, 'Desactivar cuenta')
    await expectAnswered(lose(projectId), 303)
    await expectAnswered(lose(projectId, { reason: 'sin_respuesta' }), 409)
  })

  test('not with an accepted quote, a visit under way or an installation, and not without a reason', async () => {
    const { customer, customer2, manager, technician, analyst } = people
    const visit = await visited(world, customer, technician)
    await agreeOn(world, manager, customer, await storeDraft(world, visit, analyst))
    const home = await world.home(customer2)
    await storeVisit(world, customer2, home, new Date(), { state: 'en_route', assigneeId: technician.id })
    const { visit: installed } = await storeInstallation(
      world,
      await world.person(),
      await world.person({ kind: 'tecnician' }),
      {
        state: 'approved',
      },
    )
    const other = await world.home(await world.person())
    for (const [projectId, words, form] of [
      [visit.projectId, 'está aceptada. Primero cancélala'],
      [home.projectId, 'está en curso'],
      [installed.projectId, 'ya está hecha'],
      [other.projectId, 'Elige por qué no se concretó.', {}],
    ] as const)
      expect(readable(await lose(projectId, form))).toContain(words)
    await expectAnswered(lose(other.projectId, { reason: '__proto__' }), 400)
    const all = await world.db.select().from(projects)
    expect(all.map(({ closedAt }) => closedAt)).toEqual([null, null, null, null])
  })

  test('and reopens it', async () => {
    const { customer } = people
    const { projectId } = await world.home(customer)
    await lose(projectId)
    expect(await homeOf(customer)).toContain('dinos dónde instalamos tu cargador')
    await expectAnswered(reopen(projectId), 303)
    const open = { closedAt: null, lostReason: null, lostNote: null }
    expect(await projectOf(projectId)).toMatchObject(open)
    expect(await homeOf(customer)).toContain('agenda tu visita técnica')
  })

  test('with one of three reasons sent at once', async () => {
    const { projectId } = await world.home(people.customer)
    const reasons = ['precio', 'sin_respuesta', 'otro_proveedor']
    const answers = await Promise.all(reasons.map((reason) => lose(projectId, { reason })))
    expectStatuses(answers, 303, 409, 409)
  })
})

describe('a customer starts another charger', () => {
  const another = (by: Person) => world.post('/installation', { intent: 'start-another' }, by)
  const own = () => pageText('/installation', people.customer)

  test('once, after the installation, whose project keeps its warranty and books no further visit', async () => {
    const { customer, technician } = people
    const { visit } = await storeInstallation(world, customer, technician, { state: 'approved' })
    const neighbour = await world.person()
    await world.home(neighbour)
    const [start] = await slots(world, neighbour)
    expect(await homeOf(customer)).toContain('Mi cargador y su garantía')
    await expectLed(agenda, customer, '/technics-visit')
    expectPage(await book(world, customer, start!), 409, 'Tu cargador ya está instalado')
    expect(await own()).toContain('Instalar otro cargador')
    expect(await another(customer)).toMatchObject({ status: 303, location: '/address' })
    const concluded = { closedAt: expect.any(Date), lostReason: null }
    expect(await projectOf(visit.projectId)).toMatchObject(concluded)
    await expectAnswered(another(customer), 303)
    expect(await rowsIn(world, projects, { customerId: customer.id })).toHaveLength(2)
    const after = await own()
    expectWords(after, 'Tu cargador', 'Reportar una falla', 'Documento de entrega')
    expect(after).not.toContain('Instalar otro cargador')
    expect(await homeOf(customer)).toContain('dinos dónde instalamos tu cargador')
  })

  test('not while the project is open', async () => {
    const { customer, technician } = people
    await world.home(customer)
    await expectAnswered(another(customer), 303)
    expect(await rowsIn(world, projects, { customerId: customer.id })).toHaveLength(1)
    const other = await world.person()
    await visited(world, other, technician)
    expect(readable(await another(other))).toContain('todavía no termina')
    expect(await rowsIn(world, appointments, { customerId: other.id })).toHaveLength(1)
  })
})
