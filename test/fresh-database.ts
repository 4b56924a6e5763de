import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Db, openDatabase } from '../src/server/database/database.ts'

/** A database of its own with the whole schema and no rows. It is left behind: the server ends with the run. */
export async function freshDatabase(connections = 8): Promise<Db> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await ask(`create database ${database} template template_carga`)
  return openDatabase({ ...inject('postgres'), database }, connections)
}

async function ask(text: string) {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  await client.query(text)
  await client.end()
}
