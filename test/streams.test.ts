import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../src/domain/actor.ts'
import type { Db } from '../src/server/database/database.ts'
import { openStreams, type Streams } from '../src/server/live/streams.ts'
import { freshDatabase } from './fresh-database.ts'

const beat = 40
const customer: Actor = {
  id: crypto.randomUUID(),
  email: 'ana@example.mx',
  emailVerified: true,
  name: 'Ana',
  lastname: 'Demo',
  twoFactor: false,
  role: 'customer',
  kind: null,
  agencyId: null,
}

let db: Db
let streams: Streams
beforeAll(async () => {
  db = await freshDatabase()
  streams = openStreams(db, beat)
})
afterAll(async () => {
  await streams.stop()
  await db.$client.end()
})

const readerOf = (answer: Response) => answer.body?.pipeThrough(new TextDecoderStream()).getReader()

test('a stream beats, and ends when its session does', async () => {
  let holds = true
  const reader = readerOf(streams.open(customer, async () => holds))
  expect((await reader?.read())?.value).toBe('retry: 2000\n\n')
  expect((await reader?.read())?.value).toBe(': beat\n\n')
  holds = false
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
    expect(read.value).toBe(': beat\n\n')
})

test('a reader that leaves while its session is being asked for harms nobody', async () => {
  // An error here would be nobody's to catch: it would end the process, and with it this run.
  const leaver = streams.open(customer, () => pause(beat * 2, true))
  const stayer = readerOf(streams.open(customer, async () => true))
  await pause(beat * 1.5)
  await leaver.body?.cancel()
  await pause(beat * 2)
  expect((await stayer?.read())?.value).toContain('retry')
  await stayer?.cancel()
})

test('a session that cannot be asked for ends no stream', async () => {
  const reader = readerOf(streams.open(customer, () => Promise.reject(new Error('no database'))))
  await reader?.read()
  expect((await reader?.read())?.value).toBe(': beat\n\n')
  await reader?.cancel()
})
