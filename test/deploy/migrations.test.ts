import type { Db } from '../../src/platform/database/client.ts'
import { migrate, migrations, missingMigrations } from '../../src/platform/database/migrate.ts'
import { freshDatabase, leave } from '../kit/fresh-database.ts'
import { statementsOf, unsafe } from './migration-rules.ts'

/** The last one that the baseline replaced. */
const last = '0079_phone_codes.sql'

test('every migration since the baseline is safe while the version before it still runs', () => {
  const since = migrations.filter(({ name }) => name > last)
  expect(since.flatMap(({ name, text }) => unsafe(text).map((why) => `${name}: ${why}`))).toEqual([])
})

test.each([
  ['drop table notes', 'may still be used'],
  ['alter table users drop column phone', 'may still be used'],
  ['alter table users rename to people', 'old name'],
  ['alter table payments alter column amount type bigint', 'rewritten'],
  ['alter table users alter phone set data type text', 'rewritten'],
  ['alter table users alter column phone set not null', 'rows without'],
  ['alter table users add column code text not null', 'writes no code'],
  ['alter table users add column a text, add column b int not null', 'writes no b'],
  ['alter table users add column code uuid not null default uuidv7()', 'rewritten for code'],
  ['alter table users add column both text generated always as (a || b) stored', 'rewritten for both'],
  ['alter table users add constraint users_code check (code > 0)', 'looked through'],
  ['alter table users add constraint users_code unique (code)', 'may refuse'],
  ['alter table users drop constraint users_code', 'have words'],
  ['create index users_code on users (code)', 'writers wait'],
  ["update users set code = 'drop table'", 'rows are held'],
  ['truncate users', 'still need'],
])('the rules refuse: %s', (text, why) => expect(unsafe(`${text};`)).toEqual([expect.stringContaining(why)]))

test.each([
  'create table notes (id uuid primary key, text text not null)',
  'create table notes (id int); create unique index notes_once on notes (id); alter table notes add constraint n check (id > 0)',
  'alter table users add column code text',
  "alter table users add column code text not null default ''",
  'alter table users add column both text generated always as (a || b) virtual',
  'alter table users add column code int references codes, add column at timestamptz not null default now()',
  'alter table users add constraint users_code check (code > 0) not valid; alter table users validate constraint users_code',
  'create index concurrently users_code on users (code)',
  '-- Few rows: a moment.\ncreate index users_code on users (code)',
  '-- One kind more.\nalter table users drop constraint k;\nalter table users add constraint k check (kind in (1, 2))',
  "comment on table users is 'drop table; rename'",
  'create function f() returns void language sql as $$ delete from notes; drop table notes $$',
  'alter table users alter column code drop not null',
])('the rules accept: %s', (text) => expect(unsafe(`${text};`)).toEqual([]))

test('a comment explains the statement right below it, and no other', () => {
  const file = `-- why\ncreate index a on users (a);\ncreate index b on users (b); /* why */ select ';';`
  expect(statementsOf(file).map(({ explained }) => explained)).toEqual([true, false, true])
})

let db: Db
beforeAll(async () => {
  db = await freshDatabase(2)
})
afterAll(() => leave(db))

const all = [...Array.from({ length: 67 }, (_, n) => `${String(n + 1).padStart(4, '0')}_old.sql`), last]

const journal = async () => (await db.$client.query('select * from migrations order by name')).rows

/** Makes it the journal of a database that ran these files before there was a baseline. */
async function ran(names: readonly string[]) {
  await db.$client.query('delete from migrations where name <= $1', [last])
  await db.$client.query(
    `insert into migrations (name, hash) select name, repeat('a', 64) from unnest($1::text[]) name`,
    [names],
  )
}

test('a database that ran all files that the baseline replaced starts, and its journal has the baseline', async () => {
  await ran(all)
  const catalogue = 'select id, version from catalogue_items order by id'
  const before = (await db.$client.query(catalogue)).rows
  expect(await migrate(db)).toEqual(['0079_baseline.sql'])
  expect((await db.$client.query(catalogue)).rows).toEqual(before)
  expect(await missingMigrations(db)).toEqual([])
  expect(await migrate(db)).toEqual([])
})

test('a migration that was applied with another text stops the start with one line, and nothing is applied', async () => {
  await empty()
  expect(await migrate(db)).toEqual(migrations.map(({ name }) => name))
  await db.$client.query(`update migrations set hash = repeat('0', 64) where name = '0079_baseline.sql'`)
  const before = await journal()
  await expect(migrate(db)).rejects.toThrow(
    /^This database was made with another text of 0079_baseline\.sql: .+$/,
  )
  expect(await journal()).toEqual(before)
})

test.each([
  ['ends before the last one', all.slice(0, -1)],
  ['lacks another one', all.slice(1)],
  ['has the first one only, without its hash', ['0001_foundation.sql']],
])(
  'refuses a database whose journal %s with one line that names the version to start first, and leaves it as it is',
  async (_which, names) => {
    await empty()
    await db.$client.query(
      'create table migrations (name text primary key, applied_at timestamptz not null default now(), hash text)',
    )
    await ran(names)
    if (names.length === 1) await db.$client.query('alter table migrations drop column hash')
    const before = await journal()
    await expect(migrate(db)).rejects.toThrow(
      /^This database is too old for this version: start the version of \d{4}-\d\d-\d\d \(commit [0-9a-f]{8}\) with it once, then this one$/,
    )
    expect(await journal()).toEqual(before)
    expect((await db.$client.query(`select from pg_namespace where nspname = 'pgboss'`)).rowCount).toBe(0)
  },
)

const empty = () =>
  db.$client.query('drop schema public cascade; create schema public; drop schema if exists pgboss cascade')
