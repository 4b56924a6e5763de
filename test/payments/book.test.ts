import { expect, test } from 'vitest'
import { listPayments } from '../../src/server/payments/queries.ts'
import { payments } from '../../src/server/platform/database/schema/payments.ts'
import { openOnce, people, world } from '../kit/open.ts'

openOnce({ MODULES: 'payments' })

/** Asked for at some moment, by what the database says of it. */
async function askedFor(...moments: string[]) {
  const customer = await world.person()
  const { projectId } = await world.home(customer)
  const row = { projectId, customerId: customer.id, concept: 'extra_work', amount: 100_00 } as const
  await world.db
    .insert(payments)
    .values(moments.map((moment) => ({ ...row, folio: `PAG-${moment}`, createdAt: new Date(moment) })))
}

const years = async (who = people.manager) => (await listPayments(world.db, who.actor, {})).years
const rowsIn = async (year: string) => (await listPayments(world.db, people.manager.actor, { year })).rows

test('the ledger offers the years by local dates, and none to a technician', async () => {
  expect(await years()).toEqual([])
  // In UTC it is 2027 by then; the evening of the last day of 2026 here.
  await askedFor('2027-01-01T01:00:00Z')
  expect(await years()).toEqual([])
  expect(await rowsIn('2026')).toHaveLength(1)
  await askedFor('2027-01-01T06:00:00Z', '2024-01-01T05:59:59Z')
  expect(await years()).toEqual([2023, 2027])
  for (const year of ['2023', '2026', '2027']) expect(await rowsIn(year)).toHaveLength(1)
  expect(await years(people.technician)).toEqual([])
})
