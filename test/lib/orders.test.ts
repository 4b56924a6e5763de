import { eq } from 'drizzle-orm'
import { listAgencies } from '../../src/agencies/agency-queries.ts'
import { listCases } from '../../src/cfe/queries.ts'
import { listProjects } from '../../src/customers/queries.ts'
import { sortedBy } from '../../src/kit/list/list-body.tsx'
import { listPayments } from '../../src/payments/queries.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { projectStandings } from '../../src/platform/database/schema/projects.ts'
import { listPriced } from '../../src/quotes/list.ts'
import { quoteFiltersFor } from '../../src/quotes/rules/quote.ts'
import { usersPage } from '../../src/users/queries.ts'
import { storeCode, storeTie } from '../kit/agencies.ts'
import {
  ago,
  ally,
  analyst,
  db,
  fixture,
  manager,
  newHome,
  newPerson,
  openOnce,
  runSql,
  sendJobsOnce,
  setRow,
  technician,
} from '../kit/open.ts'
import { owing } from '../kit/payments.ts'
import type { Person } from '../kit/people.ts'
import { storeDraft, visited } from '../kit/quotes.ts'
import { insertIn } from '../kit/reading.ts'

openOnce()
sendJobsOnce()

type Order = string | undefined
type List = (filters: object) => Promise<{ rows: { id: string }[] }>
/** Where some rows stand among what a list shows in an order. */
const orderOf = (made: readonly string[], list: List) => async (order: Order) => {
  const { rows } = await list(order ? { order } : {})
  return rows.map(({ id }) => made.indexOf(id)).filter((n) => n >= 0)
}
/** Makes one row after the other, and answers their ids. */
const inTurn = <Input>(inputs: readonly Input[], make: (input: Input) => Promise<string>) =>
  Array.fromAsync(inputs, (input) => make(input))
const daysAgo = (days: number) => ago(days * 24 * 3_600_000)

// That an order turned round is the same backwards: test/lib/lists.test.ts.
test('lists people by name or by when they came', async () => {
  for (const [name, days] of [
    ['Zoé', 3],
    ['Abel', 1],
    ['Memo', 2],
  ] as const) {
    const { id } = await newPerson({ name, lastname: 'Ordenado' })
    await setRow(users, id, { createdAt: daysAgo(-days) })
  }
  // Found by words or not: the two are ordered by other means.
  for (const text of ['ordenado', '']) {
    const listed = async (order?: 'created') => {
      const { rows } = await usersPage(db, manager.actor, { text, ...(order && { order }) }, undefined)
      return rows.filter(({ lastname }) => lastname === 'Ordenado').map(({ name }) => name)
    }
    expect(await listed()).toEqual(['Abel', 'Memo', 'Zoé'])
    expect(await listed('created')).toEqual(['Zoé', 'Memo', 'Abel'])
  }
})

test('lists dealerships by their clients for those alone who read them', async () => {
  const { id: empty } = await fixture.agency()
  await storeTie(await newPerson(), await storeCode(ally))
  const listed = ({ actor }: Person) =>
    orderOf([empty, ally.agencyId!], (asked) => listAgencies(db, actor, asked))
  expect(await listed(manager)('clients')).toEqual([1, 0])
  expect(await listed(manager)('clients-reverse')).toEqual([0, 1])
  expect(await listed(technician)('clients')).toEqual(await listed(technician)(undefined))
  const { rows } = await listAgencies(db, technician.actor, {})
  expect(rows.every(({ clients }) => clients === null)).toBe(true)
})

test('lists payments by day or by amount', async () => {
  const made = await inTurn([200, 300, 100], async (amount) => {
    const { id } = (await owing()).demand
    await setRow(payments, id, { amount })
    return id
  })
  const listed = orderOf(made, (asked) => listPayments(db, manager.actor, asked, new Date()))
  expect(await listed(undefined)).toEqual([2, 1, 0])
  expect(await listed('amount')).toEqual([1, 0, 2])
})

test('lists quotes by when they were sent or end, unsent ones last, or by what they come to', async () => {
  const offers = [
    { days: 2, lowestTotal: 300_00, acceptedTotal: 100_00 },
    { days: 3, lowestTotal: 200_00 },
    { days: 1, lowestTotal: 400_00 },
    { lowestTotal: 250_00 },
  ]
  const made = await inTurn(offers, async ({ days, ...totals }) => {
    const visit = await visited(await newPerson(), technician)
    // What was sent later ends sooner.
    const sent = days && { sentAt: daysAgo(days), validUntil: daysAgo(-days) }
    const { id } = await storeDraft(fixture, visit, analyst)
    await setRow(quotes, id, { ...totals, ...sent })
    return id
  })
  const listed = orderOf(made, (asked) => listPriced(db, manager.actor, asked))
  for (const order of ['sent', 'end']) {
    expect(await listed(order)).toEqual([2, 0, 1, 3])
    expect(await listed(`${order}-reverse`)).toEqual([3, 1, 0, 2])
  }
  expect(await listed('worth')).toEqual([2, 3, 1, 0])
  // Only for those who read it.
  for (const reading of ['scope', 'state'] as const) {
    expect(quoteFiltersFor(reading, { order: 'worth-reverse' })).toEqual({})
    expect(quoteFiltersFor(reading, { order: 'sent' })).toEqual({ order: 'sent' })
  }
})

test('lists customers by who waits longest, those whom nobody waits for last, or by when they moved or came', async () => {
  const turns = [
    { waitingOn: 'customer', days: 1 },
    { waitingOn: 'none', days: 9 },
    { waitingOn: 'analyst', days: 5 },
    { waitingOn: 'customer', days: null },
  ] as const
  const made = await inTurn(turns, async ({ days, waitingOn }) => {
    const { projectId } = await newHome(await newPerson())
    await runSql`delete from stage_checks`
    await db
      .update(projectStandings)
      .set({ waitingOn, since: days && daysAgo(days) })
      .where(eq(projectStandings.projectId, projectId))
    return projectId
  })
  const listed = orderOf(made, (asked) => listProjects(db, manager.actor, asked, new Date()))
  expect(await listed(undefined)).toEqual([2, 0, 3, 1])
  expect(await listed('reverse')).toEqual([1, 3, 0, 2])
  expect(await listed('moved')).toEqual([0, 2, 1, 3])
  expect(await listed('moved-reverse')).toEqual([3, 1, 2, 0])
  expect(await listed('created')).toEqual([3, 2, 1, 0])
})

test('lists cases by their day, or by how long somebody has had the turn', async () => {
  const made = await inTurn([1, 3, 2], async (days) => {
    const customer = await newPerson()
    const row = await insertIn(fixture, cfeCases, {
      folio: `T-${days}`,
      kind: 'second_meter',
      projectId: (await newHome(customer)).projectId,
      customerId: customer.id,
      dueOn: `2031-03-0${days}`,
      waitingSince: daysAgo(days),
    })
    return row.id
  })
  const listed = orderOf(made, (asked) => listCases(db, manager.actor, asked))
  expect(await listed(undefined)).toEqual([0, 2, 1])
  expect(await listed('wait')).toEqual([1, 2, 0])
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
