import { expect, test } from 'vitest'
import { localDay } from '../../../src/domain/shared/format.ts'
import {
  around,
  assign,
  bookVisit,
  customer,
  hour,
  occupy,
  readAgain,
  visit,
} from '../../kit/appointments.ts'
import { expectScreen, openEach, pageText, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, expectAnswered, expectShown, loaded } from '../../kit/reading.ts'

openEach(bookVisit)

type Ranked = { id: string; addedTravel: number | null }[]
const screen = () => `/admin/assignations/${visit.id}`
const detail = () => `/admin/appointments-pending/${visit.id}`
const chosen = () => {
  const { technician, technician2 } = people
  return visit.assigneeId === technician.id ? [technician, technician2] : [technician2, technician]
}

test('lists who can by added travel, then by load, with the provisional technician chosen', async () => {
  const { manager, technician, technician2 } = people
  const third = await world.person({ kind: 'tecnician', name: 'Tadeo' })
  await occupy(world, technician, around(visit, 5 * hour), { postalCode: '50000' })
  await occupy(world, technician2, around(visit, 5 * hour))
  for (const hours of [3, 5]) await occupy(world, third, around(visit, hours * hour))
  const page = await world.visit(screen(), manager)
  expectShown(
    page,
    200,
    '15 min más de traslado · 1 cita ese día',
    '15 min más de traslado · 2 citas ese día',
  )
  const ids = [technician2, third, technician].map(({ id }) => id)
  const inputs = [...page.text.matchAll(/<input[^>]*name="assigneeId"[^>]*>/g)].map(([input]) => input)
  expect(inputs.map((input) => /value="([^"]+)"/.exec(input)![1])).toEqual(ids)
  expect(inputs.filter((input) => input.includes('checked'))).toEqual([
    expect.stringContaining(visit.assigneeId!),
  ])
  const { ranked } = loaded<{ ranked: Ranked }>(await world.data(screen(), manager), 'scheduling/assign')
  expect(ranked.map(({ id }) => id)).toEqual(ids)
  expect(ranked[2]!.addedTravel).toBeGreaterThan(15)
})

test('lists who cannot with the reason', async () => {
  const busy = await world.person({ kind: 'tecnician', name: 'Ocupada' })
  const far = await world.person({ kind: 'tecnician', name: 'Lejos' })
  await world.person({ kind: 'tecnician', name: 'Tolucano', zones: ['toluca'] })
  await world.person({ kind: 'tecnician', name: 'Inactiva', active: false })
  await occupy(world, busy, around(visit, hour / 2))
  await occupy(world, far, around(visit, 1.5 * hour), { postalCode: '50000' })
  const page = await pageText(screen(), people.manager)
  const unable = page.slice(page.indexOf('No pueden'))
  for (const words of [
    /Ocupada Prueba +Ya tiene otra cita a esa hora/,
    /Tolucano Prueba +No atiende esta zona/,
    /Inactiva Prueba +Su cuenta está inactiva/,
    /Lejos Prueba +No llega a tiempo a su cita siguiente \(le faltan \d+ min\)/,
  ])
    expect(unable).toMatch(words)
  expect(unable).not.toMatch(/Andrés|Mariana/)
})

test('the manager confirms the provisional technician: row, event, emails and what everybody sees', async () => {
  const { manager, analyst } = people
  const [mine, other] = chosen()
  const answer = await assign(world, manager, visit, mine!)
  const board = `/admin/assignations?dia=${localDay(visit.startsAt)}`
  expect([answer.status, answer.location]).toEqual([303, board])
  await expectScreen('/admin/assignations', manager, 'Asignación confirmada', 'No hay citas por asignar')
  await readAgain()
  expect(visit).toMatchObject({
    state: 'assigned',
    assigneeId: mine!.id,
    confirmedAt: expect.any(Date),
    version: 2,
    overrideReason: null,
  })
  const before = expect.objectContaining({ assigneeId: mine!.id, confirmedAt: null })
  expect((await eventsOf(world, visit))[1]).toMatchObject({
    name: 'assign',
    actorId: manager.id,
    fromState: 'requested',
    toState: 'assigned',
    data: { from: mine!.id, assigneeId: mine!.id, before },
  })
  expect(await emailsAbout(world, visit)).toEqual([
    'booked to customer',
    'assigned to customer',
    'assigned to person',
  ])
  for (const path of ['/', '/technics-visit'])
    await expectScreen(path, customer, `${mine!.name} Prueba`, 'Confirmada')
  const listed = async (person: typeof manager) =>
    (await world.data('/admin/appointments-pending', person)).text
  for (const person of [mine!, analyst]) expect(await listed(person)).toContain(visit.folio)
  expect(await listed(other!)).not.toContain(visit.folio)
  expectShown(
    await world.visit(detail(), mine!),
    200,
    'href="tel:+525512345678"',
    'https://wa.me/525512345678',
    'Calle Ejemplo 12, Villa Coyoacán, 04000 Coyoacán',
    'Camila Prueba',
  )
})

test('the manager assigns another technician, and another again; each sees it in turn', async () => {
  const { manager } = people
  const [second, first] = chosen()
  for (const [to, other] of [
    [first!, second!],
    [second!, first!],
  ] as const) {
    await expectAnswered(assign(world, manager, visit, to), 303)
    await expectAnswered(world.data(detail(), to), 200)
    await expectAnswered(world.data(detail(), other), 404)
    await readAgain()
  }
  const before = expect.objectContaining({ assigneeId: first!.id, confirmedAt: expect.any(String) })
  expect((await eventsOf(world, visit)).slice(1)).toMatchObject([
    { name: 'assign' },
    { name: 'reassign', data: { from: first!.id, assigneeId: second!.id, before } },
  ])
  await expectScreen('/technics-visit', customer, `${second!.name} Prueba`)
})
