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

  test('customers and strangers get nowhere', async () => {
    expect((await world.visit('/admin/users', people.customer)).location).toBe('/')
    expect((await world.visit('/admin/users')).location).toBe('/signin')
  })
})

describe('what narrows it', () => {
  test.each([
    ['?text=oscar', ['Óscar']],
    ['?text=NUNEZ', ['Óscar']],
    ['?text=ñúñez+óscar', ['Óscar']],
    ['?text=o.nunez@', ['Óscar']],
    ['?text=558+765+43+21', ['Óscar']],
    ['?text=%2B558765', ['Óscar']],
    ['?text=oscar+salas', []],
    ['?text=%25', []],
    ['?text=_', []],
    ['?text=%27+or+1%3D1', []],
    ['?kind=manager', ['Mariana']],
    ['?role=staff&active=no', ['Inactiva']],
    ['?role=staff&kind=alliate', ['Alicia']],
    ['?active=no', ['Inactiva']],
  ])('%s', async (query, names) => {
    expect(await namesOf(people.manager, query)).toEqual(names)
    expect((await listOf(people.manager, query)).total).toBe(names.length)
  })

  test('by agency', async () => {
    expect(await namesOf(people.manager, `?agency=${people.ally.agencyId}`)).toEqual(['Alicia'])
  })

  test('what makes no sense is left out', async () => {
    const all = (await listOf(people.manager)).total
    for (const query of ['?role=x&kind=y&active=z&agency=1&after=2', '?text=', '?text=%00'])
      expect((await listOf(people.manager, query)).total).toBe(all)
    expect((await world.visit(`/admin/users?text=${'x'.repeat(10_000)}`, people.manager)).status).toBe(200)
  })
})

test('pages of 50, each person once, in the order of a Mexican dictionary', async () => {
  const crowd = Array.from({ length: 120 }, (_, n) => ({
    email: `grupo-${n}@prueba.mx`,
    name: ['Ana', 'Ángel', 'nube', 'ñame', 'Ñandú', 'Óscar', 'zeta'][n % 7]!,
    lastname: `Grupo ${String(n % 5)}`,
    emailVerified: true,
  }))
  await world.db.insert(users).values(crowd)
  const found: { name: string | null; lastname: string | null }[] = []
  let query = '?text=grupo'
  for (let pages = 1; ; pages++) {
    const { rows, next, total } = await listOf(people.manager, query)
    expect(total).toBe(120)
    found.push(...rows)
    if (!next) {
      expect(pages).toBe(3)
      break
    }
    expect(rows).toHaveLength(50)
    query = next
  }
  expect(found).toHaveLength(120)
  const names = found.map(({ name }) => name!)
  expect([...new Set(names)]).toEqual(['Ana', 'Ángel', 'nube', 'ñame', 'Ñandú', 'Óscar', 'zeta'])
  const anas = found.filter(({ name }) => name === 'Ana').map(({ lastname }) => lastname)
  expect(anas).toEqual([...anas].sort())
})
