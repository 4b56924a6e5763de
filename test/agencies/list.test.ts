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
    })),
  )
})

type Listed = Awaited<ReturnType<typeof listAgencies>> & { first: string | null }
const list = async () => {
  const { value } = await world.data('/admin/agencies', manager)
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
