import { and, eq, isNull, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { PLACE_KEPT_MS } from '../../src/domain/calls/room.ts'
import { notifyRoom } from '../../src/server/calls/participation.ts'
import { sweepParticipations } from '../../src/server/calls/rooms.ts'
import {
  callSignals,
  callSittings,
  presence,
} from '../../src/server/platform/database/schema/appointments.ts'
import {
  analyst,
  bothJoin,
  call,
  customer,
  here,
  open,
  openTown,
  sittings,
  stored,
  there,
  town,
} from './town.ts'

openTown()

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const ofAnalyst = () =>
  and(eq(callSittings.appointmentId, call.id), eq(callSittings.side, 'analyst'), isNull(callSittings.leftAt))
/** What every process does every few seconds, by several at once. */
const sweep = () => Promise.all([1, 2, 3].map(() => sweepParticipations(town.db, new Date())))
const candidate = (text: string) => ({ candidate: { candidate: text } })

test('with nobody in a call a sweep is one statement', async () => {
  const asked = vi.spyOn(town.db.$client, 'query')
  await sweepParticipations(town.db, new Date())
  expect(asked).toHaveBeenCalledOnce()
  asked.mockRestore()
})

test('a place that nobody comes back to is given up, and the customer waits since then', async () => {
  const { mine, theirs } = await bothJoin()
  await theirs.breaks()
  await mine.sees(({ peer, waitingSince }) => peer?.lost === true && waitingSince === null)
  const lostAt = ago(PLACE_KEPT_MS / 1_000 + 1)
  await town.db
    .update(callSittings)
    .set({ joinedAt: ago(600) })
    .where(eq(callSittings.appointmentId, call.id))
  await town.db.update(callSittings).set({ lostAt }).where(ofAnalyst())
  await sweep()
  await mine.sees(({ peer, waitingSince }) => peer === null && waitingSince === lostAt.toISOString())
  expect(await stored()).toMatchObject({ customerWaitingSince: lostAt, state: 'in_progress' })
  // Whoever comes back now sits down anew; the appointment does not begin a second time.
  const back = await open(here, analyst, theirs.page)
  const sitting = await back.joins()
  await mine.sees(({ peer, waitingSince }) => peer?.sitting === sitting && waitingSince === null)
  expect((await sittings()).map(({ leftBecause }) => leftBecause)).toEqual([null, 'lost', null])
})

test('a customer who does not come back waits no longer', async () => {
  const page = await open(here, customer)
  await page.joins()
  await page.breaks()
  await expect.poll(async () => (await sittings())[0]!.lostAt).not.toBeNull()
  expect(await stored()).toMatchObject({ customerWaitingSince: expect.any(Date) })
  await town.db
    .update(callSittings)
    .set({ lostAt: ago(PLACE_KEPT_MS / 1_000 + 1) })
    .where(eq(callSittings.appointmentId, call.id))
  // Noticed by the processes themselves.
  await expect.poll(async () => (await stored()).customerWaitingSince, { timeout: 5_000 }).toBeNull()
  expect(await stored()).toMatchObject({ customerCameAt: expect.any(Date) })
})

test('what is said to a page while its connection is lost waits for it', async () => {
  const { mine, theirs, other } = await bothJoin()
  await theirs.breaks()
  await mine.sees(({ peer }) => peer?.lost === true)
  for (const text of ['a', 'b', 'c']) mine.say({ type: 'signal', to: other, signal: candidate(text) })
  await expect.poll(async () => (await town.db.select().from(callSignals)).length).toBe(3)
  const back = await open(here, analyst, theirs.page)
  await back.joins()
  await expect.poll(() => back.signals()).toEqual(['a', 'b', 'c'].map(candidate))
})

test('a process that is there says so, again and again', async () => {
  const { mine } = await bothJoin()
  await town.db
    .update(callSittings)
    .set({ seenAt: ago(25) })
    .where(ofAnalyst())
  const freshest = async () => Date.now() - (await sittings())[1]!.seenAt.getTime()
  await expect.poll(freshest, { timeout: 5_000 }).toBeLessThan(20_000)
  expect(mine.room()?.peer?.lost).toBe(false)
})

test('a page that leaves and closes at once has left', async () => {
  const { mine, theirs } = await bothJoin()
  theirs.say({ type: 'leave' })
  theirs.socket.close()
  await mine.sees(({ peer }) => peer === null)
  expect((await sittings()).map(({ leftBecause }) => leftBecause)).toEqual([null, 'left'])
})

test('messages still arrive after the connections that listen were lost', async () => {
  const { mine, theirs, other } = await bothJoin()
  const listening = () =>
    town.db.execute<{ pid: number }>(sql`select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%calls%'`)
  expect((await listening()).rowCount).toBe(2)
  mine.say({ type: 'signal', to: other, signal: candidate('through the gap') })
  mine.say({ type: 'chat', id: crypto.randomUUID(), text: 'También' })
  await expect.poll(() => theirs.signals(), { timeout: 5_000 }).toEqual([candidate('through the gap')])
  await expect.poll(() => theirs.lines().map(({ text }) => text)).toEqual(['También'])
  // And at once again, not by the next look only.
  await expect.poll(async () => (await listening()).rowCount, { timeout: 5_000 }).toBe(2)
})

test('a database that cannot be asked ends no call: the page comes back to its place', async () => {
  const { mine, sitting } = await bothJoin()
  await town.db.$client.query('alter table call_messages rename to hidden')
  mine.say({ type: 'chat', id: crypto.randomUUID(), text: 'Se pierde' })
  expect(await mine.ends()).toEqual([null, 1013])
  await town.db.$client.query('alter table hidden rename to call_messages')
  const back = await open(here, customer, mine.page)
  expect(await back.joins()).toBe(sitting)
})

test('an analyst with a screen open is seen as such, and a while after it is closed no more', async () => {
  await town.db.insert(presence).values({ userId: analyst.id, seenAt: ago(46) })
  const page = await open(here, customer)
  await page.sees((room) => room.analyst === 'away')
  await town.db
    .update(presence)
    .set({ seenAt: ago(10) })
    .where(eq(presence.userId, analyst.id))
  await notifyRoom(town.db, call.id)
  await page.sees((room) => room.analyst === 'online')
})

test('a process that is killed: the other side sees the connection lost, and the page sits down elsewhere where it sat', async () => {
  const { mine, theirs, other } = await bothJoin()
  await there.kill()
  expect(await theirs.ends()).toEqual([null, 1006])
  const silence = ago(31)
  await town.db.update(callSittings).set({ seenAt: silence }).where(ofAnalyst())
  await sweep()
  const seen = await mine.sees(({ peer }) => peer?.lost === true)
  expect(seen.peer!.keptUntil).toBe(new Date(silence.getTime() + PLACE_KEPT_MS).toISOString())
  const back = await open(here, analyst, theirs.page)
  expect(await back.joins()).toBe(other)
  await mine.sees(({ peer }) => peer?.lost === false)
})

test('a process that ends closes its sockets for the pages to come back; nobody left', async () => {
  const page = await open(here, customer)
  await page.joins()
  const looking = await open(here, analyst)
  await Promise.all([here.stop(), page.ends(), looking.ends()])
  expect([page.closed(), looking.closed()]).toEqual([1012, 1012])
  expect(await sittings()).toMatchObject([{ leftAt: null, lostAt: expect.any(Date), connectionId: null }])
})
