import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { loadDemo } from '../../seeds/world.ts'
import { type Db, openDatabase } from '../../src/server/platform/database/client.ts'

/** A database of its own with the whole schema and no rows; `leave` it, or it stays until the server ends with the run. */
export const freshDatabase = (connections = 8): Promise<Db> => copyOf('template_carga', connections)

async function copyOf(template: string, connections: number): Promise<Db> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await ask([`create database ${database} template ${template} strategy file_copy`])
  return openDatabase({ ...inject('postgres'), database }, connections)
}

/** A copy of the demo world as it is at a moment, by default the start of the run: one worker loads it for all of them. */
export async function demoDatabase(now = new Date(inject('started'))): Promise<Db> {
  const name = `demo_${now.getTime()}`
  await connected(async (client) => {
    // The lock falls with the connection; the others wait for the one that loads.
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount) return
    const db = await freshDatabase(4)
    await loadDemo(db, now)
    await db.$client.end()
    await client.query(`alter database ${db.$client.options.database} rename to ${name}`)
  })
  return copyOf(name, 4)
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
