import { localDay } from '../../../src/shared/format.ts'
import {
  around,
  assign,
  bookVisit,
  customer,
  expectVisit,
  hour,
  occupy,
  readAgain,
  visit,
  visitOf,
} from '../../kit/appointments.ts'
import {
  analyst,
  eventsAbout,
  expectEmails,
  expectTrail,
  fixture,
  manager,
  newPerson,
  openEach,
  pageText,
  technician,
  technician2,
} from '../../kit/open.ts'
import { expectAnswered, expectShown, readable, statusesOf } from '../../kit/reading.ts'

openEach(bookVisit)
const screen = () => `/admin/assignations/${visit.id}`
const chosen = () => {
  return visit.assigneeId === technician.id ? [technician, technician2] : [technician2, technician]
}

test('lists who can by added travel, with the provisional technician chosen', async () => {
  await occupy(technician, around(visit, 5 * hour), { postalCode: '50000' })
  await occupy(technician2, around(visit, 5 * hour))
  const page = await fixture.visit(screen(), manager)
  expectShown(page, 200, '15 min más de traslado · 1 cita ese día')
  const ids = [technician2, technician].map(({ id }) => id)
  const inputs = [...page.text.matchAll(/<input[^>]*name="assigneeId"[^>]*>/g)].map(([input]) => input)
  expect(inputs.map((input) => /value="([^"]+)"/.exec(input)![1])).toEqual(ids)
  expect(inputs.filter((input) => input.includes('checked'))).toEqual([
    expect.stringContaining(visit.assigneeId!),
  ])
})

test('lists who cannot with the reason', async () => {
  const busy = await newPerson({ kind: 'tecnician', name: 'Ocupada' })
  const far = await newPerson({ kind: 'tecnician', name: 'Lejos' })
  await newPerson({ kind: 'tecnician', name: 'Tolucano', zones: ['toluca'] })
  await newPerson({ kind: 'tecnician', name: 'Inactiva', active: false })
  await occupy(busy, around(visit, hour / 2))
  await occupy(far, around(visit, 1.5 * hour), { postalCode: '50000' })
  const page = await pageText(screen(), manager)
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
  const [mine, other] = chosen()
  const answer = await assign(manager, visit, mine!)
  const board = `/admin/assignations?dia=${localDay(visit.startsAt)}`
  expect([answer.status, answer.location]).toEqual([303, board])
  await readAgain()
  expect(visit).toMatchObject({
    state: 'assigned',
    assigneeId: mine!.id,
    confirmedAt: expect.any(Date),
    version: 2,
    overrideReason: null,
  })
  const before = expect.objectContaining({ assigneeId: mine!.id, confirmedAt: null })
  expect((await eventsAbout(visit))[1]).toMatchObject({
    name: 'assign',
    actorId: manager.id,
    fromState: 'requested',
    toState: 'assigned',
    data: { from: mine!.id, assigneeId: mine!.id, before },
  })
  await expectEmails(visit, ['booked to customer', 'assigned to customer', 'assigned to person'])
  const listed = async (person: typeof manager) =>
    (await fixture.data('/admin/appointments-pending', person)).text
  for (const person of [mine!, analyst]) expect(await listed(person)).toContain(visit.folio)
  expect(await listed(other!)).not.toContain(visit.folio)
})

const unchanged = async () => {
  expect(await visitOf(customer)).toEqual(visit)
  await expectTrail(visit, ['book'])
}
const override = { overrideReason: 'Lo pidió la clienta' }

const cases: [who: string, words: string, person: () => Promise<{ id: string }>][] = [
  [
    'a busy technician',
    'Ya tiene otra cita a esa hora',
    async () => {
      const person = await newPerson({ kind: 'tecnician' })
      await occupy(person, around(visit, -hour / 2))
      return person
    },
  ],
  ['an analyst', 'No realiza este servicio', async () => analyst],
  ['a manager', 'Hubo un cambio', async () => manager],
]
test.each(cases)('refuses to assign %s, with or without a reason', async (_who, words, person) => {
  const to = await person()
  for (const form of [{}, override]) expectShown(await assign(manager, visit, to, form), 409, words)
  await unchanged()
})

test('a soft rule is overridden only with a written reason, which is kept', async () => {
  const outside = await newPerson({ kind: 'tecnician', name: 'Tolucano', zones: ['toluca'] })
  const give = (form: Record<string, string>) => assign(manager, visit, outside, form)
  expectShown(
    await give({ overrideReason: '  ' }),
    409,
    'No atiende esta zona. Para hacerlo de todos modos, escribe el motivo.',
    'Escribe por qué lo haces de todos modos.',
  )
  await unchanged()
  await expectAnswered(give(override), 303)
  await expectVisit({ assigneeId: outside.id, ...override })
  expect((await eventsAbout(visit))[1]).toMatchObject({
    name: 'assign',
    reason: override.overrideReason,
    data: { overridden: ['zone'] },
  })
})

test('refuses malformed forms and unknown appointments', async () => {
  const give = (form: Record<string, string>) => assign(manager, visit, technician, form)
  for (const form of [{ assigneeId: 'Tomás' }, { version: 'x' }, { overrideReason: 'x'.repeat(301) }])
    await expectAnswered(give(form), 400)
  expect(readable(await give({ assigneeId: '' }))).toContain('Elige a una persona.')
  for (const id of [crypto.randomUUID(), 'nada', "'"])
    await expectAnswered(assign(manager, { id, version: 1 }, technician), 404)
  await unchanged()
})

test('of two technicians to whom one visit is given at once, one gets it', async () => {
  const answers = [technician, technician2].map((one) => assign(manager, visit, one))
  expect(await statusesOf(...answers)).toEqual([303, 409])
  await expectTrail(visit, ['book', 'assign'])
})
