import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { blockDue } from '../../../src/server/accounts/deletion.ts'
import { customerMerges, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { jobsDb as db, openJobsDbOnce, openOnce, people, world } from '../../kit/open.ts'
import { secret } from '../../kit/people.ts'
import { readable, rowIn } from '../../kit/reading.ts'
import { memberOf } from '../own.ts'

openOnce()
openJobsDbOnce()

test('the data of an account that was merged are read by its owner, and erased with the one that stands', async () => {
  const kept = await memberOf(world)
  const other = await memberOf(world, { name: 'Xochitlalpan', lastname: 'Irrepetible', phone: '5598761234' })
  const ids = { keptId: kept.id, endedId: other.id }
  const form = { intent: 'merge', ...ids, nameOf: 'ended', phoneOf: 'ended', confirmed: 'on' }
  expect((await world.post(`/admin/users/${kept.id}/cliente/unir`, form, people.manager)).status).toBe(303)
  const read = readable(await world.visit('/cuenta?datos', kept))
  for (const words of ['Cuentas tuyas que unimos con esta', other.email]) expect(read).toContain(words)

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
