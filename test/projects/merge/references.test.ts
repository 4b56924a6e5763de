import { sql } from 'drizzle-orm'
import { moving, staying } from '../../../src/customers/merge-references.ts'
import type { Db } from '../../../src/platform/database/client.ts'
import { freshDatabase, leave } from '../../kit/fresh-database.ts'

// A merge has to know every column that names a customer: one that is new is decided about here, or this fails.

let db: Db
beforeAll(async () => {
  db = await freshDatabase(2)
})
afterAll(() => leave(db))

const { plain, ...referring } = staying
const movingColumns = moving.map(({ column, table }) => `${table}.${column}`)
const read = async (query: ReturnType<typeof sql>) =>
  (await db.execute<{ name: string }>(query)).rows.map(({ name }) => name).sort()

test('every foreign key to a user either moves or stays, for a reason', async () => {
  const found = await read(sql`
    select conrelid::regclass || '.' || attname as name from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'users'::regclass`)
  expect([...movingColumns, ...Object.values(referring).flat()].sort()).toEqual(found)
})

test('as does every column that names a user without one', async () => {
  const found = await read(sql`
    select column_name, table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and udt_name = 'uuid'
      and (column_name ~ '(customer|person|user|actor|owner|author)_id$' or column_name ~ '_by$')
      and not exists (select from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
        where contype = 'f' and confrelid = 'users'::regclass
          and conrelid = format('%I', table_name)::regclass and attname = column_name)`)
  expect([...plain].sort()).toEqual(found)
})

test('a table whose rows move takes no new ones for a merged customer', async () => {
  const guarded = await read(sql`
    select distinct tgrelid::regclass::text as name from pg_trigger where tgname like '%\\_not\\_merged'`)
  // A standing follows its project; a message is sent to active users; the journal's own column is written by a merge.
  const unguarded = ['project_standings', 'whatsapp_messages', 'users']
  expect(guarded).toEqual(
    moving
      .map(({ table }) => table)
      .filter((table) => !unguarded.includes(table))
      .sort(),
  )
})
