import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/platform/database/client.ts'
import { migrate, migrations } from '../../src/platform/database/migrate.ts'
import { freshDatabase, leave } from '../kit/fresh-database.ts'
import { statementsOf, unsafe } from './migration-rules.ts'

/** The last one of the first release that runs in more than one process. */
const released = '0008_allies.sql'

test('every migration since the release is safe while the version before it still runs', () => {
  const since = migrations.filter(({ name }) => name > released)
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

async function freezeNow() {
  const { rows } = await db.$client.query(`select prosrc from pg_proc where proname = 'bank_lines_freeze'`)
  return rows[0].prosrc as string
}
const bodyIn = (text: string) => text.split('function bank_lines_freeze()')[1]!.split('$$')[1]

/** A database as the version of before hashes made it, up to 0015. */
async function madeBefore(textOf0015: string) {
  await db.$client.query(`drop schema public cascade; create schema public; drop schema if exists pgboss cascade;
    create table migrations (name text primary key, applied_at timestamptz not null default now())`)
  for (const { name, text } of migrations.filter(({ name }) => name < '0016')) {
    await db.$client.query(name === forgetting ? textOf0015 : text)
    await db.$client.query('insert into migrations (name) values ($1)', [name])
  }
}

const forgetting = '0015_forgetting.sql'
const second = migrations.find(({ name }) => name === forgetting)!
const mending = migrations.find(({ name }) => name === '0016_same_freeze.sql')!
/** The last text of the trigger that 0016 gave to all of them. */
const latest = migrations.findLast(({ text }) => text.includes('function bank_lines_freeze'))!
/** It was merged without its end, which another commit added to it. */
const first = second.text.split('-- As before, but what the bank')[0]!

test.each([
  ['first', first],
  ['second', second.text],
])(
  'a database made with the %s text of 0015 becomes the same, and its hashes are kept',
  async (_which, text) => {
    await madeBefore(text)
    if (text === first) expect(await freezeNow()).not.toBe(bodyIn(second.text))
    await db.$client.query(mending.text)
    expect(await freezeNow()).toBe(bodyIn(second.text))
    expect((await migrate(db))[0]).toBe(mending.name)
    expect(await freezeNow()).toBe(bodyIn(latest.text))
    const { rows } = await db.$client.query('select name, hash from migrations order by name')
    expect(rows).toEqual(migrations.map(({ hash, name }) => ({ name, hash })))
    expect(await migrate(db)).toEqual([])
  },
)

test('a migration that was applied with another text stops the start with one line, and nothing is applied', async () => {
  await madeBefore(second.text)
  await db.$client.query(`alter table migrations add column hash text`)
  await db.$client.query(`update migrations set hash = repeat('0', 64) where name = $1`, [forgetting])
  await expect(migrate(db)).rejects.toThrow(
    /^This database was made with another text of 0015_forgetting\.sql: .+$/,
  )
  expect((await db.$client.query('select from migrations')).rowCount).toBe(15)
})
