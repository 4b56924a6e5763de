import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blockDue } from '../../../src/server/accounts/deletion.ts'
import { customerMerges, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { jobsDb as db, openJobsDbOnce, openOnce, people, world } from '../../kit/open.ts'
import { secret } from '../../kit/people.ts'
import { expectWords, readable, rowIn } from '../../kit/reading.ts'

openOnce()
openJobsDbOnce()

test('shows the data of a merged account to its owner, and erases it with the account that stands', async () => {
  const kept = await world.person()
  const other = await world.person({ name: 'Xochitlalpan', lastname: 'Irrepetible', phone: '5598761234' })
  const ids = { keptId: kept.id, endedId: other.id }
  const form = { intent: 'merge', ...ids, nameOf: 'ended', phoneOf: 'ended', confirmed: 'on' }
  expect((await world.post(`/admin/users/${kept.id}/cliente/unir`, form, people.manager)).status).toBe(303)
  const read = readable(await world.visit('/cuenta?datos', kept))
  expectWords(read, 'Cuentas tuyas que unimos con esta', other.email)

  const asked = { deletionRequestedAt: new Date(Date.now() - 6 * 24 * 60 * 60_000) }
  await world.db.update(users).set(asked).where(eq(users.id, kept.id))
  await blockDue(db, secret, new Date())
  for (const { id } of [kept, other]) {
    const left = await rowIn(world, users, { id })
    expect(left).toMatchObject({ name: null, lastname: null, phone: null, deletedAt: expect.any(Date) })
    expect(left!.email).toContain('@eliminada.invalid')
  }
  expect(await rowIn(world, customerMerges, ids)).toMatchObject({ profile: {} })
})
