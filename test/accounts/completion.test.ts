import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { storiesIn } from '../kit/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import { expectPage } from '../kit/reading.ts'

openBare()
let { userOf } = {} as ReturnType<typeof storiesIn>
beforeAll(async () => {
  ;({ userOf } = storiesIn(world))
})

const form = { name: '  Ana   María ', lastname: 'López', phone: '+52 55 1234 5678' }

test('writes name, last name and phone, and when', async () => {
  const person = await world.person({ name: null })
  await world.db
    .update(users)
    .set({ createdAt: new Date(0) })
    .where(eq(users.id, person.id))
  const answer = await world.post('/completion', form, person)
  expect([answer.status, answer.location]).toEqual([303, '/'])
  const user = await userOf(person.email)
  expect(user).toMatchObject({ name: 'Ana María', lastname: 'López', phone: '5512345678', version: 2 })
  expect(Date.now() - user!.createdAt.getTime()).toBeLessThan(60_000)
  const home = await world.visit('/', person)
  expectPage(home, 200, '¡Hola, Ana María!')
  expect((await world.visit('/', person)).text).not.toContain('¡Hola, Ana')
})

test('gives nobody another role', async () => {
  const person = await world.person({ name: null })
  await world.post('/completion', { ...form, role: 'staff', kind: 'manager', active: 'false' }, person)
  expect(await userOf(person.email)).toMatchObject({ role: 'customer', kind: null, active: true })
})

test('staff complete theirs and stay what they are', async () => {
  const person = await world.person({ name: null, kind: 'tecnician' })
  expect((await world.visit('/admin', person)).location).toBe('/completion')
  await world.post('/completion', { ...form, role: 'customer', kind: '' }, person)
  expect(await userOf(person.email)).toMatchObject({ name: 'Ana María', role: 'staff', kind: 'tecnician' })
  expect((await world.visit('/admin', person)).status).toBe(200)
})

test.each([
  ['name', '', 'Escribe tu nombre.'],
  ['name', '123', 'Escribe al menos una letra.'],
  ['lastname', ' ', 'Escribe tus apellidos.'],
  ['phone', '', 'Escribe tu teléfono.'],
  ['phone', '12345', 'Escribe los 10 dígitos'],
])('%s %o is refused, and what was typed is kept', async (field, typed, message) => {
  const person = await world.person({ name: null })
  const answer = await world.post('/completion', { ...form, [field]: typed }, person)
  expectPage(answer, 400, message)
  if (field !== 'lastname') expect(answer.text).toContain('value="López"')
  expect(await userOf(person.email)).toMatchObject({ name: null, phone: null })
})

test('happens once', async () => {
  const person = await world.person({ name: null })
  await Promise.all([1, 2, 3].map(() => world.post('/completion', form, person)))
  const done = and(eq(events.entityId, person.id), eq(events.name, 'complete_profile'))
  expect(await world.db.select().from(events).where(done)).toHaveLength(1)
  const again = await world.post('/completion', { ...form, name: 'Otra' }, person)
  expect([again.status, again.location]).toEqual([302, '/'])
  expect(await userOf(person.email)).toMatchObject({ name: 'Ana María' })
})

test('nobody signed in completes nothing', async () => {
  expect((await world.post('/completion', form)).location).toBe('/signin')
  expect((await world.post('/completion.data', form)).location).toBe('/signin')
})
