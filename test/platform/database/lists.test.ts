import { randomUUID } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../src/server/platform/database/client.ts'
import { keyset, listPage } from '../../../src/server/platform/database/lists.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { freshDatabase, leave } from '../../kit/fresh-database.ts'

let db: Db
beforeAll(async () => {
  db = await freshDatabase(2)
  await db.insert(users).values(Array.from({ length: 6 }, (_, n) => ({ email: `${n}@ejemplo.mx` })))
})
afterAll(() => leave(db))

const read = (order: ReturnType<typeof keyset>) => (place: SQL | undefined, limit: number) =>
  db
    .select({ id: users.id, at: users.signedUpAt })
    .from(users)
    .where(place)
    .orderBy(...order.orderBy)
    .limit(limit)

test('a cursor that is no id is ignored; behind one of nobody, or of a row it may not name, is nothing', async () => {
  const order = keyset(users, {
    direction: 'asc',
    key: (of) => [of.id],
    id: users.id,
    within: (last) => eq(last.role, sql`'staff'`),
  })
  const { rows } = await listPage(read(order), order, 'x', 5)
  expect(rows).toHaveLength(5)
  for (const cursor of [randomUUID(), rows[0]!.id])
    expect((await listPage(read(order), order, cursor)).rows).toEqual([])
})

test.each([
  ['Ana', 'Peña', 'Ana Peña'],
  ['Ana', null, 'Ana'],
  [null, 'Peña', 'Peña'],
  [null, null, ''],
])('the full name of %s and %s is "%s"', async (name, lastname, fullName) => {
  const [user] = await db
    .insert(users)
    .values({ email: `${randomUUID()}@ejemplo.mx`, name, lastname })
    .returning({ fullName: users.fullName })
  expect(user).toEqual({ fullName })
})
