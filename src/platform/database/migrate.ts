import { createHash } from 'node:crypto'
import type pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import type { NoteProgress } from '../telemetry/step.ts'
import { type Db, directPool, isBehindPooler, settleRole } from './client.ts'

const files = import.meta.glob<string>('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The SHA-256 of a migration's text, whatever its line endings. */
const hashOf = (text: string) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

/** The numbered SQL files in their order, by name. */
export const migrations = Object.entries(files)
  .map(([path, text]) => ({ name: path.replace(/^.*\//, ''), text, hash: hashOf(text) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** The files that the baseline replaced, and the last version that has them. */
const replaced = { count: 68, last: '0079_phone_codes.sql', by: '2026-11-30 (commit 7dd339be)' }

/** An arbitrary constant: concurrent processes take the same lock. */
const lockKey = 726_001

/**
 * Migrates the schema, and the jobs' schema. Each file is one transaction; a second process waits and has nothing to do.
 * `tell` hears which files are applied.
 */
export async function migrate(db: Db, tell: NoteProgress = () => undefined): Promise<string[]> {
  const client = await directPool(db).connect()
  const applied: string[] = []
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now(), hash text)',
    )
    const done = await appliedTo(client)
    const isBuilt = hasReplaced(done)
    assertSame(done)
    if (isBehindPooler(db)) await settleRole(client)
    const jobs = await client.query("select 1 from pg_namespace where nspname = 'pgboss'")
    if (jobs.rowCount === 0) await client.query(getConstructionPlans('pgboss'))
    const missing = migrations.filter((file) => !done.has(file.name))
    for (const { hash, name, text } of missing) {
      tell(`${done.size + applied.length} of ${done.size + missing.length}`)
      await client.query('begin')
      // The files that the baseline replaced made the same schema.
      if (!isBuilt || name > replaced.last) await client.query(text)
      await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
      await client.query('commit')
      applied.push(name)
    }
    return applied
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    // Closing the connection releases the lock.
    client.release(true)
  }
}

/** The hashes of the applied migrations by name; null in databases from before there were hashes. */
type Applied = ReadonlyMap<string, string | null>

async function appliedTo(client: pg.PoolClient): Promise<Applied> {
  const { rows } = await client.query<{ name: string; hash: string | null }>(
    `select name, to_jsonb(migrations) ->> 'hash' as hash from migrations`,
  )
  return new Map(rows.map(({ hash, name }) => [name, hash]))
}

/** Whether the files that the baseline replaced made the database; refuses one that lacks some of them. */
function hasReplaced(done: Applied): boolean {
  const old = [...done.keys()].filter(
    (name) => name <= replaced.last && !migrations.some((own) => own.name === name),
  )
  if (old.length === 0) return false
  if (old.length >= replaced.count && old.includes(replaced.last)) return true
  throw new Error(
    `This database is too old for this version: start the version of ${replaced.by} with it once, then this one`,
  )
}

/** Refuses migrations that were applied with another text: the schema would not fit this version. */
function assertSame(done: Applied) {
  const changed = migrations.filter(({ hash, name }) => done.has(name) && done.get(name) !== hash)
  if (changed.length === 0) return
  const names = changed.map(({ name }) => name).join(', ')
  throw new Error(
    `This database was made with another text of ${names}: use the version of the program that made it; changes belong in a new migration`,
  )
}

/** The migrations that the database lacks. */
export async function missingMigrations(db: Db): Promise<string[]> {
  const rows = (await db.$client.query<{ name: string }>('select name from migrations')).rows
  const done = new Set(rows.map((row) => row.name))
  return migrations.map((file) => file.name).filter((name) => !done.has(name))
}
