import { users } from '../../src/platform/database/schema/accounts.ts'
import { readUser, readUsers } from '../../src/users/queries.ts'
import {
  ally,
  customer,
  customer2,
  db,
  expectScreen,
  fixture,
  manager,
  markupOf,
  newPerson,
  openOnce,
  storeRows,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { loaded } from '../kit/reading.ts'

openOnce()
beforeAll(async () => {
  await newPerson({ kind: 'analyst', name: 'Inactiva', active: false })
  await newPerson({ name: 'Óscar', lastname: 'Ñúñez', phone: '5587654321', email: 'o.nunez@prueba.mx' })
})

type List = { rows: { name: string | null; lastname: string | null }[]; total: number; next: string | null }
const listOf = async (as: Person, query = '') =>
  loaded<List>(await fixture.data(`/admin/users${query}`, as), 'users/screens/users')
const namesOf = async (as: Person, query = '') => (await listOf(as, query)).rows.map(({ name }) => name)

test('who is listed the manager sees everyone, customers and inactive people too', async () => {
  const names = await namesOf(manager)
  expect(await namesOf(manager, `?agency=${ally.agencyId}`)).toEqual(['Alicia'])
  expect(names).toEqual(expect.arrayContaining(['Camila', 'Inactiva', 'Mariana', 'Alicia', 'Óscar']))
  expect((await listOf(manager)).total).toBe(names.length)
})

test('who is listed other staff see active staff only, for any filter, and no invitations; allies only their agency', async () => {
  await fixture.post('/admin/users', { intent: 'invite', email: 'x@prueba.mx', kind: 'analyst' }, manager)
  for (const person of [technician, ally])
    for (const query of ['', '?role=customer', '?active=no']) {
      const text = await markupOf(`/admin/users${query}`, person)
      for (const hidden of ['Camila', 'Inactiva', 'Óscar', 'x@prueba.mx', 'Invitar', 'Invitaciones'])
        expect(text).not.toContain(hidden)
    }
  expect(await namesOf(technician)).toEqual(['Alicia', 'Andrés', 'Gerardo', 'Mariana', 'Teresa', 'Tomás'])
  expect(await namesOf(technician, '?kind=analyst')).toEqual(['Andrés'])
  expect(await namesOf(ally)).toEqual(['Alicia'])
  for (const person of [ally, technician])
    await expectScreen('/admin/users', person, 'Concesionaria de prueba')
})

test.each([
  ['?text=ñúñez+óscar', ['Óscar']],
  ['?text=oscar+salas', []],
  ['?text=558+765+43+21', ['Óscar']],
  ['?text=%2B558765', ['Óscar']],
  ['?role=staff&active=no', ['Inactiva']],
  ['?role=staff&kind=alliate', ['Alicia']],
])('what narrows it: %s', async (query, names) => {
  expect(await namesOf(manager, query)).toEqual(names)
  expect((await listOf(manager, query)).total).toBe(names.length)
})

test('sorts like a Mexican dictionary', async () => {
  const sorted = ['Ana', 'Ángel', 'nube', 'ñame', 'Ñandú', 'Óscar', 'zeta']
  const crowd = sorted
    .toReversed()
    .flatMap((name) => ['Grupo 2', 'Grupo 1'].map((lastname) => ({ name, lastname })))
  await storeRows(
    users,
    crowd.map((one, n) => ({ ...one, email: `grupo-${n}@prueba.mx`, emailVerified: true })),
  )
  const { rows } = await listOf(manager, '?text=grupo')
  expect(rows.map(({ name, lastname }) => `${name} ${lastname}`)).toEqual(
    sorted.flatMap((name) => [`${name} Grupo 1`, `${name} Grupo 2`]),
  )
})

test('reads users with the fields of the specification, and none that the role may not see', async () => {
  expect(await readUsers(db, customer.actor)).toMatchObject({ ok: true, value: [{ uid: customer.id }] })
  const read = ({ actor }: Person, { id }: Person) => readUser(db, actor, id)
  expect(await read(manager, ally)).toEqual({
    ok: true,
    value: {
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
    },
  })
  for (const [as, of] of [
    [customer, customer2],
    [customer, manager],
    [technician, customer],
  ] as const)
    expect(await read(as, of)).toMatchObject({ ok: false, error: { code: 'not-found' } })
})
