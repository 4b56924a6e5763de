import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { invitations } from '../../src/server/platform/database/schema/accounts.ts'
import { newEmail, password } from '../kit/accounts.ts'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'
import { codeTo } from '../kit/users.ts'
import { everyModule } from '../kit/world.ts'
import { actions } from './actions.ts'
import { cast, openCastOnce, type Who } from './cast.ts'

openBare(everyModule)
openCastOnce()
realClockAfterEach()

/** Everything that decides what somebody may do. */
async function rights(): Promise<unknown[]> {
  const { rows } = await world.db.execute(sql`
    select id, email, role, kind, agency_id, active, email_verified, two_factor_enabled from users order by id`)
  return rows
}

/** Fields that no form has for those who are not the manager, under every name they might be read by. */
const poison = () => ({
  role: 'staff',
  kind: 'manager',
  'user[role]': 'staff',
  roleChoice: 'manager',
  choice: 'manager',
  active: 'true',
  emailVerified: 'true',
  email_verified: 'true',
  twoFactorEnabled: 'false',
  id: cast.manager.id,
  uid: cast.manager.id,
  userId: cast.manager.id,
  user_id: cast.manager.id,
  customerId: cast.customer2.id,
  projectId: cast.customer2.id,
  personId: cast.manager.id,
  agency: cast.ally.agencyId!,
  agencyId: cast.ally.agencyId!,
  agency_id: cast.ally.agencyId!,
  version: '1',
  createdAt: '2020-01-01',
  email: 'gerencia@prueba.mx',
  isAdmin: 'true',
  admin: '1',
})

const notManagers = Object.entries(actions).flatMap(([file, list]) =>
  list.flatMap((action) =>
    Object.keys(action.may ?? {})
      .filter((who) => who !== 'manager')
      .map((who) => ({ file, name: action.name, who: who as Who, action })),
  ),
)

describe('mass assignment', () => {
  test.each(notManagers)(
    '$file: $name by $who, with every field that might give rights',
    async ({ who, action }) => {
      const { path, form } = await action.attempt(world, cast)
      const before = await rights()
      const right = form as Record<string, string>
      // First only what the form does not have; then its own fields are theirs again, last.
      await world.post(path, { ...poison(), ...right }, cast[who])
      const body = new URLSearchParams({ ...right })
      for (const [name, value] of Object.entries(poison())) if (!(name in right)) body.append(name, value)
      await world.post(path, body, cast[who])
      expect(await rights()).toEqual(before)
    },
  )

  test('signing up', async () => {
    const email = newEmail()
    await world.post('/signup', { ...poison(), email, password })
    const made = (await rights()).filter((row) => (row as { email: string }).email === email)
    expect(made).toMatchObject([
      { role: 'customer', kind: null, agency_id: null, active: true, email_verified: false },
    ])
  })

  test('as JSON, to every address that might take it', async () => {
    const before = await rights()
    for (const path of [
      '/session/update-user',
      '/session/admin/set-role',
      '/session/sign-up/email',
      '/session/change-email',

      '/v1/users',
      `/v1/users/${cast.customer.id}`,
      '/v1/session',
      '/v1/projects',
      '/api/auth/update-user',
      '/admin/users',
      `/admin/users/${cast.customer.id}`,
      '/completion',
      '/',
    ])
      for (const method of ['POST', 'PUT', 'PATCH'])
        for (const person of [cast.customer, cast.technician, cast.anonymous]) {
          const headers = { 'content-type': 'application/json', origin: 'http://carga.test' }
          const { status } = await world.send(path, person, {
            method,
            body: JSON.stringify(poison()),
            headers,
          })
          expect([path, method, status]).toEqual([
            path,
            method,
            expect.toSatisfy((one: number) => one >= 300),
          ])
        }
    expect(await rights()).toEqual(before)
  })
})

describe('invitations', () => {
  const words = { name: 'Eva', lastname: 'Luna', phone: '5511112222' }

  test('no code, a guessed one, a hash instead of the code, or another’s: no role', async () => {
    await world.post(
      '/admin/users',
      { intent: 'invite', email: newEmail(), kind: 'manager', agencyId: '' },
      cast.manager,
    )
    const [{ codeHash } = { codeHash: '' }] = await world.db.select().from(invitations)
    for (const invitacion of [
      '',
      'adivinado',
      codeHash,
      codeHash.toUpperCase(),
      `${codeHash}%`,
      '%',
      "' or 1=1 --",
    ]) {
      const person = await world.person({ name: null })
      const before = await rights()
      const answer = await world.post('/completion', { ...words, role: 'manager', invitacion }, person)
      expect([invitacion, answer.status]).toEqual([invitacion, expect.toSatisfy((one: number) => one >= 400)])
      expect(await rights()).toEqual(before)
    }
  })

  test('one code, accepted by its owner and by strangers at once: its owner only', async () => {
    const [owner, stranger] = [await world.person(), await world.person()]
    const form = { intent: 'invite', email: owner.email, kind: 'gester', agencyId: '' }
    await world.post('/admin/users', form, cast.manager)
    const accept = { intent: 'accept-invitation', invitacion: await codeTo(world, owner.email) }
    const tries = [stranger, owner, cast.customer, stranger, owner, cast.customer2]
    await Promise.all(tries.map((person) => world.post('/?index', accept, person)))
    const staff = (await rights()).filter((row) => (row as { kind: string }).kind === 'gester')
    expect(staff.map((row) => (row as { id: string }).id).toSorted()).toEqual(
      [cast.gester.id, owner.id].toSorted(),
    )
  })
})

test('of four managers who demote one another at once, one stays', async () => {
  await world.db.execute(sql`update users set kind = 'analyst' where kind = 'manager'`)
  const managers = await Promise.all(Array.from({ length: 4 }, () => world.person({ kind: 'manager' })))
  const demote = (at: number) => {
    const { id } = managers[(at + 1) % 4]!
    const form = at % 2 ? { intent: 'role', role: 'gester' } : { intent: 'active', active: 'no' }
    return world.post(`/admin/users/${id}`, { ...form, version: '1' }, managers[at])
  }
  await Promise.all([...Array(8).keys()].map((at) => demote(at % 4)))
  const { rows } = await world.db.execute<{ left: number }>(
    sql`select count(*)::int as left from users where kind = 'manager' and active`,
  )
  expect(rows[0]!.left).toBeGreaterThanOrEqual(1)
})
