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

const worlds = new Map<number, Promise<string>>()

/** A copy of the demo world as it is at a moment, which each worker loads once. */
export async function demoDatabase(now: Date): Promise<Db> {
  const loaded = worlds.get(now.getTime()) ?? loadedAt(now)
  worlds.set(now.getTime(), loaded)
  return copyOf(await loaded, 4)
}

async function loadedAt(now: Date): Promise<string> {
  const db = await freshDatabase(4)
  await loadDemo(db, now)
  await db.$client.end()
  return db.$client.options.database!
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

async function ask(statements: readonly string[]) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
