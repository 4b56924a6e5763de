import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../src/server/database/database.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a connection lost between two queries of a transaction fails that change, and nothing else', async () => {
  const change = transaction(world.db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await world.db.execute(sql`select pg_terminate_backend(${rows[0]?.pid}::int)`)
    await sleep(200)
    await tx.execute(sql`select 1`)
  })
  await expect(change).rejects.toThrow()
  expect((await world.db.execute(sql`select 1`)).rowCount).toBe(1)
})
