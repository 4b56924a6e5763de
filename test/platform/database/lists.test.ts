import { randomUUID } from 'node:crypto'
import { eq, like, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../src/platform/database/client.ts'
import { countRows, eachRow, keyset, listPage } from '../../../src/platform/database/lists.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { countWords } from '../../../src/shared/count.ts'
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

test('a list counts as far as ten thousand, as a thousand where words are looked for, and says that there are more', async () => {
  const own = () => db.select(eachRow).from(users).where(like(users.email, '%@muchos.mx'))
  const add = (from: number, to: number) =>
    db.execute(
      sql`insert into users (email) select n || '@muchos.mx' from generate_series(${from}::int, ${to}) n`,
    )
  expect(countWords(await countRows(db, own()))).toBe('0')
  await add(1, 3047)
  expect(countWords(await countRows(db, own()))).toBe('3,047')
  expect(countWords(await countRows(db, own(), 'muchos'))).toBe('más de 1,000')
  await add(3048, 10_000)
  expect(countWords(await countRows(db, own()))).toBe('10,000')
  await add(10_001, 10_001)
  expect(countWords(await countRows(db, own()))).toBe('más de 10,000')
})

test('a limit stands in the text of a statement, where the planner sees it', () => {
  const { sql: text, params } = db
    .select(eachRow)
    .from(users)
    .where(like(users.email, 'a%'))
    .limit(51)
    .toSQL()
  expect(text).toMatch(/ limit 51$/)
  expect(params).toEqual(['a%'])
})
