import { expect, test } from 'vitest'
import { ledTo } from '../../kit/accounts.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import { readable } from '../../kit/reading.ts'
import { at, changeActive, changeRole, now, userOf, visitFor, workday } from '../../kit/users.ts'
import type { Answer } from '../../kit/visitor.ts'

openOnce()

const day = workday()
const technician = () => world.person({ kind: 'tecnician', name: 'Tadeo' })

/** The appointments that a refused form asks about. */
const askedIn = ({ text }: Answer) =>
  [...text.matchAll(/name="choice\.([0-9a-f-]{36})"/g)].map(([, id]) => id!)

test('deactivating a technician lists the three visits and happens with a choice for each', async () => {
  const { manager, technician2 } = people
  const person = await technician()
  const visits = await Promise.all(
    ['09:00', '11:00', '13:00'].map((time) => visitFor(world, person, at(day, time))),
  )
  const refused = await changeActive(world, manager, person, 'no')
  expect(refused.status).toBe(409)
  expect(readable(refused)).toContain('3 citas por resolver')
  expect(askedIn(refused)).toEqual(visits.map(({ id }) => id))
  expect(await userOf(world, person)).toMatchObject({ active: true, version: 1 })
  expect(await ledTo('/admin', person)).toBeNull()
  const [first, second, third] = visits.map(({ id }) => `choice.${id}`)
  const choices = { [first!]: technician2.id, [second!]: technician2.id, [third!]: 'release' }
  const answer = await changeActive(world, manager, person, 'no', choices)
  expect(answer.location).toBe(`/admin/users/${person.id}`)
  expect((await userOf(world, person)).active).toBe(false)
  expect(
    (await Promise.all(visits.map((one) => now(one, world)))).map(({ assigneeId }) => assigneeId),
  ).toEqual([technician2.id, technician2.id, null])
  expect(await ledTo('/admin', person)).toBe('/signin')
  const detail = await world.visit(`/admin/appointments-pending/${visits[0]!.id}`, technician2)
  expect(readable(detail)).toContain('Camila Prueba')
  expect(readable(await world.visit('/admin/assignations', manager))).toContain(visits[2]!.folio)
})

test('the refusal of a data request holds the list', async () => {
  const person = await technician()
  const { folio, id } = await visitFor(world, person, at(day, '10:00'))
  const form = { intent: 'active', active: 'no', version: '1' }
  const answer = await world.post(`/admin/users/${person.id}.data`, form, people.manager)
  expect(answer.status).toBe(409)
  expect(answer.value).toMatchObject({
    data: { refusal: { code: 'failed-precondition', details: { affected: [{ id, folio }] } } },
  })
})

// Each kind of change: test/users/staffing/kinds.test.ts.
test('a change of the role asks about the visits too', async () => {
  const { technician2, manager } = people
  const person = await technician()
  const visit = await visitFor(world, person, at(day, '16:00'))
  const refused = await changeRole(world, manager, person, 'gester')
  expect([refused.status, askedIn(refused)]).toEqual([409, [visit.id]])
  expect(readable(refused)).toContain('No realiza este servicio')
  const choice = { [`choice.${visit.id}`]: technician2.id }
  expect((await changeRole(world, manager, person, 'gester', choice)).status).toBe(303)
  expect((await now(visit, world)).assigneeId).toBe(technician2.id)
})
