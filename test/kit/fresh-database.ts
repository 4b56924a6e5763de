import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { loadDemo } from '../../seeds/world.ts'
// Commands that tests call run what follows them.
import '../../src/app/follows.ts'
import { type Db, databaseOver, openDatabase } from '../../src/platform/database/client.ts'
import { count } from './count.ts'

/** A database of its own with the whole schema and no rows; `leave` it, or it stays until the server ends with the run. */
export const freshDatabase = (connections = 8): Promise<Db> => copyOf('template_carga', connections)

async function copyOf(template: string, connections = 8): Promise<Db> {
  count('databases')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await ask([`create database ${database} template ${template} strategy file_copy`])
  return openDatabase({ ...inject('postgres'), database }, connections)
}

/** Rows of the migrations, which `emptied` keeps, or restores where tests change them. */
const kept = [
  'public.migrations',
  'public.roster_version',
  'public.catalogue_items',
  'pgboss.queue',
  'pgboss.version',
]
const catalogueRows = `select json_agg(c order by c.id)::text as rows from catalogue_items c`

/** The catalogue as the migrations wrote it: all databases are copies of one. */
let catalogue: string | undefined

/**
 * The database of `freshDatabase` without the rows that tests wrote, over the same connections. It is another object: what a
 * process remembers of a database, it remembers by that.
 */
export async function emptied(db: Db): Promise<Db> {
  // A table that had rows has a size until it is vacuumed, which no one does here.
  const { rows } = await db.$client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'pgboss') and not (schemaname || '.' || tablename = any ($1::text[]))
       and pg_relation_size(format('%I.%I', schemaname, tablename)) > 0`,
    [kept],
  )
  const found = await db.$client.query<{ rows: string }>(catalogueRows)
  catalogue ??= found.rows[0]!.rows
  const isChanged = found.rows[0]!.rows !== catalogue
  const restored = isChanged
    ? `delete from catalogue_items; insert into catalogue_items
         select * from json_populate_recordset(null::catalogue_items, ${pg.escapeLiteral(catalogue)});`
    : ''
  // Neither triggers nor foreign keys: rows go in any order, and those that may not be deleted go too.
  if (rows.length > 0 || isChanged)
    await db.$client.query(`begin; set local session_replication_role = replica; set local lock_timeout = '10s';
      ${rows.map(({ name }) => `delete from ${name};`).join('')} ${restored}
      update roster_version set version = version + 1; commit`)
  return databaseOver(new Proxy(db.$client, {}))
}

/** A copy of the demo fixture as it is at a moment, by default the start of the run: one worker loads it for all of them. */
export async function demoDatabase(now = new Date(inject('started'))): Promise<Db> {
  const name = `demo_${now.getTime()}`
  await connected(async (client) => {
    // The lock falls with the connection; the others wait for the one that loads.
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const known = await client.query('select from pg_database where datname = $1', [name])
    if (known.rowCount) return
    const db = await freshDatabase(4)
    await loadDemo(db, now)
    await db.$client.end()
    await client.query(`alter database ${db.$client.options.database} rename to ${name}`)
  })
  return copyOf(name)
}

const left: string[] = []
/** The server puts everything in order before it drops one: for so many at a time that is done once. */
const atOnce = 50

/** Closes it. Thirteen megabytes each, and a thousand of them: they are dropped now and then. */
export async function leave(db: Db): Promise<void> {
  await db.$client.end()
  left.push(db.$client.options.database!)
  if (left.length < atOnce) return
  await ask(left.splice(0).map((name) => `drop database ${name} with (force)`))
}

const ask = (statements: readonly string[]) =>
  connected(async (client) => {
    for (const statement of statements) await client.query(statement)
  })

async function connected(run: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
