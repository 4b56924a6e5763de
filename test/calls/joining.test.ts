import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { CLOSED_FOR_GOOD } from '../../src/domain/calls/protocol.ts'
import { callSittings } from '../../src/server/platform/database/schema/appointments.ts'
import { eventsOf } from '../kit/reading.ts'
import type { World } from '../kit/world.ts'
import { media } from './page.ts'
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

test('a page sees the room before it joins, and the servers it may use', async () => {
  const page = await open(here, customer)
  const room = await page.sees(() => true)
  expect(room).toMatchObject({
    side: 'customer',
    phase: 'open',
    sitting: null,
    peer: null,
    peerName: 'Andrés Arce',

    analyst: 'away',
    minutes: 30,
    metAt: null,
    waitingSince: null,
    startsAt: call.startsAt.toISOString(),
  })
  expect(page.of('ice')).toHaveLength(1)
  expect(page.lines()).toEqual([])
  expect(await sittings()).toEqual([])
})

test('the customer waits, and with the analyst the appointment begins by itself', async () => {
  const mine = await open(here, customer)
  await mine.joins()
  const waiting = await mine.sees(({ waitingSince }) => waitingSince !== null)
  expect(waiting).toMatchObject({ peer: null, metAt: null, analyst: 'away' })
  expect(await stored()).toMatchObject({ state: 'assigned', customerCameAt: expect.any(Date) })
  const theirs = await open(there, analyst)
  expect(await theirs.sees(({ peer }) => peer !== null)).toMatchObject({
    side: 'analyst',
    peerName: 'Camila Cruz',
    peer: { name: 'Camila Cruz', lost: false, media: { audio: true, video: true, screen: false } },
  })
  const sitting = await theirs.joins()
  const met = await mine.sees(({ peer }) => peer?.sitting === sitting)
  expect(met).toMatchObject({ analyst: 'here', waitingSince: null, metAt: expect.any(String) })
  expect(await stored()).toMatchObject({ state: 'in_progress', customerWaitingSince: null })
  expect(await eventsOf(town as unknown as World, call.id, 'appointment')).toMatchObject([
    { name: 'start', actorId: analyst.id, fromState: 'assigned', toState: 'in_progress' },
  ])
})

test('the same page that comes back sits where it sat, at whichever process', async () => {
  const { mine, theirs, sitting } = await bothJoin()
  await mine.breaks()
  const lost = await theirs.sees(({ peer }) => peer?.lost === true)
  expect(Date.parse(lost.peer!.keptUntil!) - Date.parse(lost.now)).toBeGreaterThan(110_000)
  const back = await open(there, customer, mine.page)
  expect(await back.joins()).toBe(sitting)
  await theirs.sees(({ peer }) => peer?.lost === false && peer.sitting === sitting)
  expect(await sittings()).toHaveLength(2)
})

test('another page of the same person takes the place, and the first one says so', async () => {
  const { mine, theirs, sitting } = await bothJoin()
  const second = await open(there, customer)
  const taken = await second.joins()
  expect(taken).not.toBe(sitting)
  expect(await mine.ends()).toEqual(['replaced', CLOSED_FOR_GOOD])
  await theirs.sees(({ peer }) => peer?.sitting === taken && !peer.lost)
  expect((await sittings()).map(({ leftBecause }) => leftBecause)).toEqual(['replaced', null, null])
})

test('a page whose place was taken while it was away hears so, and does not take it back', async () => {
  const { mine, theirs } = await bothJoin()
  await mine.breaks()
  const second = await open(there, customer)
  const taken = await second.joins()
  const back = await open(here, customer, mine.page)
  back.say({ type: 'join', page: mine.page, media: { audio: true, video: false, screen: false } })
  expect(await back.ends()).toEqual(['replaced', CLOSED_FOR_GOOD])
  expect(second.closed()).toBeNull()
  await theirs.sees(({ peer }) => peer?.sitting === taken && !peer.lost)
})

test('so does one that was away for longer than its place was kept', async () => {
  const { mine, theirs, sitting } = await bothJoin()
  await mine.breaks()
  await town.db
    .update(callSittings)
    .set({ lostAt: null, connectionId: null, leftAt: new Date(), leftBecause: 'lost' })
    .where(eq(callSittings.id, sitting))
  const second = await open(there, customer)
  const taken = await second.joins()
  const back = await open(here, customer, mine.page)
  back.say({ type: 'join', page: mine.page, media })
  expect(await back.ends()).toEqual(['replaced', CLOSED_FOR_GOOD])
  await theirs.sees(({ peer }) => peer?.sitting === taken && !peer.lost)
})

