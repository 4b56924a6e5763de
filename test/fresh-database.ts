import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Db, openDatabase } from '../src/server/database/database.ts'

/** A database of its own with the whole schema and no rows. It is left behind: the server ends with the run. */
export async function freshDatabase(connections = 8): Promise<Db> {
  const server = inject('postgres')
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${database} template template_carga`)
  await client.end()
  return openDatabase({ ...server, database }, connections)
}
