import { expect, test } from 'vitest'
import {
  around,
  assign,
  assignVisit,
  bookVisit,
  customer,
  expectVisit,
  hour,
  occupy,
  visit,
  visitOf,
} from '../../kit/appointments.ts'
import { expectTrail, openEach, people, world } from '../../kit/open.ts'
import { eventsOf, expectAnswered, expectShown, readable, statusesOf } from '../../kit/reading.ts'

openEach(bookVisit)

const unchanged = async () => {
  expect(await visitOf(world, customer)).toEqual(visit)
  await expectTrail(visit, ['book'])
}
const override = { overrideReason: 'Lo pidió la clienta' }

const cases: [who: string, words: string, person: () => Promise<{ id: string }>][] = [
  [
    'a busy technician',
    'Ya tiene otra cita a esa hora',
    async () => {
      const person = await world.person({ kind: 'tecnician' })
      await occupy(world, person, around(visit, -hour / 2))
      return person
    },
  ],
  ['an analyst', 'No realiza este servicio', async () => people.analyst],
  ['a manager', 'Hubo un cambio', async () => people.manager],
]
test.each(cases)('refuses to assign %s, with or without a reason', async (_who, words, person) => {
  const to = await person()
  for (const form of [{}, override])
    expectShown(await assign(world, people.manager, visit, to, form), 409, words)
  await unchanged()
})

test('a soft rule is overridden only with a written reason, which is kept', async () => {
  const outside = await world.person({ kind: 'tecnician', name: 'Tolucano', zones: ['toluca'] })
  const give = (form: Record<string, string>) => assign(world, people.manager, visit, outside, form)
  expectShown(
    await give({ overrideReason: '  ' }),
    409,
    'No atiende esta zona. Para hacerlo de todos modos, escribe el motivo.',
    'Escribe por qué lo haces de todos modos.',
  )
  await unchanged()
  await expectAnswered(give(override), 303)
  await expectVisit({ assigneeId: outside.id, ...override })
  expect((await eventsOf(world, visit))[1]).toMatchObject({
    name: 'assign',
    reason: override.overrideReason,
    data: { overridden: ['zone'] },
  })
})

test('refuses malformed forms and unknown appointments', async () => {
  const { manager, technician } = people
  const give = (form: Record<string, string>) => assign(world, manager, visit, technician, form)
  for (const form of [{ assigneeId: 'Tomás' }, { version: 'x' }, { overrideReason: 'x'.repeat(301) }])
    await expectAnswered(give(form), 400)
  expect(readable(await give({ assigneeId: '' }))).toContain('Elige a una persona.')
  for (const id of [crypto.randomUUID(), 'nada', "'"])
    await expectAnswered(assign(world, manager, { id, version: 1 }, technician), 404)
  await unchanged()
})

test('refuses a stale form after another assignment', async () => {
  const stale = visit
  await assignVisit()
  const answer = await assign(world, people.manager, stale, people.technician2)
  expectShown(answer, 409, 'Alguien más actualizó este registro')
  expect(await visitOf(world, customer)).toEqual(visit)
})

test('of two technicians to whom one visit is given at once, one gets it', async () => {
  const { manager, technician, technician2 } = people
  const answers = [technician, technician2].map((one) => assign(world, manager, visit, one))
  expect(await statusesOf(...answers)).toEqual([303, 409])
  await expectTrail(visit, ['book', 'assign'])
})
