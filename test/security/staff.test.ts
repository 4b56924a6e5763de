import { invitations } from '../../src/platform/database/schema/accounts.ts'
import { newEmail, password } from '../kit/accounts.ts'
import { fixture, inParallel, newPerson, post, rowsWhere, runSql } from '../kit/open.ts'
import { codeTo } from '../kit/users.ts'
import { every } from './attempts.ts'
import { everyone, openEveryoneFixture, type Who } from './everyone.ts'

openEveryoneFixture()

/** Everything that decides what somebody may do. */
async function rights() {
  const { rows } = await runSql<{
    id: string
    email: string
    kind: string | null
    active: boolean
  }>`
    select id, email, role, kind, agency_id, active, email_verified, two_factor_enabled from users order by id`
  return rows
}

/** Fields that no form has for those who are not the manager, under every name they might be read by. */
function poison() {
  const { ally, customer2, manager } = everyone
  const names: Record<string, string> = {
    'role user[role]': 'staff',
    'kind roleChoice choice': 'manager',
    'active emailVerified email_verified isAdmin admin': 'true',
    'id uid userId user_id personId': manager.id,
    'customerId projectId': customer2.id,
    'agency agencyId agency_id': ally.agencyId!,
    twoFactorEnabled: 'false',
    version: '1',
    createdAt: '2020-01-01',
    email: 'gerencia@prueba.mx',
  }
  const each = Object.entries(names).flatMap(([all, value]) => all.split(' ').map((name) => [name, value]))
  return Object.fromEntries(each) as Record<string, string>
}

const notManagers = every.flatMap((one) =>
  (Object.keys(one.action.may ?? {}) as Who[])
    .filter((who) => who !== 'manager')
    .map((who) => ({ ...one, who })),
)

describe('mass assignment', () => {
  test.each(notManagers)(
    '$file: $name by $who, with every field that might give rights',
    async ({ who, action }) => {
      const { path, form } = await action.attempt(everyone)
      const before = await rights()
      const right = form as Record<string, string>
      // First only what the form does not have; then its own fields are theirs again, last.
      await post(path, { ...poison(), ...right }, everyone[who])
      const body = new URLSearchParams({ ...right })
      for (const [name, value] of Object.entries(poison())) if (!(name in right)) body.append(name, value)
      await post(path, body, everyone[who])
      expect(await rights()).toEqual(before)
    },
  )

  test('signing up with every such field makes a customer', async () => {
    const email = newEmail()
    await post('/signup', { ...poison(), email, password })
    expect((await rights()).filter((row) => row.email === email)).toMatchObject([
      { role: 'customer', kind: null, agency_id: null, active: true, email_verified: false },
    ])
  })

  test('JSON to any address changes no rights', async () => {
    const before = await rights()
    const paths = `/session/update-user /session/admin/set-role /session/sign-up/email /session/change-email
      /v1/users /v1/users/${everyone.customer.id} /v1/session /v1/projects /api/auth/update-user /admin/users
      /admin/users/${everyone.customer.id} /completion /`.split(/\s+/)
    const headers = { 'content-type': 'application/json', origin: 'http://carga.test' }
    const body = JSON.stringify(poison())
    for (const path of paths)
      for (const method of ['POST', 'PUT', 'PATCH'])
        for (const person of [everyone.customer, everyone.technician, everyone.anonymous]) {
          const { status } = await fixture.send(path, person, { method, body, headers })
          expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(300)
        }
    expect(await rights()).toEqual(before)
  })
})

describe('invitations', () => {
  const invite = (email: string, kind: 'manager' | 'gester') =>
    post('/admin/users', { intent: 'invite', email, kind, agencyId: '' }, everyone.manager)

  test('give no role by no code, a guessed one, a hash instead of the code, or another’s', async () => {
    await invite(newEmail(), 'manager')
    const [{ codeHash } = { codeHash: '' }] = await rowsWhere(invitations)
    const form = { name: 'Eva', lastname: 'Luna', phone: '5511112222', role: 'manager' }
    for (const invitacion of ['', 'adivinado', codeHash, `${codeHash}%`, '%', "' or 1=1 --"]) {
      const person = await newPerson({ name: null })
      const before = await rights()
      const { status } = await post('/completion', { ...form, invitacion }, person)
      expect(status, invitacion).toBeGreaterThanOrEqual(400)
      expect(await rights()).toEqual(before)
    }
  })

  test('give their owner the role, of whom strangers accept the same code at once', async () => {
    const owner = await newPerson()
    const stranger = await newPerson()
    await invite(owner.email, 'gester')
    const accept = { intent: 'accept-invitation', invitacion: await codeTo(owner.email) }
    const tries = [stranger, owner, everyone.customer, stranger, owner, everyone.customer2]
    await Promise.all(tries.map((person) => post('/?index', accept, person)))
    const gesters = (await rights()).filter(({ kind }) => kind === 'gester').map(({ id }) => id)
    expect(gesters.toSorted()).toEqual([everyone.gester.id, owner.id].toSorted())
  })
})

test('one of four managers who demote one another at once stays', async () => {
  await runSql`update users set kind = 'analyst' where kind = 'manager'`
  const managers = await inParallel(4, () => newPerson({ kind: 'manager' }))
  const demote = (at: number) => {
    const { id } = managers[(at + 1) % 4]!
    const form = at % 2 ? { intent: 'role', role: 'gester' } : { intent: 'active', active: 'no' }
    return post(`/admin/users/${id}`, { ...form, version: '1' }, managers[at])
  }
  await Promise.all([...Array(8).keys()].map((at) => demote(at % 4)))
  const left = (await rights()).filter(({ active, kind }) => kind === 'manager' && active)
  expect(left.length).toBeGreaterThanOrEqual(1)
})
