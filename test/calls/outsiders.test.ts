import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { CLOSED_FOR_GOOD, socketPath } from '../../src/domain/calls/protocol.ts'
import { callEntry } from '../../src/server/calls/queries.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { deactivate, minute, storeVisit } from '../kit/appointments.ts'
import type { Person } from '../kit/people.ts'
import type { World } from '../kit/world.ts'
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
  town,
} from './town.ts'

openTown()

type Ask = { id?: string; path?: string; as?: Person; origin?: string | null; cookie?: string }

/** What comes back, byte by byte, when a socket is asked for. */
async function asked({
  as,
  cookie,
  id = call.id,
  origin = here.origin,
  path = socketPath(id),
}: Ask): Promise<string> {
  const { host, hostname, port } = new URL(here.origin)
  const socket = connect(Number(port), hostname)
  const own = as && [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...(origin === null ? [] : [`Origin: ${origin}`]),
    ...((cookie ?? own) ? [`Cookie: ${cookie ?? own}`] : []),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.on('data', (data) => {
    text += data
    if (text.startsWith('HTTP/1.1 101') || text.includes('</html>')) socket.destroy()
  })
  await once(socket, 'close')
  return text
}

test('for everybody but its two sides the room of a call does not exist, and all of them hear the same', async () => {
  const visitor = await town.person()
  const visit = await storeVisit(town as unknown as World, visitor, await town.home(visitor), new Date(), {
    assigneeId: people.technician.id,
  })
  const unconfirmed = await newCall({ state: 'requested', confirmedAt: null })
  const given = await newCall({ assigneeId: people.technician2.id })
  const inactive = await newCall()
  await deactivate(town as unknown as World, inactive.customer)
  const early = await newCall({ startsAt: new Date(Date.now() + 60 * minute) })
  const outsiders: [string, Ask][] = [
    ['signed out', {}],
    ['a cookie of nobody', { cookie: `carga.session_token=${randomUUID()}.x` }],
    ...Object.entries(people).map(([name, as]): [string, Ask] => [name, { as }]),
    ['no such call', { as: customer, id: randomUUID() }],
    ['no id at all', { as: customer, id: 'x' }],
    ['an id with more behind it', { as: customer, id: `${call.id}%00` }],
    ['a visit of theirs', { as: visitor, id: visit.id }],
    ['its technician', { as: people.technician, id: visit.id }],
    ['an analyst who is not confirmed', { as: unconfirmed.analyst, id: unconfirmed.call.id }],
    ['somebody of another kind who has it', { as: people.technician2, id: given.call.id }],
    ['its deactivated customer', { as: inactive.customer, id: inactive.call.id }],
    ['another customer of one not yet open', { as: customer, id: early.call.id }],
    ['a page of another site', { as: customer, origin: 'https://evil.test' }],
    ['no page', { as: customer, origin: null }],
  ]
  const answers = await Promise.all(outsiders.map(async ([name, ask]) => [name, await asked(ask)] as const))
  expect(answers[0]![1]).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
  for (const [name, answer] of answers) expect([name, answer]).toEqual([name, answers[0]![1]])
  expect(await asked({ as: customer })).toMatch(/^HTTP\/1\.1 101 /)
})

test('who is refused and keeps their end open holds no connection of ours', async () => {
  const { host, hostname, port } = new URL(here.origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const key = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`
  socket.write([`GET ${socketPath(call.id)} HTTP/1.1`, `Host: ${host}`, ...lines, key, '', ''].join('\r\n'))
  socket.resume()
  await once(socket, 'end')
  const reset = new Promise<unknown>((resolve) => socket.on('error', resolve))
  const writing = setInterval(() => socket.write('x'), 20)
  await expect(reset).resolves.toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) })
  clearInterval(writing)
})

test('what is no room of a call is an ordinary request, whatever it would become', async () => {
  const answer = await asked({ path: '/nowhere' })
  expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
  expect(answer).toContain('<!DOCTYPE html>')
})

test('its sides hear that it is early or over, and nothing else', async () => {
  const early = await newCall({ startsAt: new Date(Date.now() + 60 * minute) })
  const over = await newCall({ state: 'done' })
  for (const [{ call, customer, analyst }, because] of [
    [early, 'early'],
    [over, 'over'],
  ] as const)
    for (const side of [customer, analyst]) {
      const page = await open(here, side, undefined, call.id)
      expect(await page.ends()).toEqual([because, CLOSED_FOR_GOOD])
      expect(page.heard).toEqual([{ type: 'ended', because }])
    }
})

test('somebody has ten sockets of calls at most', async () => {
  for (let at = 0; at < 10; at++) await open(here, customer)
  expect(await asked({ as: customer })).toMatch(/^HTTP\/1\.1 429 /)
})

test.each([
  ['no JSON', '{', 1007],
  ['nothing we understand', '{"type":"room"}', 1008],
  ['bytes', Buffer.from('{"type":"ice"}'), 1008],
  ['too much at once', `"${'x'.repeat(70_000)}"`, 1009],
])('%s ends the socket, and nothing but it', async (_what, said, code) => {
  const { mine, theirs } = await bothJoin()
  mine.socket.send(said)
  expect(await mine.ends()).toEqual([null, code])
  await theirs.sees(({ peer }) => peer?.lost === true)
})

test('so does who never stops talking', async () => {
  const page = await open(here, customer)
  for (let at = 0; at < 400; at++) page.say({ type: 'ping', at })
  expect(await page.ends()).toEqual([null, 1008])
  expect(page.of('pong').length).toBeLessThan(250)
})

test('only who sits in the room is heard by the other side', async () => {
  const { mine, theirs, sitting, other } = await bothJoin()
  const looking = await open(here, customer)
  looking.say({ type: 'signal', to: other, signal: { candidate: null } })
  looking.say({ type: 'media', media: { audio: false, video: false, screen: true } })
  const foreign = await newCall()
  const stranger = await open(here, foreign.customer, undefined, foreign.call.id)
  await stranger.joins()
  stranger.say({ type: 'signal', to: other, signal: { candidate: null } })
  stranger.say({ type: 'signal', to: sitting, signal: { candidate: null } })
  for (const page of [looking, stranger]) {
    page.say({ type: 'ping', at: 1 })
    await expect.poll(() => page.of('pong').length).toBe(1)
  }
  mine.say({ type: 'signal', to: other, signal: { candidate: { candidate: 'last' } } })
  await expect.poll(() => theirs.signals()).toEqual([{ candidate: { candidate: 'last' } }])
  expect(mine.signals()).toEqual([])
  expect((await sittings()).map(({ media }) => media.screen)).toEqual([false, false])
})

const entryOf = (who: { actor: typeof customer.actor }, id = call.id, now = new Date()) =>
  callEntry(town.db, who.actor, id, now)

test('both sides go in, each to the other, while the room is open; nobody else ever', async () => {
  await town.db.update(appointments).set({ notes: '¿Cabe en mi cajón?' }).where(eq(appointments.id, call.id))
  const shared = {
    appointmentId: call.id,
    folio: call.folio,
    startsAt: call.startsAt,
    minutes: 30,
    resumes: false,
  }
  const opensAt = new Date(call.startsAt.getTime() - 15 * minute)
  expect(await entryOf(customer)).toMatchObject({
    ...shared,
    side: 'customer',
    peerName: 'Andrés Arce',
    topic: 'Sobre autos eléctricos\n¿Cabe en mi cajón?',
  })
  expect(await entryOf(analyst)).toMatchObject({
    ...shared,
    side: 'analyst',
    peerName: 'Camila Cruz',
    opensAt: new Date(Math.floor(opensAt.getTime() / minute) * minute),
  })
  for (const other of [
    people.customer,
    people.analyst,
    people.manager,
    people.technician,
    people.gester,
    people.ally,
  ])
    expect(await entryOf(other)).toBeNull()
  expect(await entryOf(customer, call.id, new Date(opensAt.getTime() - minute))).toBeNull()
  const done = await newCall({ state: 'done' })
  expect(await entryOf(done.customer, done.call.id)).toBeNull()
  const unconfirmed = await newCall({ state: 'requested', confirmedAt: null })
  expect(await entryOf(unconfirmed.customer, unconfirmed.call.id)).toMatchObject({ peerName: 'Tu analista' })
  expect(await entryOf(unconfirmed.analyst, unconfirmed.call.id)).toBeNull()
})

test('whose connection is lost resumes, and the other side does not', async () => {
  const { mine, theirs } = await bothJoin()
  expect(await entryOf(customer)).toMatchObject({ resumes: false })
  await mine.breaks()
  await theirs.sees(({ peer }) => peer?.lost === true)
  expect([await entryOf(customer), await entryOf(analyst)]).toMatchObject([
    { resumes: true },
    { resumes: false },
  ])
})
