import { beforeAll, describe, expect, test } from 'vitest'
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

describe('reads', () => {
  test('a user by uid, with the fields of the specification', async () => {
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

  test('no user under an unknown or invalid id', async () => {
    for (const uid of [nobody, 'x', '', "' or 1=1"])
      expect(code(await readUser(world.db, people.manager.actor, uid))).toBe('not-found')
  })

  // Lists by role, kind and agency, and their order: test/users/list.test.ts.
  test('the staff, keyed by uid', async () => {
    const staff = value(await readStaff(world.db, people.manager.actor))
    expect(Object.values(staff).every(({ role }) => role === 'staff')).toBe(true)
    for (const [uid, user] of Object.entries(staff)) expect(user.uid).toBe(uid)
    expect(Object.keys(staff)).toHaveLength(7)
  })

  test('only what the role may see', async () => {
    const { customer, technician, manager, customer2 } = people
    const all = async ({ actor }: Person) => value(await readUsers(world.db, actor)).map(({ name }) => name)
    expect(await all(customer)).toEqual(['Camila'])
    expect(await all(technician)).not.toContain('Baja')
    for (const [as, of] of [
      [customer, customer2],
      [customer, manager],
      [technician, customer],
    ] as const)
      expect(code(await readUser(world.db, as.actor, of.id))).toBe('not-found')
  })
})

// Refusals: test/users/access.test.ts and person.test.ts.
describe('writes', () => {
  test('role and kind, and an affiliate’s agency', async () => {
    const [person, other] = [await world.person(), await world.person()]
    const agency = await world.agency({ name: 'Otra agencia' })
    const by = people.manager.actor
    const toAlly = { choice: 'alliate', agencyId: people.ally.agencyId } as const
    expect(code(await updateRoleAndKind(world.db, by, person.id, toAlly, terms()))).toBe('ok')
    expect(code(await updateAgency(world.db, by, person.id, agency.id, terms(2)))).toBe('ok')
    expect(value(await readUser(world.db, by, person.id))).toMatchObject({
      role: 'staff',
      kind: 'alliate',
      agency: agency.id,
      version: 3,
    })
    expect(code(await updateAgency(world.db, by, other.id, agency.id, terms()))).toBe('failed-precondition')
  })
})
