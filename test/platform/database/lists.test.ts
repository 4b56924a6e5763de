import { randomUUID } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../src/server/platform/database/client.ts'
import { contains, keyset, listChunks, listPage } from '../../../src/server/platform/database/lists.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { freshDatabase, leave } from '../../kit/fresh-database.ts'

const [count, moments] = [23, 3]
let db: Db
beforeAll(async () => {
  db = await freshDatabase(2)
  await db.insert(users).values(
    Array.from({ length: count }, (_, n) => ({
      email: `${n}@ejemplo.mx`,
      name: n === 0 ? '50 %_\\ Ávila' : null,
      // Several at the very same moment: the place after one of them is exact all the same.
      signedUpAt: new Date(Date.UTC(2026, 0, 1 + (n % moments))),
    })),
  )
})
afterAll(() => leave(db))

const read = (order: ReturnType<typeof keyset>) => (place: SQL | undefined, limit: number) =>
  db
    .select({ id: users.id, at: users.signedUpAt })
    .from(users)
    .where(place)
    .orderBy(...order.orderBy)
    .limit(limit)

test.each(['asc', 'desc'] as const)('pages in %s order meet each row once', async (direction) => {
  const order = keyset(users, { direction, key: (of) => [of.signedUpAt, of.id], id: users.id })
  const all = await read(order)(undefined, 100)
  expect(all.map(({ at }) => at)).toEqual(
    all.map(({ at }) => at).toSorted((a, b) => (direction === 'asc' ? 1 : -1) * (Number(a) - Number(b))),
  )
  const [met, sizes]: [string[], number[]] = [[], []]
  let after: string | undefined
  do {
    const { next, rows } = await listPage(read(order), order, after, 5)
    met.push(...rows.map(({ id }) => id))
    sizes.push(rows.length)
    after = next ?? undefined
  } while (after)
  expect(met).toEqual(all.map(({ id }) => id))
  expect(sizes).toEqual([5, 5, 5, 5, 3])
  const chunks = await Array.fromAsync(listChunks(read(order), order))
  expect(chunks.flat()).toEqual(all)
})

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
  ['%_\\ av', 1],
  ['avila', 1],
  ['a%a', 0],
  ['a_ila', 0],
])('%s is looked for as it stands, without accents', async (word, found) => {
  expect(await db.$count(users, contains(sql`coalesce(${users.name}, '')`, word))).toBe(found)
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
