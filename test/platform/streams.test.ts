import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { livingSessions } from '../../src/accounts/session.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { sessions, users } from '../../src/platform/database/schema/accounts.ts'
import { announce, heardSoFar } from '../../src/platform/live/announcements.ts'
import { openStreams, type Streams } from '../../src/platform/live/streams.ts'
import { freshDatabase } from '../kit/fresh-database.ts'
import { insertPerson, type PersonInput } from '../kit/people.ts'
import { insertIn, setIn } from '../kit/reading.ts'
import { otherSlots } from './live/ear.ts'

const beat = 40

let db: Db
let streams: Streams
beforeAll(async () => {
  db = await freshDatabase()
  streams = openStreams(db, livingSessions, { beat, check: beat, slots: beat })
  // Once it listens, it notifies the open streams, as after a lost connection.
  await vi.waitFor(() => expect(heardSoFar(db)).toBeDefined())
})
afterAll(async () => {
  await streams.stop()
  await db.$client.end()
})

async function screen(input?: PersonInput) {
  const { id, actor } = await insertPerson(db, input)
  const session = { userId: id, token: randomUUID(), expiresAt: new Date(Date.now() + 60_000) }
  const row = await insertIn({ db }, sessions, session)
  const answer = streams.open({ actor, sessionId: row.id })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toBe('retry: 2000\n\n')
  return { userId: id, sessionId: row.id, reader }
}

async function heardUntilItsEnd(reader: ReadableStreamDefaultReader<string>) {
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value
  return text.replaceAll(': beat\n\n', '')
}

const ended = 'event: ended\ndata: session\n\n'

test('a stream beats while its session holds, and says that it ended', async () => {
  const { sessionId, reader } = await screen()
  expect((await reader.read()).value).toBe(': beat\n\n')
  await db.delete(sessions).where(eq(sessions.id, sessionId))
  expect(await heardUntilItsEnd(reader)).toBe(ended)
})

test('it ends with a person who was deactivated, and with a session whose time is over, 30 s early', async () => {
  const inactive = await screen()
  const late = await screen()
  const stays = await screen()
  await setIn({ db }, users, inactive.userId, { active: false })
  await setIn({ db }, sessions, late.sessionId, { expiresAt: new Date(Date.now() + 29_000) })
  expect(await heardUntilItsEnd(inactive.reader)).toBe(ended)
  expect(await heardUntilItsEnd(late.reader)).toBe(ended)
  expect((await stays.reader.read()).value).toBe(': beat\n\n')
  await stays.reader.cancel()
})

test('a reader that leaves harms nobody', async () => {
  const leaver = await screen()
  const stayer = await screen()
  await leaver.reader.cancel()
  await db.delete(sessions).where(eq(sessions.id, leaver.sessionId))
  await pause(beat * 3)
  expect((await stayer.reader.read()).value).toBe(': beat\n\n')
  await stayer.reader.cancel()
})

test('sessions that cannot be asked for end no stream', async () => {
  const open = await screen()
  await db.$client.query('alter table sessions rename to hidden')
  await pause(beat * 3)
  await db.$client.query('alter table hidden rename to sessions')
  expect((await open.reader.read()).value).toContain(': beat')
  await open.reader.cancel()
})

test('a person has so many streams and no more, with however many sessions', async () => {
  const { actor } = await insertPerson(db)
  const open = () => streams.open({ actor, sessionId: randomUUID() })
  const answers = Array.from({ length: 52 }, open)
  expect(answers.map(({ status }) => status)).toEqual([...Array(50).fill(200), 429, 429])
  const other = streams.open({ actor: (await insertPerson(db)).actor, sessionId: randomUUID() })
  expect(other.status).toBe(200)
  for (const { body } of [...answers, other]) await body?.cancel()
  expect(open().status).toBe(200)
})

test('tells customers once that other times can be booked: settings, shifts or appointments of others changed', async () => {
  const customer = await screen()
  const analyst = await screen({ kind: 'analyst' })
  const changes = [
    () => db.$client.query('update roster_version set version = version + 1'),
    () =>
      db.$client.query(`insert into events (entity, entity_id, name) values ('appointment', $1, 'book')`, [
        randomUUID(),
      ]),
  ]
  for (const change of changes) {
    await change()
    const queries = vi.spyOn(db.$client, 'query')
    for (let n = 0; n < 3; n++) announce(db, { people: [] })
    let heard = ''
    while (!heard.includes(otherSlots)) heard += (await customer.reader.read()).value
    // One look for all screens, however many there are.
    expect(
      queries.mock.calls.filter(([asked]) => String(asked).includes('roster_version')).length,
    ).toBeLessThan(3)
    queries.mockRestore()
  }
  announce(db, { people: [] })
  await db.delete(sessions)
  for (const { reader } of [customer, analyst])
    expect(await heardUntilItsEnd(reader)).not.toContain(otherSlots)
})
