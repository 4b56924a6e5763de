import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { notifyRoom } from '../../src/calls/participation.ts'
import { CLOSED_FOR_GOOD } from '../../src/calls/rules/protocol.ts'
import { sessions, users } from '../../src/platform/database/schema/accounts.ts'
import { appointments, callMessages, callSittings } from '../../src/platform/database/schema/appointments.ts'
import { minute } from '../kit/appointments.ts'
import { eventsAbout, expectRowsIn, setRow } from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import { media } from './page.ts'
import {
  analyst,
  bothJoin,
  call,
  customer,
  here,
  newCall,
  open,
  openTown,
  people,
  sittings,
  stored,
  there,
  town,
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
  expect(await eventsAbout(call.id, 'appointment')).toMatchObject([
    { name: 'start', actorId: analyst.id, fromState: 'assigned', toState: 'in_progress' },
  ])
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

const change = (set: Partial<typeof appointments.$inferInsert>) => setRow(appointments, call, set)
const leftBecause = async () => (await sittings()).map((one) => `${one.side} ${one.leftBecause}`)

test('a participant whose session ends or who is deactivated is out of the room, no other', async () => {
  const { mine, theirs } = await bothJoin()
  await town.db.delete(sessions).where(eq(sessions.userId, customer.id))
  expect(await mine.ends()).toEqual(['signed_out', CLOSED_FOR_GOOD])
  await theirs.sees(({ peer }) => peer === null)
  expect(await leftBecause()).toEqual(['customer signed_out', 'analyst null'])
  await setRow(users, analyst, { active: false })
  theirs.say({ type: 'chat', id: call.id, text: 'Sigo aquí' })
  expect(await theirs.ends()).toEqual(['signed_out', CLOSED_FOR_GOOD])
  expect(await town.db.select().from(callMessages)).toEqual([])
})

test('a room ends with its appointment', async () => {
  const { mine, theirs } = await bothJoin()
  const form = { move: 'callOff', reason: 'otro', note: 'Se cortó la luz en la casa' }
  await expectAnswered(there.post(`/admin/appointments-pending/${call.id}`, form, analyst), 303)
  for (const page of [mine, theirs]) expect(await page.ends()).toEqual(['over', CLOSED_FOR_GOOD])
  expect(await leftBecause()).toEqual(['customer ended', 'analyst ended'])
  expect(await stored()).toMatchObject({ state: 'cancelled', customerWaitingSince: null })
})

test.each([
  ['moved to another day', { startsAt: new Date(Date.now() + 24 * 60 * minute) }, 'early'],
  ['of yesterday', { startsAt: new Date(Date.now() - 24 * 60 * minute) }, 'over'],
] as const)('a call that is %s ends for a waiting customer', async (_what, set, because) => {
  const page = await open(here, customer)
  await page.joins()
  await change(set)
  page.say({ type: 'ping', at: 1 })
  expect(await page.ends()).toEqual([because, CLOSED_FOR_GOOD])
  expect(page.of('pong')).toEqual([])
  expect(await leftBecause()).toEqual(['customer ended'])
  expect(await stored()).toMatchObject({ customerWaitingSince: null })
})

test('an analyst whose call was reassigned is out of the room, and the customer waits for the new one', async () => {
  const { mine, theirs } = await bothJoin()
  await change({ assigneeId: people.analyst.id })
  theirs.say({ type: 'ping', at: 1 })
  expect(await theirs.ends()).toEqual(['not_yours', CLOSED_FOR_GOOD])
  expect(await mine.sees(({ peer }) => peer === null)).toMatchObject({ peerName: 'Andrés Prueba' })
  const other = await open(there, people.analyst)
  const sitting = await other.joins()
  await mine.sees(({ peer, waitingSince }) => peer?.sitting === sitting && waitingSince === null)
  expect(await leftBecause()).toEqual(['customer null', 'analyst taken_over', 'analyst null'])
})

test('a customer sees whether the analyst is in another call', async () => {
  await change({ minutes: 5 })
  const page = await open(here, customer)
  await page.sees(({ analyst }) => analyst === 'away')
  const other = await newCall({ assigneeId: analyst.id, startsAt: new Date(Date.now() + 6 * minute) })
  const busy = await open(there, analyst, undefined, other.call.id)
  await busy.joins()
  await notifyRoom(town.db, call.id)
  await page.sees(({ analyst }) => analyst === 'busy')
})

const line = (text: string, id: string = randomUUID()) => ({ type: 'chat', id, text }) as const

test('a line reaches both sides at any process, confirmed to its writer, and pages that open later', async () => {
  const { mine, theirs } = await bothJoin()
  const hello = line('Hola, ¿me oyes?\nAquí la foto')
  const answer = line('  Sí  ')
  mine.say(hello)
  await expect
    .poll(() => theirs.lines())
    .toMatchObject([{ id: hello.id, side: 'customer', text: hello.text }])
  theirs.say(answer)
  await expect.poll(() => mine.lines().map(({ text }) => text)).toEqual([hello.text, 'Sí'])
  await expect.poll(() => theirs.lines()).toHaveLength(2)
  const late = await open(there, customer)
  await expect
    .poll(() => late.of('chat'))
    .toMatchObject([{ lines: [{ id: hello.id }, { id: answer.id, side: 'analyst' }] }])
})

test('a line sent twice is stored once and confirmed twice; the id of another line stores nothing', async () => {
  const { mine, theirs } = await bothJoin()
  const once = line('Una vez')
  mine.say(once)
  mine.say({ ...once, text: 'Otra cosa' })
  await expect
    .poll(() => mine.lines().map(({ id, text }) => [id, text]))
    .toEqual(Array(2).fill([once.id, 'Una vez']))
  theirs.say({ ...once, text: 'De otra persona' })
  const foreign = await newCall()
  const stranger = await open(here, foreign.customer, undefined, foreign.call.id)
  stranger.say({ ...once, text: 'De otra cita' })
  stranger.say(line(' \u200b '))
  for (const page of [theirs, stranger]) await page.handled()
  expect(theirs.lines().map(({ text }) => text)).toEqual(['Una vez'])
  expect(stranger.lines()).toEqual([])
  await expectRowsIn(callMessages, { id: once.id }, [
    { appointmentId: call.id, authorId: customer.id, text: 'Una vez' },
  ])
})

test('limits a chat to 100 lines, with which the other side can still join', async () => {
  const full = '😀'.repeat(2_000)
  const mine = await open(here, customer)
  await town.db.$client.query(
    `insert into call_messages (id, appointment_id, author_id, side, text)
     select gen_random_uuid(), $1, $2, 'customer', $3 from generate_series(1, 99)`,
    [call.id, customer.id, full],
  )
  for (const text of [full, 'Ya no cabe']) mine.say(line(text))
  await mine.handled()
  const late = await open(there, analyst)
  await expect.poll(() => late.lines().length).toBe(100)
  expect(late.lines().at(-1)!.text).toBe(full)
  await late.joins()
})

test('many lines at once from both sides arrive once each, in order', async () => {
  const { mine, theirs } = await bothJoin()
  const texts = Array.from({ length: 30 }, (_, at) => String(at))
  for (const text of texts) for (const page of [mine, theirs]) page.say(line(text))
  for (const page of [mine, theirs]) {
    await expect.poll(() => new Set(page.lines().map(({ id }) => id)).size).toBe(60)
    for (const side of ['customer', 'analyst']) {
      const own = page.lines().filter((one) => one.side === side)
      expect(own.map(({ text }) => text)).toEqual(texts)
    }
  }
})
