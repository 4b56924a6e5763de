import { beforeAll, expect, test } from 'vitest'
import type { listAgencies } from '../../src/server/agencies/agency-queries.ts'
import { agencies } from '../../src/server/platform/database/schema/projects.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

openBare()
let manager: Person
const names = ['Ana', 'Ángel', 'Nube', 'Ñame', 'Ñandú', 'Óscar', 'Zócalo']
beforeAll(async () => {
  manager = await world.person({ kind: 'manager' })
  await world.db.insert(agencies).values(
    names.toReversed().map((name) => ({
      name,
      brand: name === 'Nube' ? '100 % Eléctricos' : null,
      contact: name === 'Zócalo' ? 'Íñigo' : null,
      active: name !== 'Óscar',
    })),
  )
})

type Listed = Awaited<ReturnType<typeof listAgencies>> & { first: string | null }
const list = async (search = '') => {
  const { value } = await world.data(`/admin/agencies${search}`, manager)
  return (value as Record<string, { data: Listed }>)['agencies/agencies']?.data ?? expect.fail('no list')
}
const namesOf = ({ rows }: Listed) => rows.map(({ name }) => name)

test('in Spanish order, with how many allies are active', async () => {
  const page = await list()
  expect(namesOf(page)).toEqual(names)
  const agencyId = page.rows[0]?.id ?? ''
  await world.person({ kind: 'alliate', agencyId })
  await world.person({ kind: 'alliate', agencyId, active: false })
  expect((await list()).rows[0]).toMatchObject({ allies: 1 })
})

test.each([
  ['angel', ['Ángel']],
  ['ÑAN', ['Ñandú']],
  ['inigo', ['Zócalo']],
  ['electr', ['Nube']],
  // What a pattern would read as "anything" is only itself.
  ['100 %', ['Nube']],
  ['_', []],
  ['\\', []],
  ["'; drop table agencies; --", []],
])('looking for "%s"', async (text, found) => {
  const page = await list(`?${new URLSearchParams({ text })}`)
  expect([namesOf(page), page.total]).toEqual([found, found.length])
})

test('active ones, inactive ones, and a filter that makes no sense', async () => {
  expect(namesOf(await list('?active=no'))).toEqual(['Óscar'])
  expect((await list('?active=yes')).total).toBe(names.length - 1)
  expect((await list('?active=perhaps&after=x&text=')).total).toBe(names.length)
})

test('pages of fifty, each agency once', async () => {
  await world.db
    .insert(agencies)
    .values(Array.from({ length: 70 }, (_, n) => ({ name: `Muchas ${String(n).padStart(2, '0')}` })))
  const first = await list('?text=muchas')
  expect([first.rows.length, first.total, first.first]).toEqual([50, 70, null])
  const second = await list(first.next ?? '')
  expect([second.rows.length, second.total, second.next]).toEqual([20, 70, null])
  expect(second.first).toBe('?text=muchas')
  expect(new Set([...namesOf(first), ...namesOf(second)]).size).toBe(70)
})
