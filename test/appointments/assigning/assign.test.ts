import { expect, test } from 'vitest'
import { localDay } from '../../../src/domain/shared/format.ts'
import { around, assign, customerWithVisit, hour, occupy, visitOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, expectWords, loaded, readable } from '../../kit/reading.ts'

openEach()

type Listed = { id: string; name: string; addedTravel: number | null }
const screen = ({ id }: { id: string }) => `/admin/assignations/${id}`

test('the people who can, ranked: least added travel first, then least load; the provisional one chosen', async () => {
  const { manager, technician, technician2 } = people
  const third = await world.person({ kind: 'tecnician', name: 'Tadeo' })
  const { visit } = await customerWithVisit(world)
  await occupy(world, technician, around(visit, 5 * hour), { postalCode: '50000' })
  await occupy(world, technician2, around(visit, 5 * hour))
  await occupy(world, third, around(visit, 3 * hour))
  await occupy(world, third, around(visit, 5 * hour))
  const page = readable(await world.visit(screen(visit), manager))
  const order = ['Teresa', 'Tadeo', 'Tomás'].map((name) =>
    page.indexOf(name, page.indexOf('¿Quién la realiza?')),
  )
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expectWords(page, '15 min más de traslado · 1 cita ese día', '15 min más de traslado · 2 citas ese día')
  const { ranked: able } = loaded<{ ranked: Listed[] }>(
    await world.data(screen(visit), manager),
    'scheduling/assign',
  )
  expect(able.map(({ id }) => id)).toEqual([technician2.id, third.id, technician.id])
  const [, , far] = able
  expect(far!.addedTravel).toBeGreaterThan(15)
  const { text } = await world.visit(screen(visit), manager)
  const chosen = [...text.matchAll(/<input[^>]*name="assigneeId"[^>]*>/g)].filter(([input]) =>
    input.includes('checked'),
  )
  expect(chosen.map(([input]) => input)).toEqual([expect.stringContaining(visit.assigneeId!)])
})

test('for everybody else the reason: busy, on leave, out of zone, out of shift, too far, inactive', async () => {
  const { manager } = people
  const { customer, visit } = await customerWithVisit(world)
  const busy = await world.person({ kind: 'tecnician', name: 'Ocupada' })
  const away = await world.person({ kind: 'tecnician', name: 'Ausente' })
  const far = await world.person({ kind: 'tecnician', name: 'Lejos' })
  await world.person({ kind: 'tecnician', name: 'Tolucano', zones: ['toluca'] })
  await world.person({ kind: 'tecnician', name: 'Sinturno', shifts: [] })
  await world.person({ kind: 'tecnician', name: 'Inactiva', active: false })
  await occupy(world, busy, around(visit, hour / 2))
  await occupy(world, far, around(visit, 1.5 * hour), { postalCode: '50000' })
  await world.db.$client.query(
    `insert into time_off (person_id, during, approved_at) values ($1, tstzrange($2, $3), now())`,
    [away.id, visit.startsAt, around(visit, hour)],
  )
  const page = readable(await world.visit(screen(visit), manager))
  const unable = page.slice(page.indexOf('No pueden'))
  expect(unable).toMatch(/Ocupada Prueba +Ya tiene otra cita a esa hora/)
  expect(unable).toMatch(/Ausente Prueba +Tiene permiso o vacaciones/)
  expect(unable).toMatch(/Tolucano Prueba +No atiende esta zona/)
  expect(unable).toMatch(/Sinturno Prueba +Queda fuera de su turno/)
  expect(unable).toMatch(/Inactiva Prueba +Su cuenta está inactiva/)
  expect(unable).toMatch(/Lejos Prueba +No llega a tiempo a su cita siguiente \(le faltan \d+ min\)/)
  expect(unable).not.toMatch(/Andrés|Mariana/)
  expect((await world.visit(screen(visit), customer)).location).toBe('/')
})

test('confirming the provisional person: row, event, letter, and everybody sees it', async () => {
  const { manager, technician, technician2, analyst } = people
  const { customer, visit } = await customerWithVisit(world)
  const chosen = visit.assigneeId === technician.id ? technician : technician2
  const answer = await assign(world, manager, visit, chosen)
  expect([answer.status, answer.location]).toEqual([
    303,
    `/admin/assignations?dia=${localDay(visit.startsAt)}`,
  ])
  const list = readable(await world.visit('/admin/assignations', manager))
  expect(list).toContain('Asignación confirmada')
  expect(list).toContain('No hay citas por asignar')
  const after = await visitOf(world, customer)
  expect(after).toMatchObject({ state: 'assigned', assigneeId: chosen.id, version: 2, overrideReason: null })
  expect(after.confirmedAt).not.toBeNull()
  const [, event] = await eventsOf(world, visit.id, 'appointment')
  expect(event).toMatchObject({
    name: 'assign',
    actorId: manager.id,
    fromState: 'requested',
    toState: 'assigned',
  })
  const before = expect.objectContaining({ assigneeId: chosen.id, confirmedAt: null })
  expect(event!.data).toEqual({ from: chosen.id, assigneeId: chosen.id, before })
  expect(await emailsAbout(world, visit)).toEqual([
    'booked to customer',
    'assigned to customer',
    'assigned to person',
  ])
  for (const path of ['/', '/technics-visit']) {
    const page = readable(await world.visit(path, customer))
    expectWords(page, `${chosen.name} Prueba`, 'Confirmada')
  }
  for (const person of [chosen, analyst])
    expect((await world.visit('/admin/appointments-pending', person)).text).toContain(visit.folio)
  const other = chosen === technician ? technician2 : technician
  expect((await world.visit('/admin/appointments-pending', other)).text).not.toContain(visit.folio)
})

test('picking another person, and then another again', async () => {
  const { manager, technician, technician2 } = people
  const { customer, visit } = await customerWithVisit(world)
  const [first, second] =
    visit.assigneeId === technician.id ? [technician2, technician] : [technician, technician2]
  expect((await assign(world, manager, visit, first)).status).toBe(303)
  const detail = `/admin/appointments-pending/${visit.id}`
  expect((await world.visit(detail, second)).status).toBe(404)
  expect((await world.visit(detail, first)).status).toBe(200)
  expect((await assign(world, manager, await visitOf(world, customer), second)).status).toBe(303)
  expect((await world.visit(detail, first)).status).toBe(404)
  expect((await world.visit(detail, second)).status).toBe(200)
  const events = await eventsOf(world, visit.id, 'appointment')
  expect(events.map(({ name }) => name)).toEqual(['book', 'assign', 'reassign'])
  const before = expect.objectContaining({ assigneeId: first.id, confirmedAt: expect.any(String) })
  expect(events[2]!.data).toEqual({ from: first.id, assigneeId: second.id, before })
  expect(readable(await world.visit('/technics-visit', customer))).toContain(`${second.name} Prueba`)
})

test('what the technician opens: customer, address, phone to tap', async () => {
  const { manager, technician } = people
  const { visit } = await customerWithVisit(world)
  await assign(world, manager, visit, technician)
  const { text } = await world.visit(`/admin/appointments-pending/${visit.id}`, technician)
  expect(text).toContain('href="tel:+525512345678"')
  expect(text).toContain('https://wa.me/525512345678')
  expect(text).toContain('Calle Ejemplo 12, Villa Coyoacán, 04000 Coyoacán')
  expect(text).toContain('Camila Prueba')
})
