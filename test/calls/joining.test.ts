import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { CLOSED_FOR_GOOD } from '../../src/domain/calls/protocol.ts'
import { callSittings } from '../../src/server/platform/database/schema/appointments.ts'
import { eventsOf } from '../kit/reading.ts'
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
  world,
} from './town.ts'

openTown()

const replaced = ['replaced', CLOSED_FOR_GOOD]

test('a page sees the room and the ICE servers before it joins', async () => {
  const page = await open(here, customer)
  expect(await page.sees(() => true)).toMatchObject({
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
  expect([page.lines(), await sittings()]).toEqual([[], []])
})

test('the appointment begins by itself when the analyst joins a waiting customer', async () => {
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
  expect(await eventsOf(world, call.id, 'appointment')).toMatchObject([
    { name: 'start', actorId: analyst.id, fromState: 'assigned', toState: 'in_progress' },
  ])
})

test('a page that reconnects at another process has its old place', async () => {
  const { mine, theirs, sitting } = await bothJoin()
  await mine.breaks()
  const lost = await theirs.sees(({ peer }) => peer?.lost === true)
  expect(Date.parse(lost.peer!.keptUntil!) - Date.parse(lost.now)).toBeGreaterThan(110_000)
  const back = await open(there, customer, mine.page)
  expect(await back.joins()).toBe(sitting)
  await theirs.sees(({ peer }) => peer?.lost === false && peer.sitting === sitting)
  expect(await sittings()).toHaveLength(2)
})

test('a second page of a customer takes the place of the first, which ends', async () => {
  const { mine, theirs, sitting } = await bothJoin()
  const second = await open(there, customer)
  const taken = await second.joins()
  expect(taken).not.toBe(sitting)
  expect(await mine.ends()).toEqual(replaced)
  await theirs.sees(({ peer }) => peer?.sitting === taken && !peer.lost)
  expect((await sittings()).map(({ leftBecause }) => leftBecause)).toEqual(['replaced', null, null])
})

test.each(['just lost its connection', 'was away for longer than its place was kept'])(
  'a page that %s does not take its place back from a second page',
  async (when) => {
    const { mine, theirs, sitting } = await bothJoin()
    await mine.breaks()
    if (when !== 'just lost its connection')
      await town.db
        .update(callSittings)
        .set({ lostAt: null, connectionId: null, leftAt: new Date(), leftBecause: 'lost' })
        .where(eq(callSittings.id, sitting))
    const second = await open(there, customer)
    const taken = await second.joins()
    const back = await open(here, customer, mine.page)
    back.say({ type: 'join', page: mine.page, media })
    expect(await back.ends()).toEqual(replaced)
    expect(second.closed()).toBeNull()
    await theirs.sees(({ peer }) => peer?.sitting === taken && !peer.lost)
  },
)

test('one of four pages of a customer that join at once has the place', async () => {
  const pages = await Promise.all([here, there, here, there].map((server) => open(server, customer)))
  for (const { page, say } of pages) say({ type: 'join', page, media })
  const ended = () => pages.filter(({ closed }) => closed() !== null)
  await expect.poll(() => ended().length).toBe(3)
  for (const page of ended()) expect(await page.ends()).toEqual(replaced)
  expect((await sittings()).filter(({ leftAt }) => leftAt === null)).toHaveLength(1)
})

test('a socket joins once, and a room has at most 500 places', async () => {
  const page = await open(here, customer)
  const sitting = await page.joins()
  for (let at = 0; at < 50; at++) page.say({ type: 'join', page: randomUUID(), media })
  await page.handled()
  expect((await sittings()).map(({ id }) => id)).toEqual([sitting])
  await town.db.execute(sql`
    insert into call_sittings (appointment_id, side, user_id, session_id, page_id, media, left_at, left_because)
    select appointment_id, side, user_id, session_id, gen_random_uuid(), media, now(), 'left'
    from call_sittings, generate_series(1, 499) where id = ${sitting}`)
  const more = await open(there, customer)
  more.say({ type: 'join', page: more.page, media })
  await more.handled()
  expect(await sittings()).toHaveLength(500)
  expect(page.closed()).toBeNull()
  // Its other side still comes in.
  await (await open(there, analyst)).joins()
})

test('signals arrive at the other side only, all of them and in order', async () => {
  const { mine, theirs, sitting, other } = await bothJoin()
  const sdp = 'v=0\r\n'.repeat(5_000)
  const offer = { description: { type: 'offer', sdp } } as const
  const answer = { description: { type: 'answer', sdp } } as const
  const candidates = Array.from({ length: 150 }, (_, at) => ({
    candidate: { candidate: `candidate:${at}`, sdpMid: '0' },
  }))
  for (const signal of [offer, ...candidates]) mine.say({ type: 'signal', to: other, signal })
  theirs.say({ type: 'signal', to: sitting, signal: answer })
  await expect.poll(() => theirs.signals()).toEqual([offer, ...candidates])
  await expect.poll(() => mine.signals()).toEqual([answer])
  expect(new Set(theirs.of('signal').map(({ from }) => from))).toEqual(new Set([sitting]))
  for (const to of [randomUUID(), sitting]) mine.say({ type: 'signal', to, signal: { candidate: null } })
  await mine.handled()
  expect((await town.db.$client.query('select 1 from call_signals')).rowCount).toBe(0)
})

test('a page sees what the other side sends, and when it leaves', async () => {
  const { mine, theirs } = await bothJoin()
  const sharing = { audio: false, video: false, screen: true }
  theirs.say({ type: 'media', media: sharing })
  const seen = await mine.sees(({ peer }) => peer?.media.screen === true)
  expect(seen.peer!.media).toEqual(sharing)
  theirs.say({ type: 'leave' })
  expect(await theirs.ends()).toEqual(['left', CLOSED_FOR_GOOD])
  expect((await mine.sees(({ peer }) => peer === null)).waitingSince).not.toBeNull()
  // As a page that is closed: its socket is gone when the server comes to its messages.
  for (const at of [1, 2, 3]) mine.say({ type: 'ping', at })
  mine.say({ type: 'leave' })
  mine.socket.close()
  await expect
    .poll(async () => (await sittings()).map(({ leftBecause }) => leftBecause))
    .toEqual(['left', 'left'])
  expect(await stored()).toMatchObject({ customerWaitingSince: null, customerCameAt: expect.any(Date) })
})
