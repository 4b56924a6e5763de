import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { payments } from '../../../src/server/platform/database/schema/payments.ts'
import { events, projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { agenda, book, hour, slots, storeVisit, visitsOf } from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { agreeOn, quoteOf, sendDraft, storeDraft, visited } from '../../kit/quotes.ts'
import { emailsAbout, readable, rowIn, rowsIn } from '../../kit/reading.ts'
import { storeInstallation } from '../../reports/installed.ts'

openEach()
sendJobs()

const page = () => `/admin/users/${people.customer.id}/cliente`
const reason = { reason: 'precio', note: 'Le pareció caro.' }
const lose = (
  projectId: string,
  by: Person | undefined,
  form: Record<string, string> = reason,
  path = page(),
) => world.post(path, { intent: 'lose-project', projectId, ...form }, by)
const reopen = (projectId: string, by: Person) =>
  world.post(page(), { intent: 'reopen-project', projectId }, by)
const projectOf = async (id: string) => (await rowIn(world, projects, { id }))!

describe('a project that comes to nothing', () => {
  test('the manager closes it: visits, quotes, demands and calls end, and its customer may be deactivated', async () => {
    const { customer, manager, technician, analyst } = people
    const home = await world.home(customer)
    const { projectId } = home
    const sent = await sendDraft(
      world,
      analyst,
      await storeDraft(world, await visited(world, customer, technician, home), analyst),
    )
    const soon = new Date(Date.now() + 72 * hour)
    await storeVisit(world, customer, home, soon, { assigneeId: technician.id })
    const asked = { projectId, customerId: customer.id, concept: 'visit_fee', amount: 50_000 } as const
    await world.db.insert(payments).values({ ...asked, folio: 'PAG-PRUEBA-1' })
    await world.db
      .insert(tasks)
      .values({ subject: 'Llamar', reason: 'callback', projectId, personId: customer.id })

    const shown = readable(await world.visit(page(), manager))
    expect(shown).toContain('Cerrar como No concretado')
    const answer = await lose(projectId, manager)
    expect([answer.status, answer.location]).toEqual([303, page()])

    expect(await projectOf(projectId)).toMatchObject({ lostReason: 'precio', closedAt: expect.any(Date) })
    const booked = (await visitsOf(world, customer)).find(({ state }) => state !== 'done')!
    expect(booked.state).toBe('cancelled')
    expect(await emailsAbout(world, booked)).toContain('cancelled to customer')
    expect((await quoteOf(world, sent)).state).toBe('withdrawn')
    // The letter of its sending still waited.
    expect(await emailsAbout(world, sent)).toEqual([])
    expect((await world.db.select().from(payments)).map(({ state }) => state)).toEqual(['cancelled'])
    expect((await world.db.select().from(tasks)).every(({ doneAt }) => doneAt)).toBe(true)
    const trail = await rowsIn(world, events, { entityId: projectId })
    expect(trail).toContainEqual(
      expect.objectContaining({ name: 'lose', reason: reason.note, actorId: manager.id }),
    )

    const after = readable(await world.visit(page(), manager))
    for (const words of ['Proyecto no concretado', 'El precio', 'Le pareció caro.', 'Reabrir proyecto'])
      expect(after).toContain(words)
    const account = readable(await world.visit(`/admin/users/${customer.id}`, manager))
    expect(account).toContain('Desactivar cuenta')
    expect((await lose(projectId, manager)).status).toBe(303)
    expect((await lose(projectId, manager, { reason: 'sin_respuesta' })).status).toBe(409)
  })

  test('what was agreed or is under way is settled first', async () => {
    const { customer, manager, technician, analyst } = people
    const visit = await visited(world, customer, technician)
    const { projectId } = visit
    await agreeOn(world, manager, customer, await storeDraft(world, visit, analyst))
    expect(readable(await lose(projectId, manager))).toContain('está aceptada. Primero cancélala')
    const other = await world.person()
    const home = await world.home(other)
    await storeVisit(world, other, home, new Date(), { state: 'en_route', assigneeId: technician.id })
    expect(readable(await lose(home.projectId, manager))).toContain('está en curso')
    await world.db
      .update(appointments)
      .set({ state: 'cancelled' })
      .where(eq(appointments.customerId, other.id))
    const done = await world.person()
    const { visit: installed } = await storeInstallation(world, done, technician, { state: 'approved' })
    expect(readable(await lose(installed.projectId, manager))).toContain('ya está hecha')
    const open = (await world.db.select().from(projects)).filter(({ closedAt }) => !closedAt)
    expect(open).toHaveLength(3)
  })

  test('a reason is asked for', async () => {
    const { customer, manager } = people
    const { projectId } = await world.home(customer)
    expect(readable(await lose(projectId, manager, {}))).toContain('Elige por qué no se concretó.')
    expect((await lose(projectId, manager, { reason: '__proto__' })).status).toBe(400)
    expect((await projectOf(projectId)).closedAt).toBeNull()
  })

  test('the manager takes it up again, also beside another one', async () => {
    const { customer, manager } = people
    const { projectId } = await world.home(customer)
    await lose(projectId, manager)
    expect(readable(await world.visit('/', customer))).toContain('dinos dónde instalamos tu cargador')
    expect((await reopen(projectId, manager)).status).toBe(303)
    expect(await projectOf(projectId)).toMatchObject({ closedAt: null, lostReason: null, lostNote: null })
    expect(readable(await world.visit('/', customer))).toContain('agenda tu visita técnica')
    await lose(projectId, manager)
    await world.home(customer)
    expect((await reopen(projectId, manager)).status).toBe(303)
    expect(await projectOf(projectId)).toMatchObject({ closedAt: null, place: 2 })
  })

  test('two at once: one ending', async () => {
    const { customer, manager } = people
    const { projectId } = await world.home(customer)
    const reasons = ['precio', 'sin_respuesta', 'otro_proveedor']
    const answers = await Promise.all(reasons.map((one) => lose(projectId, manager, { reason: one })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409])
  })
})

describe('a project that is concluded', () => {
  const another = (by: Person) => world.post('/installation', { intent: 'start-another' }, by)

  test('leads to the warranty, books no further visit, and makes room for another charger', async () => {
    const { customer, technician } = people
    const { visit: installed } = await storeInstallation(world, customer, technician, { state: 'approved' })
    const before = await slots(world, await customerAt(), 0)
    expect(readable(await world.visit('/', customer))).toContain('Mi cargador y su garantía')
    expect((await world.visit(agenda, customer)).location).toBe('/technics-visit')
    expect(readable(await book(world, customer, before[3]!))).toContain('Tu cargador ya está instalado')
    const own = readable(await world.visit('/installation', customer))
    expect(own).toContain('Instalar otro cargador')
    const answer = await another(customer)
    expect([answer.status, answer.location]).toEqual([303, '/address'])
    expect(await projectOf(installed.projectId)).toMatchObject({
      closedAt: expect.any(Date),
      lostReason: null,
    })
    expect((await another(customer)).status).toBe(303)
    const all = await rowsIn(world, projects, { customerId: customer.id })
    expect(all).toHaveLength(2)
    const after = readable(await world.visit('/installation', customer))
    for (const words of ['Tu cargador', 'Reportar una falla', 'Documento de entrega'])
      expect(after).toContain(words)
    expect(after).not.toContain('Instalar otro cargador')
    expect(readable(await world.visit('/', customer))).toContain('dinos dónde instalamos tu cargador')
  })

  test('one that goes on, or whose fault is open, is not closed so', async () => {
    const { customer, technician } = people
    await world.home(customer)
    expect((await another(customer)).status).toBe(303)
    expect((await world.db.select().from(projects)).length).toBe(1)
    const other = await world.person()
    await visited(world, other, technician)
    expect(readable(await another(other))).toContain('todavía no termina')
  })

  /** Somebody else of the same part of town, to read the agenda with. */
  async function customerAt() {
    const somebody = await world.person()
    await world.home(somebody)
    return somebody
  }
})
