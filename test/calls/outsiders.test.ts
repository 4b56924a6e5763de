import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { callEntry } from '../../src/calls/queries.ts'
import { CLOSED_FOR_GOOD, socketPath } from '../../src/calls/rules/protocol.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { deactivate, minute, storeVisit } from '../kit/appointments.ts'
import { fixture, fromNow, setRow } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
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

type Ask = { id?: string; as?: Person; origin?: string | null; cookie?: string }

/** Asks for a socket, byte by byte. */
function upgrade({
  as,
  cookie = as && [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  id = call.id,
  origin = here.origin,
}: Ask) {
  const { host, hostname, port } = new URL(here.origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  const lines = [
    `GET ${socketPath(id)} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...(origin === null ? [] : [`Origin: ${origin}`]),
    ...(cookie ? [`Cookie: ${cookie}`] : []),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

/** What is answered. */
async function asked(ask: Ask): Promise<string> {
  const socket = upgrade(ask)
  let text = ''
  socket.on('data', (data) => {
    text += data
    if (text.startsWith('HTTP/1.1 101') || text.includes('</html>')) socket.destroy()
  })
  socket.on('end', () => socket.destroy())
  await once(socket, 'close')
  return text
}

test('for all but its two sides the room of a call does not exist, with one and the same answer', async () => {
  const { technician, technician2 } = people
  const visitor = await town.person()
  const visit = await storeVisit(fixture, visitor, await town.home(visitor), new Date(), {
    assigneeId: technician.id,
  })
  const unconfirmed = await newCall({ state: 'requested', confirmedAt: null })
  const given = await newCall({ assigneeId: technician2.id })
  const inactive = await newCall()
  await deactivate(inactive.customer)
  const early = await newCall({ startsAt: fromNow(60 * minute) })
  const outsiders: [string, Ask][] = [
    ['signed out', {}],
    ['an unknown cookie', { cookie: `carga.session_token=${randomUUID()}.x` }],
    ...Object.entries(people).map(([name, as]): [string, Ask] => [name, { as }]),
    ['an unknown id', { as: customer, id: randomUUID() }],
    ['a malformed id', { as: customer, id: 'x' }],
    ['an id with more behind it', { as: customer, id: `${call.id}%00` }],
    ['the customer of a visit', { as: visitor, id: visit.id }],
    ['the technician of a visit', { as: technician, id: visit.id }],
    ['an unconfirmed analyst', { as: unconfirmed.analyst, id: unconfirmed.call.id }],
    ['an assignee of another kind', { as: technician2, id: given.call.id }],
    ['its deactivated customer', { as: inactive.customer, id: inactive.call.id }],
    ['another customer of one not yet open', { as: customer, id: early.call.id }],
    ['a page of another site', { as: customer, origin: 'https://evil.test' }],
    ['no page', { as: customer, origin: null }],
  ]
  const answers = await Promise.all(outsiders.map(async ([name, ask]) => [name, await asked(ask)] as const))
  const [[, refused]] = answers as [(typeof answers)[0]]
  expect(refused).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
  expect(refused).toMatch(/content-security-policy: default-src 'none'.*x-frame-options: DENY/s)
  expect(answers).toEqual(outsiders.map(([name]) => [name, refused]))
  expect(await asked({ as: customer })).toMatch(/^HTTP\/1\.1 101 /)
})

test('a refused client that keeps its end open is disconnected', async () => {
  const socket = upgrade({ origin: null })
  socket.resume()
  await once(socket, 'end')
  const reset = new Promise<unknown>((resolve) => socket.on('error', resolve))
  const writing = setInterval(() => socket.write('x'), 20)
  await expect(reset).resolves.toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) })
  clearInterval(writing)
})

test('its two sides receive that the room is not yet open or over, and nothing else', async () => {
  const early = await newCall({ startsAt: fromNow(60 * minute) })
  const over = await newCall({ state: 'done' })
  for (const [{ call, customer, analyst }, because] of [
    [early, 'early'],
    [over, 'over'],
  ] as const)
    for (const side of [customer, analyst]) {
      const page = await open(here, side, undefined, call.id)
      expect(await page.ends()).toEqual([because, CLOSED_FOR_GOOD])
      expect(page.received).toEqual([{ type: 'ended', because }])
    }
})

test('limits the sockets of a user to 10', async () => {
  for (let at = 0; at < 10; at++) await open(here, customer)
  expect(await asked({ as: customer })).toMatch(/^HTTP\/1\.1 429 /)
})

test.each([
  ['malformed JSON', '{', 1007],
  ['an unknown message', '{"type":"room"}', 1008],
  ['bytes', Buffer.from('{"type":"ice"}'), 1008],
  ['a message over the limit', `"${'x'.repeat(70_000)}"`, 1009],
])('%s closes its socket only', async (_what, message, code) => {
  const { mine, theirs } = await bothJoin()
  mine.socket.send(message)
  expect(await mine.ends()).toEqual([null, code])
  await theirs.sees(({ peer }) => peer?.lost === true)
})

test('a page that floods its socket is disconnected', async () => {
  const page = await open(here, customer)
  for (let at = 0; at < 400; at++) page.say({ type: 'ping', at })
  expect(await page.ends()).toEqual([null, 1008])
  expect(page.of('pong').length).toBeLessThan(250)
})

test('only pages that joined the room reach the other side', async () => {
  const { mine, theirs, sitting, other } = await bothJoin()
  const looking = await open(here, customer)
  looking.say({ type: 'signal', to: other, signal: { candidate: null } })
  looking.say({ type: 'media', media: { audio: false, video: false, screen: true } })
  const foreign = await newCall()
  const stranger = await open(here, foreign.customer, undefined, foreign.call.id)
  await stranger.joins()
  for (const to of [other, sitting]) stranger.say({ type: 'signal', to, signal: { candidate: null } })
  for (const page of [looking, stranger]) await page.handled()
  const last = { candidate: { candidate: 'last' } }
  mine.say({ type: 'signal', to: other, signal: last })
  await expect.poll(() => theirs.signals()).toEqual([last])
  expect(mine.signals()).toEqual([])
  expect((await sittings()).map(({ media }) => media.screen)).toEqual([false, false])
})

const entryOf = (who: Person, id = call.id, now = new Date()) => callEntry(town.db, who.actor, id, now)

test('both sides and no other kind have an entrance while the room is open', async () => {
  const { id, startsAt } = call
  await setRow(appointments, id, { notes: '¿Cabe en mi cajón?' })
  const topic = 'Sobre autos eléctricos\n¿Cabe en mi cajón?'
  expect(await entryOf(customer)).toMatchObject({ side: 'customer', peerName: 'Andrés Arce', topic })
  const opens = Math.floor(startsAt.getTime() / minute - 15) * minute
  const own = { side: 'analyst', peerName: 'Camila Cruz', opensAt: new Date(opens) }
  expect(await entryOf(analyst)).toMatchObject(own)
  for (const one of Object.values(people)) expect(await entryOf(one)).toBeNull()
  expect(await entryOf(customer, id, new Date(opens - minute))).toBeNull()
  const done = await newCall({ state: 'done' })
  expect(await entryOf(done.customer, done.call.id)).toBeNull()
  const unconfirmed = await newCall({ state: 'requested', confirmedAt: null })
  expect(await entryOf(unconfirmed.customer, unconfirmed.call.id)).toMatchObject({ peerName: 'Tu analista' })
  expect(await entryOf(unconfirmed.analyst, unconfirmed.call.id)).toBeNull()
})

test('a side that lost its connection resumes, the other does not', async () => {
  const { mine, theirs } = await bothJoin()
  expect(await entryOf(customer)).toMatchObject({ resumes: false })
  await mine.breaks()
  await theirs.sees(({ peer }) => peer?.lost === true)
  expect([await entryOf(customer), await entryOf(analyst)]).toMatchObject([
    { resumes: true },
    { resumes: false },
  ])
})
