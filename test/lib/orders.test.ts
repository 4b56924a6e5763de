import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { listAgencies } from '../../src/server/agencies/agency-queries.ts'
import { listPayments } from '../../src/server/payments/queries.ts'
import { usersPage } from '../../src/server/users/queries.ts'
import { sortedBy } from '../../src/web/lib/lists.tsx'
import { storeCode, storeTie } from '../kit/agencies.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { owing } from '../kit/payments.ts'

openEach()
sendJobs()

type Order = 'reverse' | undefined

test('people are listed by name or by when they came, either way', async () => {
  const made = [
    ['Zoé', 3],
    ['Abel', 1],
    ['Memo', 2],
  ] as const
  for (const [name, days] of made) {
    const { id } = await world.person({ name, lastname: 'Ordenado' })
    await world.db.execute(
      sql`update users set created_at = now() + ${days} * interval '1 day' where id = ${id}`,
    )
  }
  const listed = async (order?: Order | 'created' | 'created-reverse', text = 'ordenado') => {
    const filters = { text, ...(order && { order }) }
    const { rows } = await usersPage(world.db, people.manager.actor, filters, undefined)
    return rows.map(({ name }) => name).filter((name) => made.some(([one]) => one === name))
  }
  // Found by words or not: the two are ordered by other means.
  for (const text of ['ordenado', '']) {
    expect(await listed(undefined, text)).toEqual(['Abel', 'Memo', 'Zoé'])
    expect(await listed('reverse', text)).toEqual(['Zoé', 'Memo', 'Abel'])
    expect(await listed('created', text)).toEqual(['Zoé', 'Memo', 'Abel'])
    expect(await listed('created-reverse', text)).toEqual(['Abel', 'Memo', 'Zoé'])
  }
  await world.db.execute(sql`update users set created_at = now() + interval '9 days' where name = 'Abel'`)
  expect(await listed('created')).toEqual(['Abel', 'Zoé', 'Memo'])
})

test('dealerships are listed by their clients for those alone who read them', async () => {
  const { ally, analyst, manager, technician } = people
  const { id: empty } = await world.agency()
  await storeTie(world, await world.person(), await storeCode(world, ally))
  const listed = async (order: Order | 'clients' | 'clients-reverse', { actor } = manager) => {
    const { rows } = await listAgencies(world.db, actor, order ? { order } : {})
    return rows.map(({ id }) => (id === empty ? 'empty' : id === ally.agencyId ? 'full' : 'other'))
  }
  const most = await listed('clients')
  expect(most[0]).toBe('full')
  expect(most.indexOf('empty')).toBeGreaterThan(0)
  expect(await listed('clients-reverse')).toEqual(most.toReversed())
  const byName = await listed(undefined)
  expect(await listed('reverse')).toEqual(byName.toReversed())
  for (const who of [analyst, technician]) {
    const { rows } = await listAgencies(world.db, who.actor, {})
    const reads = rows.some(({ clients }) => clients !== null)
    if (!reads) expect(await listed('clients', who)).toEqual(await listed(undefined, who))
  }
  const { rows } = await listAgencies(world.db, technician.actor, {})
  expect(rows.every(({ clients }) => clients === null)).toBe(true)
})

test('payments are listed by day or by amount, either way', async () => {
  const made = [await owing(world), await owing(world), await owing(world)].map(({ demand }) => demand.id)
  for (const [n, amount] of [200, 300, 100].entries())
    await world.db.execute(sql`update payments set amount = ${amount} where id = ${made[n]}`)
  const listed = async (order: Order | 'amount' | 'amount-reverse') => {
    const { rows } = await listPayments(world.db, people.manager.actor, order ? { order } : {})
    return rows.map(({ id }) => made.indexOf(id)).filter((n) => n >= 0)
  }
  expect(await listed(undefined)).toEqual([2, 1, 0])
  expect(await listed('reverse')).toEqual([0, 1, 2])
  expect(await listed('amount')).toEqual([1, 0, 2])
  expect(await listed('amount-reverse')).toEqual([2, 0, 1])
})

test('a header leads to its order, then turns it round, and back to the list’s own', () => {
  const own = (order?: string) => sortedBy({ state: 'paid', ...(order && { order }) }, 'descending')
  const by = (order?: string) => sortedBy({ state: 'paid', ...(order && { order }) }, 'descending', 'amount')
  expect(own()).toEqual({ now: 'descending', to: '?state=paid&order=reverse' })
  expect(own('reverse')).toEqual({ now: 'ascending', to: '?state=paid' })
  expect(own('amount')).toEqual({ now: undefined, to: '?state=paid' })
  expect(by()).toEqual({ now: undefined, to: '?state=paid&order=amount' })
  expect(by('amount')).toEqual({ now: 'descending', to: '?state=paid&order=amount-reverse' })
  expect(by('amount-reverse')).toEqual({ now: 'ascending', to: '?state=paid&order=amount' })
  expect(sortedBy({ order: 'reverse' }, 'ascending').to).toBe('?')
})
