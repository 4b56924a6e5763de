import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { CaseFilters } from '../../src/domain/cfe/case.ts'
import type { ProjectFilters } from '../../src/domain/projects/pipeline.ts'
import { type QuoteFilters, quoteFiltersFor } from '../../src/domain/quotes/quote.ts'
import { listAgencies } from '../../src/server/agencies/agency-queries.ts'
import { listCases } from '../../src/server/cfe/queries.ts'
import { listPayments } from '../../src/server/payments/queries.ts'
import { cfeCases } from '../../src/server/platform/database/schema/cfe.ts'
import { quotes } from '../../src/server/platform/database/schema/payments.ts'
import { projectStandings } from '../../src/server/platform/database/schema/projects.ts'
import { listProjects } from '../../src/server/projects/queries.ts'
import { listPriced } from '../../src/server/quotes/list.ts'
import { usersPage } from '../../src/server/users/queries.ts'
import { sortedBy } from '../../src/web/lib/lists.tsx'
import { storeCode, storeTie } from '../kit/agencies.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { owing } from '../kit/payments.ts'
import { storeDraft, visited } from '../kit/quotes.ts'

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

test('quotes are listed by when they were sent, what was not sent last, or by what they come to, by those alone who read it', async () => {
  const made: string[] = []
  for (const [days, lowest, accepted] of [
    [2, 300_00, 100_00],
    [3, 200_00, null],
    [1, 400_00, null],
    [null, 250_00, null],
  ] as const) {
    const who = await world.person()
    const visit = await visited(world, who, people.technician, await world.home(who))
    const { id } = await storeDraft(world, visit, people.analyst)
    made.push(id)
    const sentAt = days && new Date(Date.now() - days * 24 * 3_600_000)
    // What was sent later ends sooner.
    const validUntil = days && new Date(Date.now() + days * 24 * 3_600_000)
    await world.db
      .update(quotes)
      .set({ lowestTotal: lowest, acceptedTotal: accepted, ...(sentAt && { sentAt, validUntil }) })
      .where(eq(quotes.id, id))
  }
  const listed = async (order: QuoteFilters['order']) => {
    const { rows } = await listPriced(world.db, people.manager.actor, order ? { order } : {})
    return rows.map(({ id }) => made.indexOf(id)).filter((n) => n >= 0)
  }
  expect(await listed('sent')).toEqual([2, 0, 1, 3])
  expect(await listed('sent-reverse')).toEqual([3, 1, 0, 2])
  expect(await listed('end')).toEqual([2, 0, 1, 3])
  expect(await listed('end-reverse')).toEqual([3, 1, 0, 2])
  expect(await listed('worth')).toEqual([2, 3, 1, 0])
  expect(await listed('worth-reverse')).toEqual([0, 1, 3, 2])
  for (const reading of ['scope', 'state'] as const) {
    expect(quoteFiltersFor(reading, { order: 'worth-reverse' })).toEqual({})
    expect(quoteFiltersFor(reading, { order: 'sent' })).toEqual({ order: 'sent' })
  }
})

test('customers are listed by who waits longest, what waits for nobody last, by their last movement, or by when they came', async () => {
  const made: string[] = []
  for (const [turn, days] of [
    ['customer', 1],
    ['none', 9],
    ['analyst', 5],
    ['customer', null],
  ] as const) {
    const { projectId } = await world.home(await world.person())
    made.push(projectId)
    const since = days && new Date(Date.now() - days * 24 * 3_600_000)
    await world.db.execute(sql`delete from stage_checks`)
    await world.db
      .update(projectStandings)
      .set({ waitingOn: turn, since })
      .where(eq(projectStandings.projectId, projectId))
  }
  const listed = async (order?: ProjectFilters['order']) => {
    const asked = order ? { order } : {}
    const { rows } = await listProjects(world.db, people.manager.actor, asked, new Date())
    return rows.map(({ id }) => made.indexOf(id)).filter((n) => n >= 0)
  }
  expect(await listed()).toEqual([2, 0, 3, 1])
  expect(await listed('reverse')).toEqual([1, 3, 0, 2])
  expect(await listed('moved')).toEqual([0, 2, 1, 3])
  expect(await listed('moved-reverse')).toEqual([3, 1, 2, 0])
  expect(await listed('created')).toEqual([3, 2, 1, 0])
  expect(await listed('created-reverse')).toEqual([0, 1, 2, 3])
})

test('cases are listed by their day, or by how long somebody has had the turn, either way', async () => {
  const made: string[] = []
  for (const [due, hours] of [
    ['2031-03-01', 5],
    ['2031-03-03', 50],
    ['2031-03-02', 20],
  ] as const) {
    const { projectId, customerId } = await visited(world, await world.person(), people.technician)
    const waitingSince = new Date(Date.now() - hours * 3_600_000)
    const values = {
      folio: `T-${hours}`,
      kind: 'second_meter',
      projectId,
      customerId,
      dueOn: due,
      waitingSince,
    } as const
    made.push((await world.db.insert(cfeCases).values(values).returning())[0]!.id)
  }
  const listed = async (order?: CaseFilters['order']) => {
    const { rows } = await listCases(world.db, people.manager.actor, order ? { order } : {})
    return rows.map(({ id }) => made.indexOf(id)).filter((n) => n >= 0)
  }
  expect(await listed()).toEqual([0, 2, 1])
  expect(await listed('reverse')).toEqual([1, 2, 0])
  expect(await listed('wait')).toEqual([1, 2, 0])
  expect(await listed('wait-reverse')).toEqual([0, 2, 1])
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
