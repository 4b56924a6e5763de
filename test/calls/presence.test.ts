import { livingSessions } from '../../src/accounts/session.ts'
import { notePresence } from '../../src/calls/socket.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { presence } from '../../src/platform/database/schema/appointments.ts'
import { openStreams, type Streams } from '../../src/platform/live/streams.ts'
import { freshDatabase } from '../kit/fresh-database.ts'
import { insertPerson } from '../kit/people.ts'

let db: Db
let streams: Streams
beforeAll(async () => {
  db = await freshDatabase()
  streams = openStreams(db, livingSessions)
})
afterAll(async () => {
  await streams.stop()
  await db.$client.end()
})

test('notes only analysts with a screen open, again and again', async () => {
  const analyst = await insertPerson(db, { kind: 'analyst' })
  await insertPerson(db, { kind: 'analyst' })
  const others = [await insertPerson(db), await insertPerson(db, { kind: 'manager' })]
  for (const { actor, id } of [analyst, analyst, ...others]) streams.open({ actor, sessionId: id })
  const stop = notePresence(db, streams, 20)
  const noted = () => db.select().from(presence)
  await expect.poll(noted).toMatchObject([{ userId: analyst.id }])
  await db.update(presence).set({ seenAt: new Date(0) })
  await expect.poll(async () => (await noted())[0]!.seenAt.getTime()).toBeGreaterThan(0)
  stop()
})
