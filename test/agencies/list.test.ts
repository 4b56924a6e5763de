import { expect, test } from 'vitest'
import type { listAgencies } from '../../src/server/agencies/agency-queries.ts'
import { agencies } from '../../src/server/platform/database/schema/projects.ts'
import { openBare, storeRows, world } from '../kit/open.ts'
import { loaded } from '../kit/reading.ts'

openBare()

test('lists agencies in Spanish order, with the number of their active allies', async () => {
  const manager = await world.person({ kind: 'manager' })
  const names = ['Ana', 'Ángel', 'Nube', 'Ñame', 'Ñandú', 'Óscar', 'Zócalo']
  const stored = await storeRows(
    agencies,
    names.toReversed().map((name) => ({ name })),
  )
  const agencyId = stored.at(-1)!.id
  for (const active of [true, false]) await world.person({ kind: 'alliate', agencyId, active })
  type List = Awaited<ReturnType<typeof listAgencies>>
  const { rows } = loaded<List>(await world.data('/admin/agencies', manager), 'agencies/agencies')
  expect(rows.map(({ name }) => name)).toEqual(names)
  expect(rows[0]).toMatchObject({ allies: 1 })
})
