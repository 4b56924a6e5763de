import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '../../src/domain/shared/refusal.ts'
import { noDecisions } from '../../src/domain/users/staffing-change.ts'
import type { User } from '../../src/domain/users/user.ts'
import { updateAgency, updateRoleAndKind } from '../../src/server/users/commands.ts'
import {
  readActiveByKind,
  readActiveByRole,
  readAllies,
  readStaff,
  readUser,
  readUsers,
} from '../../src/server/users/queries.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

openOnce()
beforeAll(async () => {
  await world.person({ kind: 'analyst', name: 'Baja', active: false })
  await world.person({ name: 'ana' })
})

const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}
const names = (list: readonly User[]) => list.map(({ name }) => name)
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

  // The rest of the order: test/users/list.test.ts.
  test('all users by name, those without one last', async () => {
    await world.person({ name: null })
    const all = names(value(await readUsers(world.db, people.manager.actor)))
    expect(all.slice(0, 3)).toEqual(['Alicia', 'ana', 'Andrés'])
    expect(all.at(-1)).toBeNull()
  })

  test('active ones by role and by kind', async () => {
    const { manager } = people
    const staff = value(await readActiveByRole(world.db, manager.actor, 'staff'))
    expect(names(staff)).toEqual(['Alicia', 'Andrés', 'Gerardo', 'Mariana', 'Teresa', 'Tomás'])
    const analysts = value(await readActiveByKind(world.db, manager.actor, 'analyst'))
    expect(names(analysts)).toEqual(['Andrés'])
    const customers = value(await readActiveByRole(world.db, manager.actor, 'customer'))
    expect(customers.every(({ role }) => role === 'customer')).toBe(true)
  })

  test('the allies of an agency', async () => {
    const { manager, ally } = people
    expect(names(value(await readAllies(world.db, manager.actor, ally.agencyId!)))).toEqual(['Alicia'])
    for (const agency of [nobody, 'x'])
      expect(value(await readAllies(world.db, manager.actor, agency))).toEqual([])
  })

  test('the staff, keyed by uid', async () => {
    const staff = value(await readStaff(world.db, people.manager.actor))
    expect(Object.values(staff).every(({ role }) => role === 'staff')).toBe(true)
    for (const [uid, user] of Object.entries(staff)) expect(user.uid).toBe(uid)
    expect(Object.keys(staff)).toHaveLength(7)
  })

  test('only what the role may see', async () => {
    const { customer, technician, manager, customer2 } = people
    expect(names(value(await readUsers(world.db, customer.actor)))).toEqual(['Camila'])
    expect(code(await readUser(world.db, customer.actor, customer2.id))).toBe('not-found')
    expect(code(await readUser(world.db, customer.actor, manager.id))).toBe('not-found')
    expect(code(await readUser(world.db, technician.actor, customer.id))).toBe('not-found')
    expect(names(value(await readUsers(world.db, technician.actor)))).not.toContain('Baja')
    expect(value(await readActiveByRole(world.db, technician.actor, 'customer'))).toEqual([])
  })
})

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

  test('each failure with its status, changing nothing', async () => {
    const person = await world.person()
    const to = (choice: 'analyst' | 'alliate', agencyId: string | null = null) => ({ choice, agencyId })
    const update = (as: Person, ...[wish, version = 1]: [ReturnType<typeof to>, number?]) =>
      updateRoleAndKind(world.db, as.actor, person.id, wish, terms(version))
    const { manager, analyst } = people
    expect(code(await update(analyst, to('analyst')))).toBe('permission-denied')
    expect(code(await update(manager, to('analyst'), 7))).toBe('aborted')
    expect(code(await update(manager, to('alliate')))).toBe('failed-precondition')
    expect(code(await update(manager, to('alliate', nobody)))).toBe('failed-precondition')
    const gone = await updateRoleAndKind(world.db, manager.actor, nobody, to('analyst'), terms())
    expect(code(gone)).toBe('not-found')
    expect(value(await readUser(world.db, manager.actor, person.id))).toMatchObject({
      role: 'customer',
      version: 1,
    })
  })
})
