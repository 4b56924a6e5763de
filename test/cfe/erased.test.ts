import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blockDue } from '../../src/server/accounts/deletion.ts'
import { caseFor } from '../../src/server/cfe/queries.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { documents } from '../../src/server/platform/database/schema/payments.ts'
import { agreed, caseOf, handIn, openedBy, paperWords } from '../kit/cfe.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { secret } from '../kit/people.ts'
import { rowsIn, setIn } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

const now = new Date()

test('erases the papers and numbers of a case with the account, and shows what is left to managers only', async () => {
  const { analyst, gester, manager, technician } = people
  const customer = await world.person({ name: 'Camila' })
  const answers = { loadIncrease: true, cfeServiceNumber: '123456789012' }
  await agreed(world, { customer, technician, maker: analyst }, answers)
  const one = await openedBy(world)
  await handIn(world, customer, one, 'official_id')
  expect(one.serviceNumber).toBe('123456789012')
  await world.db.execute(sql`update appointments set state = 'cancelled', finished_at = null, outcome = null,
    started_at = null where customer_id = ${customer.id}`)
  await world.db.execute(sql`update addresses set archived_at = now() where project_id = ${one.projectId}`)
  await setIn(world, users, customer, { deletionRequestedAt: new Date('2020-01-01') })
  await blockDue(world.db, secret, now)
  expect(await paperWords(world, one)).toEqual([])
  expect(await caseOf(world, one)).toMatchObject({
    serviceNumber: null,
    state: 'cancelled',
    waitingOn: 'none',
    dueOn: null,
    closedAt: now,
  })
  const seen = async (by: typeof gester) => (await caseFor(world.db, by.actor, one.id)) !== null
  expect([await seen(gester), await seen(analyst), await seen(manager)]).toEqual([false, false, true])
  expect(await rowsIn(world, documents, { customerId: customer.id })).toEqual([])
})
