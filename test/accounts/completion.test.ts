import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { accountOf } from '../kit/accounts.ts'
import { expectLed, expectScreen, expectUser, openBare, world } from '../kit/open.ts'
import { expectPage, trailOf } from '../kit/reading.ts'

openBare()

const form = { name: '  Ana   María ', lastname: 'López', phone: '+52 55 1234 5678' }
const newcomer = () => world.person({ name: null })

test('stores name, last name, phone and the time, and welcomes once', async () => {
  const person = await newcomer()
  await world.db
    .update(users)
    .set({ createdAt: new Date(0) })
    .where(eq(users.id, person.id))
  const answer = await world.post('/completion', form, person)
  expect([answer.status, answer.location]).toEqual([303, '/'])
  const user = await accountOf(person.email)
  expect(user).toMatchObject({ name: 'Ana María', lastname: 'López', phone: '5512345678', version: 2 })
  expect(Date.now() - user!.createdAt.getTime()).toBeLessThan(60_000)
  await expectScreen('/', person, '¡Hola, Ana María!')
  expect((await world.visit('/', person)).text).not.toContain('¡Hola, Ana')
})

// Fields that would give rights: test/security/staff.test.ts.
test('keeps staff what they are, and closed out until then', async () => {
  const person = await world.person({ name: null, kind: 'tecnician' })
  await expectLed('/admin', person, '/completion')
  await world.post('/completion', { ...form, role: 'customer', kind: '' }, person)
  await expectUser({ email: person.email }, { name: 'Ana María', role: 'staff', kind: 'tecnician' })
  await expectLed('/admin', person, null)
})

test.each([
  ['lastname', ' ', 'Escribe tus apellidos.'],
  ['phone', '12345', 'Escribe los 10 dígitos'],
])('refuses %s %o, and keeps what was typed', async (field, typed, message) => {
  const person = await newcomer()
  expectPage(
    await world.post('/completion', { ...form, [field]: typed }, person),
    400,
    message,
    ...(field === 'lastname' ? [] : ['value="López"']),
  )
  await expectUser({ email: person.email }, { name: null, phone: null })
})

test('happens once, also of three at the same time', async () => {
  const person = await newcomer()
  await Promise.all([1, 2, 3].map(() => world.post('/completion', form, person)))
  expect((await trailOf(world, person)).filter((name) => name === 'complete_profile')).toHaveLength(1)
  const again = await world.post('/completion', { ...form, name: 'Otra' }, person)
  expect([again.status, again.location]).toEqual([302, '/'])
  await expectUser({ email: person.email }, { name: 'Ana María' })
})
