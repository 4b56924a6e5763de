import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { loaded, readable } from '../kit/reading.ts'

openOnce()
beforeAll(async () => {
  await world.person({ kind: 'analyst', name: 'Inactiva', active: false })
  await world.person({ name: 'Óscar', lastname: 'Ñúñez', phone: '5587654321', email: 'o.nunez@prueba.mx' })
})

type List = { rows: { name: string | null; lastname: string | null }[]; total: number; next: string | null }
const listOf = async (as: Person, query = '') =>
  loaded<List>(await world.data(`/admin/users${query}`, as), 'users/users')
const namesOf = async (as: Person, query = '') => (await listOf(as, query)).rows.map(({ name }) => name)

describe('who is listed', () => {
  test('the manager sees everybody, customers and inactive people too', async () => {
    const names = await namesOf(people.manager)
    expect(names).toEqual(expect.arrayContaining(['Camila', 'Inactiva', 'Mariana', 'Alicia', 'Óscar']))
    expect((await listOf(people.manager)).total).toBe(names.length)
  })

  test('the others see active staff only, whatever they ask for, and no invitations', async () => {
    const { technician, analyst, gester, ally, manager } = people
    await world.post('/admin/users', { intent: 'invite', email: 'x@prueba.mx', kind: 'analyst' }, manager)
    for (const person of [technician, analyst, gester, ally])
      for (const query of ['', '?role=customer', '?active=no', '?text=a&role=customer']) {
        const page = await world.visit(`/admin/users${query}`, person)
        expect(page.status).toBe(200)
        for (const hidden of ['Camila', 'Inactiva', 'Óscar', 'x@prueba.mx', 'Invitar', 'Invitaciones'])
          expect(page.text).not.toContain(hidden)
        expect((await world.data(`/admin/users${query}`, person)).text).not.toContain('x@prueba.mx')
      }
    expect(await namesOf(technician)).toEqual(['Alicia', 'Andrés', 'Gerardo', 'Mariana', 'Teresa', 'Tomás'])
    expect(await namesOf(technician, '?kind=analyst')).toEqual(['Andrés'])
  })

  test('an ally is told of no other agency', async () => {
    const page = readable(await world.visit('/admin/users', people.ally))
    expect(page).toContain('Concesionaria de prueba')
    expect(await namesOf(people.ally)).toEqual(['Alicia'])
    expect(readable(await world.visit('/admin/users', people.technician))).toContain(
      'Concesionaria de prueba',
    )
  })
})

describe('what narrows it', () => {
  test.each([
    ['?text=ñúñez+óscar', ['Óscar']],
    ['?text=oscar+salas', []],
    ['?text=558+765+43+21', ['Óscar']],
    ['?text=%2B558765', ['Óscar']],
    ['?role=staff&active=no', ['Inactiva']],
    ['?role=staff&kind=alliate', ['Alicia']],
  ])('%s', async (query, names) => {
    expect(await namesOf(people.manager, query)).toEqual(names)
    expect((await listOf(people.manager, query)).total).toBe(names.length)
  })

  test('by agency', async () => {
    expect(await namesOf(people.manager, `?agency=${people.ally.agencyId}`)).toEqual(['Alicia'])
  })

  test('words without end', async () => {
    expect((await world.visit(`/admin/users?text=${'x'.repeat(10_000)}`, people.manager)).status).toBe(200)
  })
})

test('in the order of a Mexican dictionary', async () => {
  const sorted = ['Ana', 'Ángel', 'nube', 'ñame', 'Ñandú', 'Óscar', 'zeta']
  const crowd = sorted
    .toReversed()
    .flatMap((name) => ['Grupo 2', 'Grupo 1'].map((lastname) => ({ name, lastname })))
  await world.db
    .insert(users)
    .values(crowd.map((one, n) => ({ ...one, email: `grupo-${n}@prueba.mx`, emailVerified: true })))
  const { rows } = await listOf(people.manager, '?text=grupo')
  expect(rows.map(({ name, lastname }) => `${name} ${lastname}`)).toEqual(
    sorted.flatMap((name) => [`${name} Grupo 1`, `${name} Grupo 2`]),
  )
})
