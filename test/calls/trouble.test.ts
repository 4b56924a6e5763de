import { and, eq, isNull, sql } from 'drizzle-orm'
import { notifyRoom } from '../../src/calls/participation.ts'
import { sweepParticipations } from '../../src/calls/rooms.ts'
import { PLACE_KEPT_MS } from '../../src/calls/rules/room.ts'
import { callSignals, callSittings, presence } from '../../src/platform/database/schema/appointments.ts'
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
const change = (set: Partial<typeof callSittings.$inferInsert>, which = ofAnalyst()) =>
  town.db.update(callSittings).set(set).where(which)
const tooLong = () => ago(PLACE_KEPT_MS / 1_000 + 1)
const candidate = (text: string) => ({ candidate: { candidate: text } })

test('a sweep without participants is one statement', async () => {
  const asked = vi.spyOn(town.db.$client, 'query')
  await sweepParticipations(town.db, new Date())
  expect(asked).toHaveBeenCalledOnce()
  asked.mockRestore()
})

test('an analyst who does not reconnect loses the place, and the customer waits from then on', async () => {
  const { mine, theirs } = await bothJoin()
  await theirs.breaks()
  await mine.sees(({ peer, waitingSince }) => peer?.lost === true && waitingSince === null)
  const lostAt = tooLong()
  await change({ joinedAt: ago(600) }, eq(callSittings.appointmentId, call.id))
  await change({ lostAt })
  await sweep()
  await mine.sees(({ peer, waitingSince }) => peer === null && waitingSince === lostAt.toISOString())
  expect(await stored()).toMatchObject({ customerWaitingSince: lostAt, state: 'in_progress' })
  // Reconnecting now is joining again; the appointment does not begin a second time.
  const back = await open(here, analyst, theirs.page)
  const sitting = await back.joins()
  await mine.sees(({ peer, waitingSince }) => peer?.sitting === sitting && waitingSince === null)
  expect((await sittings()).map(({ leftBecause }) => leftBecause)).toEqual([null, 'lost', null])
})

test('a customer who does not reconnect is no longer waiting', async () => {
  const page = await open(here, customer)
  await page.joins()
  await page.breaks()
  await expect.poll(async () => (await sittings())[0]!.lostAt).not.toBeNull()
  expect(await stored()).toMatchObject({ customerWaitingSince: expect.any(Date) })
  await change({ lostAt: tooLong() }, eq(callSittings.appointmentId, call.id))
  // Noticed by the processes themselves.
  await expect.poll(async () => (await stored()).customerWaitingSince).toBeNull()
  expect(await stored()).toMatchObject({ customerCameAt: expect.any(Date) })
})

test('signals to a page that lost its connection wait for it', async () => {
  const { mine, theirs, other } = await bothJoin()
  await theirs.breaks()
  await mine.sees(({ peer }) => peer?.lost === true)
  for (const text of ['a', 'b', 'c']) mine.say({ type: 'signal', to: other, signal: candidate(text) })
  await expect.poll(async () => (await town.db.select().from(callSignals)).length).toBe(3)
  const back = await open(here, analyst, theirs.page)
  await back.joins()
  await expect.poll(() => back.signals()).toEqual(['a', 'b', 'c'].map(candidate))
})

test('a process keeps the places of its pages fresh', async () => {
  const { mine } = await bothJoin()
  await change({ seenAt: ago(25) })
  const freshest = async () => Date.now() - (await sittings())[1]!.seenAt.getTime()
  await expect.poll(freshest).toBeLessThan(20_000)
  expect(mine.room()?.peer?.lost).toBe(false)
})

test('messages arrive after the connections that listen were lost', async () => {
  const { mine, theirs, other } = await bothJoin()
  const listening = () =>
    town.db.execute<{ pid: number }>(sql`select pid from pg_stat_activity
      where datname = current_database() and query like 'listen%calls%'`)
  const { rows } = await listening()
  expect(rows).toHaveLength(2)
  for (const { pid } of rows) await town.db.execute(sql`select pg_terminate_backend(${pid})`)
  mine.say({ type: 'signal', to: other, signal: candidate('through the gap') })
  mine.say({ type: 'chat', id: crypto.randomUUID(), text: 'También' })
  await expect.poll(() => theirs.signals()).toEqual([candidate('through the gap')])
  await expect.poll(() => theirs.lines().map(({ text }) => text)).toEqual(['También'])
  // And at once again, not by the next look only.
  const again = async () =>
    (await listening()).rows.filter(({ pid }) => rows.every((one) => one.pid !== pid)).length
  await expect.poll(again).toBe(2)
})

test('a failing database closes the socket only: the page reconnects to its place', async () => {
  const { mine, sitting } = await bothJoin()
  await town.db.$client.query('alter table call_messages rename to hidden')
  mine.say({ type: 'chat', id: crypto.randomUUID(), text: 'Se pierde' })
  expect(await mine.ends()).toEqual([null, 1013])
  await town.db.$client.query('alter table hidden rename to call_messages')
  const back = await open(here, customer, mine.page)
  expect(await back.joins()).toBe(sitting)
})

test('a customer sees an analyst with a screen open as online, for a while after it was seen', async () => {
  await town.db.insert(presence).values({ userId: analyst.id, seenAt: ago(46) })
  const page = await open(here, customer)
  await page.sees((room) => room.analyst === 'away')
  await town.db.update(presence).set({ seenAt: ago(10) })
  await notifyRoom(town.db, call.id)
  await page.sees((room) => room.analyst === 'online')
})

test('a killed process is seen as a lost connection, and its pages reconnect elsewhere to their places', async () => {
  const { mine, theirs, other } = await bothJoin()
  await there.kill()
  expect(await theirs.ends()).toEqual([null, 1006])
  const silence = ago(31)
  await change({ seenAt: silence })
  await sweep()
  const seen = await mine.sees(({ peer }) => peer?.lost === true)
  expect(seen.peer!.keptUntil).toBe(new Date(silence.getTime() + PLACE_KEPT_MS).toISOString())
  const back = await open(here, analyst, theirs.page)
  expect(await back.joins()).toBe(other)
  await mine.sees(({ peer }) => peer?.lost === false)
})

test('a process that is stopped closes its sockets, and the places stay', async () => {
  const page = await open(here, customer)
  await page.joins()
  const looking = await open(here, analyst)
  await Promise.all([here.stop(), page.ends(), looking.ends()])
  expect([page.closed(), looking.closed()]).toEqual([1012, 1012])
  expect(await sittings()).toMatchObject([{ leftAt: null, lostAt: expect.any(Date), connectionId: null }])
})
