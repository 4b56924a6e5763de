import { twoFactors } from '../../src/platform/database/schema/accounts.ts'
import { removeSecondFactorOf } from '../../src/users/commands.ts'
import { inviteManager } from '../../src/users/invite.ts'
import { addKey, enterBy, newAuthenticator } from '../accounts/authenticator.ts'
import { enrol, lettersTo, memberOf, password } from '../accounts/own.ts'
import { signIn } from '../kit/accounts.ts'
import {
  db,
  expectNotOnPage,
  expectScreen,
  expectUser,
  fixture,
  openBare,
  pageText,
  rowsWhere,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectStatus, expectStatuses, expectWords, trailOf } from '../kit/reading.ts'
import { changeRole, sessionsOf, userOf } from '../kit/users.ts'

openBare()
let manager: Person
beforeAll(async () => {
  manager = await fixture.person({ kind: 'manager', name: 'Mariana' })
})

/** A staff member who turned it on. */
async function enrolled(kind: 'analyst' | 'manager' = 'analyst') {
  const person = await memberOf({ kind })
  await enrol(person)
  return person
}
const factorOf = ({ id }: Person) => rowsWhere(twoFactors, { userId: id })
const remove = async (by: Person, of: Person, form: Record<string, string> = {}) => {
  const version = String((await userOf(of)).version)
  const fields = { intent: 'remove-second-factor', version, confirmed: 'yes', ...form }
  return fixture.post(`/admin/users/${of.id}`, fields, by)
}

test('the manager removes it: sessions end, an e-mail and the history say so, the password signs in', async () => {
  const person = await enrolled()
  await expectScreen(`/admin/users/${person.id}`, manager, 'Quitar segundo factor')
  expectStatus(await remove(manager, person), 303)
  expect(await factorOf(person)).toEqual([])
  await expectUser(person, { twoFactorEnabled: false })
  expect(await sessionsOf(person)).toEqual([])
  expect(await lettersTo(person)).toEqual(['second_factor_off', 'second_factor_on'])
  const page = await pageText(`/admin/users/${person.id}`, manager)
  expectWords(page, 'Se quitó su segundo factor')
  expect(page).not.toContain('Quitar segundo factor')
  expectLocation(await signIn(person.email), '/')
})

test('the manager removes the passkeys, too, of who has only those', async () => {
  const person = await memberOf()
  const key = newAuthenticator()
  await addKey(key, person, { currentPassword: password }, '/cuenta')
  await expectScreen(`/admin/users/${person.id}`, manager, 'Quitar segundo factor y llaves')
  expectStatus(await remove(manager, person), 303)
  expectStatus(await enterBy(key), 400)
  await expectNotOnPage(`/admin/users/${person.id}`, manager, 'Quitar segundo factor')
})

// That no other role may: test/security/actions/people.ts.
test('is refused unconfirmed, on a stale page, for oneself, and the second time', async () => {
  const person = await enrolled()
  for (const [form, status] of [
    [{ confirmed: '' }, 409],
    [{ version: '9' }, 409],
    [{ version: 'x' }, 400],
  ] as const)
    expectStatus(await remove(manager, person, form), status)
  expect(await factorOf(person)).toHaveLength(1)
  expectStatuses(await Promise.all([remove(manager, person), remove(manager, person)]), 303, 409)
  expectStatus(await remove(manager, person), 409)
  const removed = (await trailOf(fixture, person, 'user')).filter((name) => name === 'remove_second_factor')
  expect(removed).toHaveLength(1)

  const own = await enrolled('manager')
  await expectNotOnPage(`/admin/users/${own.id}`, own, 'Quitar segundo factor')
  expectStatus(await remove(own, own), 409)
  expect(await factorOf(own)).toHaveLength(1)
})

test('a change of the role keeps it, to customer too, where the manager may still remove it', async () => {
  const person = await enrolled()
  expectStatus(await changeRole(manager, person, 'gester'), 303)
  expect(await factorOf(person)).toHaveLength(1)
  expectStatus(await changeRole(manager, person, 'customer'), 303)
  expect(await factorOf(person)).toHaveLength(1)
  expectLocation(await signIn(person.email), '/signin')
  await expectScreen(`/admin/users/${person.id}`, manager, 'Quitar segundo factor')
})

test('the command for a first manager names the option to remove it, which does', async () => {
  const person = await enrolled('manager')
  await expect(inviteManager(db, person.email, '', new Date())).rejects.toMatchObject({
    description: expect.stringContaining('--without-second-factor'),
  })
  await removeSecondFactorOf(db, ` ${person.email.toUpperCase()} `)
  expect(await factorOf(person)).toEqual([])
  expect(await sessionsOf(person)).toEqual([])
  expect(await trailOf(fixture, person, 'user')).toContain('remove_second_factor')
  for (const email of [person.email, 'nadie@prueba.mx'])
    await expect(removeSecondFactorOf(db, email)).rejects.toMatchObject({
      description: expect.stringContaining('has no second factor'),
    })
})
