import { getConstructionPlans } from 'pg-boss'
import { type Db, directPool, isBehindPooler } from './database.ts'
import { settleRole } from './pooling.ts'

const files = import.meta.glob<string>('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The numbered SQL files in their order, by name. */
export const migrations = Object.entries(files)
  .map(([path, text]) => ({ name: path.replace(/^.*\//, ''), text }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** Any constant: two processes that start at once take the same lock. */
const lockKey = 726_001

/** Brings the schema up to date, the jobs' schema too. Each file is one transaction; a second process waits and finds nothing to do. */
export async function migrate(db: Db): Promise<string[]> {
  const client = await directPool(db).connect()
  const applied: string[] = []
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [lockKey])
    if (isBehindPooler(db)) await settleRole(client)
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const done = new Set(
      (await client.query<{ name: string }>('select name from migrations')).rows.map((row) => row.name),
    )
    for (const { name, text } of migrations.filter((file) => !done.has(file.name))) {
      await client.query('begin')
      await client.query(text)
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
      applied.push(name)
    }
    const jobs = await client.query("select 1 from pg_namespace where nspname = 'pgboss'")
    if (jobs.rowCount === 0) await client.query(getConstructionPlans('pgboss'))
    return applied
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    // Closing the connection releases the lock, whatever happened.
    client.release(true)
  }
}

/** Migrations this version needs and the database does not have. */
export async function missingMigrations(db: Db): Promise<string[]> {
  const rows = (await db.$client.query<{ name: string }>('select name from migrations')).rows
  const done = new Set(rows.map((row) => row.name))
  return migrations.map((file) => file.name).filter((name) => !done.has(name))
}
