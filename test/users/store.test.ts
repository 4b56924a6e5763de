import { beforeAll, expect, test } from 'vitest'
import type { Result } from '../../src/domain/shared/refusal.ts'
import { noDecisions } from '../../src/domain/users/staffing-change.ts'
import { updateAgency, updateRoleAndKind } from '../../src/server/users/commands.ts'
import { readStaff, readUser, readUsers } from '../../src/server/users/queries.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

openOnce()
beforeAll(async () => {
  await world.person({ kind: 'analyst', name: 'Baja', active: false })
})

const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}
const code = (result: Result<unknown>) => (result.ok ? 'ok' : result.error.code)
const nobody = '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'
const terms = (version = 1) => ({ version, confirmed: false, decisions: noDecisions, now: new Date() })

test('reads a user by uid, with the fields of the specification', async () => {
  const { manager, ally } = people
  expect(value(await readUser(world.db, manager.actor, ally.id))).toEqual({
    uid: ally.id,
    name: 'Alicia',
    lastname: 'Prueba',
    email: ally.email,
    role: 'staff',
    kind: 'alliate',
    agency: ally.agencyId,
    phone: '5598123456',
    active: true,
    version: 1,
    createdAt: expect.any(Date),
  })
})

// Lists by role, kind and agency, and their order: test/users/list.test.ts.
test('reads the staff, keyed by uid', async () => {
  const staff = Object.entries(value(await readStaff(world.db, people.manager.actor)))
  expect(staff).toHaveLength(7)
  for (const [uid, user] of staff) expect(user).toMatchObject({ uid, role: 'staff' })
})

test('reads only what the role may see, and nothing under an unknown id', async () => {
  const { customer, technician, manager, customer2 } = people
  const all = async ({ actor }: Person) => value(await readUsers(world.db, actor)).map(({ name }) => name)
  expect(await all(customer)).toEqual(['Camila'])
  expect(await all(technician)).not.toContain('Baja')
  for (const [as, uid] of [
    [customer, customer2.id],
    [customer, manager.id],
    [technician, customer.id],
    [manager, nobody],
    [manager, "' or 1=1"],
  ] as const)
    expect(code(await readUser(world.db, as.actor, uid))).toBe('not-found')
})

// Refusals: test/users/access.test.ts and person.test.ts.
test('writes role and kind, and the agency of an ally only', async () => {
  const person = await world.person()
  const other = await world.person()
  const agency = await world.agency()
  const by = people.manager.actor
  const toAlly = { choice: 'alliate', agencyId: people.ally.agencyId } as const
  expect(code(await updateRoleAndKind(world.db, by, person.id, toAlly, terms()))).toBe('ok')
  expect(code(await updateAgency(world.db, by, person.id, agency.id, terms(2)))).toBe('ok')
  const written = { kind: 'alliate', agency: agency.id, version: 3 }
  expect(value(await readUser(world.db, by, person.id))).toMatchObject(written)
  expect(code(await updateAgency(world.db, by, other.id, agency.id, terms()))).toBe('failed-precondition')
})
