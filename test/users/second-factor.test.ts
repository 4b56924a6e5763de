import { beforeAll, expect, test } from 'vitest'
import { twoFactors } from '../../src/server/platform/database/schema/accounts.ts'
import { removeSecondFactorOf } from '../../src/server/users/commands.ts'
import { inviteManager } from '../../src/server/users/invite.ts'
import { enrol, lettersTo, memberOf, password } from '../accounts/own.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable, rowsIn, trailOf } from '../kit/reading.ts'
import { changeRole, sessionsOf, userOf } from '../kit/users.ts'

openBare()
let manager: Person
beforeAll(async () => {
  manager = await world.person({ kind: 'manager', name: 'Mariana' })
})

/** Somebody of the team who has it on. */
async function enrolled(kind: 'analyst' | 'manager' = 'analyst') {
  const person = await memberOf(world, { kind })
  await enrol(world, person)
  return person
}
const factorOf = ({ id }: Person) => rowsIn(world, twoFactors, { userId: id })
const remove = async (by: Person, of: Person, form: Record<string, string> = {}) => {
  const version = String((await userOf(world, of)).version)
  const fields = { intent: 'remove-second-factor', version, confirmed: 'yes', ...form }
  return world.post(`/admin/users/${of.id}`, fields, by)
}

test('the manager takes it away: sessions end, a letter and a trace tell it, the password is enough again', async () => {
  const person = await enrolled()
  expect((await world.visit(`/admin/users/${person.id}`, manager)).text).toContain('Quitar segundo factor')
  expect((await remove(manager, person)).status).toBe(303)
  expect(await factorOf(person)).toEqual([])
  expect(await userOf(world, person)).toMatchObject({ twoFactorEnabled: false })
  expect(await sessionsOf(world, person)).toEqual([])
  expect((await world.visit('/admin', person)).location).toBe('/signin')
  expect(await lettersTo(world, person)).toEqual(['second_factor_off', 'second_factor_on'])
  const page = readable(await world.visit(`/admin/users/${person.id}`, manager))
  expect(page).toContain('Se quitó su segundo factor')
  expect(page).not.toContain('Quitar segundo factor')
  expect((await world.post('/signin', { email: person.email, password })).location).toBe('/')
})

test('not without saying so, not on a stale page, not twice, not where there is none, not one’s own', async () => {
  const person = await enrolled()
  expect((await remove(manager, person, { confirmed: '' })).status).toBe(409)
  expect((await remove(manager, person, { version: '9' })).status).toBe(409)
  expect((await remove(manager, person, { version: 'x' })).status).toBe(400)
  expect(await factorOf(person)).toHaveLength(1)
  const twice = await Promise.all([remove(manager, person), remove(manager, person)])
  expect(twice.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(
    (await trailOf(world, person, 'user')).filter((name) => name === 'remove_second_factor'),
  ).toHaveLength(1)
  expect((await remove(manager, person)).status).toBe(409)

  const own = await enrolled('manager')
  expect((await world.visit(`/admin/users/${own.id}`, own)).text).not.toContain('Quitar segundo factor')
  expect((await remove(own, own)).status).toBe(409)
  expect(await factorOf(own)).toHaveLength(1)
})

test('nobody but the manager may', async () => {
  const person = await enrolled('manager')
  for (const kind of ['analyst', 'tecnician', 'gester'] as const)
    expect((await remove(await world.person({ kind }), person)).status).toBe(403)
  expect(await factorOf(person)).toHaveLength(1)
})

test('who leaves the team has none any more', async () => {
  const person = await enrolled()
  expect((await changeRole(world, manager, person, 'gester')).status).toBe(303)
  expect(await factorOf(person)).toHaveLength(1)
  expect((await changeRole(world, manager, person, 'customer')).status).toBe(303)
  expect(await factorOf(person)).toEqual([])
  expect((await world.post('/signin', { email: person.email, password })).location).toBe('/')
  const page = await world.visit(`/admin/users/${person.id}`, manager)
  expect(page.text).not.toContain('Quitar segundo factor')
})

test('the command names the way for a manager who lost it, and goes it', async () => {
  const person = await enrolled('manager')
  await expect(inviteManager(world.db, person.email, '', new Date())).rejects.toMatchObject({
    description: expect.stringContaining('--without-second-factor'),
  })
  await removeSecondFactorOf(world.db, ` ${person.email.toUpperCase()} `)
  expect(await factorOf(person)).toEqual([])
  expect(await sessionsOf(world, person)).toEqual([])
  expect(await trailOf(world, person, 'user')).toContain('remove_second_factor')
  for (const email of [person.email, 'nadie@prueba.mx'])
    await expect(removeSecondFactorOf(world.db, email)).rejects.toMatchObject({
      description: expect.stringContaining('has no second factor'),
    })
})
