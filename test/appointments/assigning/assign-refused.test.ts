import { describe, expect, test } from 'vitest'
import { around, assign, bookVisit, customer, hour, occupy, visit, visitOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { eventsOf, readable, trailOf } from '../../kit/reading.ts'

openEach(bookVisit)

const unchanged = async () => {
  expect(await visitOf(world, customer)).toEqual(visit)
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book'])
}
const override = { overrideReason: 'Lo pidió la clienta' }

describe('nobody’s form can choose', () => {
  const cases: [string, string, () => Promise<{ id: string }>][] = [
    [
      'somebody busy at that hour',
      'Ya tiene otra cita a esa hora',
      async () => {
        const person = await world.person({ kind: 'tecnician' })
        await occupy(world, person, around(visit, -hour / 2))
        return person
      },
    ],
    [
      'somebody inactive',
      'Su cuenta está inactiva',
      () => world.person({ kind: 'tecnician', active: false }),
    ],
    [
      'somebody on leave',
      'Tiene permiso o vacaciones',
      async () => {
        const person = await world.person({ kind: 'tecnician' })
        await world.db.$client.query(
          `insert into time_off (person_id, during, approved_at) values ($1, tstzrange($2, $3), now())`,
          [person.id, around(visit, -hour), around(visit, hour / 2)],
        )
        return person
      },
    ],
    ['an analyst', 'No realiza este servicio', async () => people.analyst],
    ['a manager', 'Hubo un cambio', async () => people.manager],
    ['a customer', 'Hubo un cambio', async () => customer],
    ['nobody we know', 'Hubo un cambio', async () => ({ id: crypto.randomUUID() })],
  ]
  test.each(cases)('%s, with or without a reason', async (_who, words, person) => {
    const to = await person()
    for (const form of [{}, override]) {
      const answer = await assign(world, people.manager, visit, to, form)
      expect(answer.status).toBe(409)
      expect(readable(answer)).toContain(words)
    }
    await unchanged()
  })
})

test('a soft rule is set aside only with a written reason, which is kept', async () => {
  const outside = await world.person({ kind: 'tecnician', name: 'Tolucano', zones: ['toluca'] })
  const without = await assign(world, people.manager, visit, outside, { overrideReason: '  ' })
  expect(without.status).toBe(409)
  expect(readable(without)).toContain('No atiende esta zona. Para hacerlo de todos modos, escribe el motivo.')
  expect(readable(without)).toContain('Escribe por qué lo haces de todos modos.')
  await unchanged()
  expect((await assign(world, people.manager, visit, outside, override)).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ assigneeId: outside.id, ...override })
  const [, event] = await eventsOf(world, visit.id, 'appointment')
  expect(event).toMatchObject({
    name: 'assign',
    reason: override.overrideReason,
    data: { overridden: ['zone'] },
  })
})

test('wrong forms are told so', async () => {
  const { manager, technician } = people
  expect((await assign(world, manager, visit, { id: 'Tomás' })).status).toBe(400)
  expect((await assign(world, manager, visit, technician, { version: 'x' })).status).toBe(400)
  expect((await assign(world, manager, visit, technician, { overrideReason: 'x'.repeat(301) })).status).toBe(
    400,
  )
  const empty = await world.post(`/admin/assignations/${visit.id}`, { intent: 'give', version: '1' }, manager)
  expect(readable(empty)).toContain('Elige a una persona.')
  for (const id of [crypto.randomUUID(), 'nada', '1', "'"])
    expect((await assign(world, manager, { id, version: 1 }, technician)).status).toBe(404)
  await unchanged()
})

test('nobody but the manager assigns', async () => {
  const { technician, technician2, analyst, gester, ally, customer2 } = people
  for (const suffix of ['', '.data']) {
    const send = (person?: typeof ally) =>
      world.post(
        `/admin/assignations/${visit.id}${suffix}`,
        { intent: 'give', version: '1', assigneeId: technician.id },
        person,
      )
    for (const person of [technician, technician2, analyst, gester, ally, customer, customer2])
      expect((await send(person)).status).toBe(403)
    expect((await send()).location).toBe('/signin')
  }
  await unchanged()
})