test('of pages of one side that join at once one sits there', async () => {
  const pages = await Promise.all([here, there, here, there].map((server) => open(server, customer)))
  for (const page of pages)
    page.say({ type: 'join', page: page.page, media: { audio: true, video: false, screen: false } })
  const ends = await Promise.race(
    [0, 1, 2, 3].map((odd) => Promise.all(pages.filter((_, at) => at !== odd).map((page) => page.ends()))),
  )
  expect(ends).toEqual(Array(3).fill(['replaced', CLOSED_FOR_GOOD]))
  expect((await sittings()).filter(({ leftAt }) => leftAt === null)).toHaveLength(1)
})

test('a socket sits down once, and nobody fills the room with pages', async () => {
  const page = await open(here, customer)
  const sitting = await page.joins()
  for (let at = 0; at < 50; at++) page.say({ type: 'join', page: randomUUID(), media })
  page.say({ type: 'ping', at: 1 })
  await expect.poll(() => page.of('pong').length).toBe(1)
  expect((await sittings()).map(({ id }) => id)).toEqual([sitting])
  await town.db.execute(sql`
    insert into call_sittings (appointment_id, side, user_id, session_id, page_id, media, left_at, left_because)
    select appointment_id, side, user_id, session_id, gen_random_uuid(), media, now(), 'left'
    from call_sittings, generate_series(1, 499) where id = ${sitting}`)
  const more = await open(there, customer)
  more.say({ type: 'join', page: more.page, media })
  more.say({ type: 'ping', at: 2 })
  await expect.poll(() => more.of('pong').length).toBe(1)
  expect(await sittings()).toHaveLength(500)
  expect(page.closed()).toBeNull()
  // Its other side still comes in.
  await (await open(there, analyst)).joins()
})

test('signals arrive at the other side only, all of them and in order, however long', async () => {
  const { mine, theirs, sitting, other } = await bothJoin()
  const sdp = 'v=0\r\n'.repeat(5_000)
  mine.say({ type: 'signal', to: other, signal: { description: { type: 'offer', sdp } } })
  for (let at = 0; at < 150; at++)
    mine.say({
      type: 'signal',
      to: other,
      signal: { candidate: { candidate: `candidate:${at}`, sdpMid: '0' } },
    })
  theirs.say({ type: 'signal', to: sitting, signal: { description: { type: 'answer', sdp } } })
  await expect.poll(() => theirs.signals().length, { timeout: 8_000 }).toBe(151)
  expect(theirs.signals()[0]).toEqual({ description: { type: 'offer', sdp } })
  expect(
    theirs
      .signals()
      .slice(1)
      .map((signal) => 'candidate' in signal && signal.candidate?.candidate),
  ).toEqual(Array.from({ length: 150 }, (_, at) => `candidate:${at}`))
  await expect.poll(() => mine.signals()).toEqual([{ description: { type: 'answer', sdp } }])
  expect(new Set(theirs.of('signal').map(({ from }) => from))).toEqual(new Set([sitting]))
  const nobody = { type: 'signal', to: randomUUID(), signal: { candidate: null } } as const
  mine.say(nobody)
  mine.say({ ...nobody, to: sitting })
  mine.say({ type: 'ping', at: 7 })
  await expect.poll(() => mine.of('pong')).toEqual([{ type: 'pong', at: 7 }])
  expect((await town.db.$client.query('select 1 from call_signals')).rowCount).toBe(0)
})

test('what one sends is shown to the other; who leaves is gone at once', async () => {
  const { mine, theirs } = await bothJoin()
  theirs.say({ type: 'media', media: { audio: false, video: false, screen: true } })
  const seen = await mine.sees(({ peer }) => peer?.media.screen === true)
  expect(seen.peer!.media).toEqual({ audio: false, video: false, screen: true })
  theirs.say({ type: 'leave' })
  expect(await theirs.ends()).toEqual(['left', CLOSED_FOR_GOOD])
  expect((await mine.sees(({ peer }) => peer === null)).waitingSince).not.toBeNull()
  // As a page does that is left: its socket is closed by the time the server has come to what it said.
  for (const at of [1, 2, 3]) mine.say({ type: 'ping', at })
  mine.say({ type: 'leave' })
  mine.socket.close()
  await expect
    .poll(async () => (await sittings()).map(({ leftBecause }) => leftBecause))
    .toEqual(['left', 'left'])
  expect(await stored()).toMatchObject({ customerWaitingSince: null, customerCameAt: expect.any(Date) })
})
