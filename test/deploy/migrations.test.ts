import { expect, test } from 'vitest'
import { migrations } from '../../src/server/database/migrate.ts'
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
  ['alter table users drop phone', 'may still be used'],
  ['alter table users rename to people', 'old name'],
  ['alter table users rename column phone to mobile', 'old name'],
  ['alter table payments alter column amount type bigint', 'rewritten'],
  ['alter table users alter phone set data type text', 'rewritten'],
  ['alter table users alter column phone set not null', 'rows without'],
  ['alter table users add column code text not null', 'writes no code'],
  ['alter table users add column a text, add column b int not null', 'writes no b'],
  ['alter table users add column code uuid not null default uuidv7()', 'rewritten for code'],
  ['alter table users add constraint users_code check (code > 0)', 'looked through'],
  ['alter table users add constraint users_code unique (code)', 'may refuse'],
  ['alter table users drop constraint users_code', 'have words'],
  ['create index users_code on users (code)', 'writers wait'],
  ['create unique index users_code on users (code)', 'writers wait'],
  ["update users set code = 'drop table'", 'rows are held'],
  ['truncate users', 'still need'],
  ['delete from users where code is null', 'still need'],
])('%s is refused', (text, why) => {
  expect(unsafe(`${text};`)).toEqual([expect.stringContaining(why)])
})

test.each([
  'create table notes (id uuid primary key, text text not null)',
  'create table notes (id int); create unique index notes_once on notes (id); alter table notes add constraint n check (id > 0)',
  'alter table users add column code text',
  "alter table users add column code text not null default ''",
  'alter table users add column code int references codes, add column at timestamptz not null default now()',
  'alter table users add constraint users_code check (code > 0) not valid; alter table users validate constraint users_code',
  'create index concurrently users_code on users (code)',
  '-- Few rows: a moment.\ncreate index users_code on users (code)',
  '-- One kind more.\nalter table users drop constraint k;\nalter table users add constraint k check (kind in (1, 2))',
  "comment on table users is 'drop table; rename'",
  'create function f() returns void language sql as $$ delete from notes; drop table notes $$',
  'alter table users alter column code drop not null',
])('%s is not', (text) => {
  expect(unsafe(`${text};`)).toEqual([])
})

test('a comment explains the statement right below it, and no other', () => {
  const file = `-- why\ncreate index a on users (a);\ncreate index b on users (b); /* why */ select ';';`
  expect(statementsOf(file).map(({ explained }) => explained)).toEqual([true, false, true])
})
