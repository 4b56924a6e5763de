import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { parseEnv } from '../../src/app/env.ts'
import { handlers } from '../../src/app/handlers.ts'
import { askForNotices, sendNotice, vapidKeys } from '../../src/notifications/push.ts'
import { mostDevices, notices } from '../../src/notifications/rules/push.ts'
import { pushSubscriptions, sessions, users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import type { EmailJob } from '../../src/platform/jobs/emails.ts'
import { visitAtHome } from '../kit/appointments.ts'
import { openedJob } from '../kit/delivered.ts'
import {
  db,
  fixture,
  fromNow,
  newPerson,
  openBare,
  post,
  rowsWhere,
  sendJobsOnce,
  setRow,
} from '../kit/open.ts'
import { type Person, secret } from '../kit/people.ts'
import { expectAnswered } from '../kit/reading.ts'

openBare({ WEBHOOK_ALLOW_PRIVATE: 'true' })
sendJobsOnce()

type Message = { path: string; headers: IncomingHttpHeaders; body: Buffer }
let received: Message[] = []
let answers: number[] = []
/** What stands for the push services of browsers. */
const service = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(parts) })
  response.writeHead(answers.shift() ?? 201).end()
})
let origin: string
let work: ReturnType<typeof handlers>
const env = parseEnv({
  BASE_URL: 'http://carga.test',
  DEMO: 'false',
  DATA_DIR: mkdtempSync(path.join(tmpdir(), 'carga-push-')),
  WEBHOOK_ALLOW_PRIVATE: 'true',
})
beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  work = handlers({ db, drive: fixture.drive, env, secret })
})
afterAll(() => void service.close())
beforeEach(() => {
  received = []
  answers = []
})

/** A browser that news can be turned on in. */
function newBrowser() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const endpoint = `${origin}/${randomUUID()}`
  const form = {
    intent: 'news-on',
    endpoint,
    p256dh: pair.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
  }
  return { pair, auth, endpoint, form }
}

/** The text of a message, as a browser opens it (RFC 8188, RFC 8291). */
function opened({ auth, pair }: ReturnType<typeof newBrowser>, body: Buffer) {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body[20]!)
  const sealed = body.subarray(21 + body[20]!)
  const derive = (key: Buffer, by: Buffer, use: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, by, use, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const key = derive(pair.computeSecret(sender), auth, info, 32)
  const opening = createDecipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  )
  opening.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()])
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
}

/** Whether a message is signed by the key that browsers subscribe to, for this service. */
function isSigned({ headers }: Message) {
  const [, token, key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '')!
  const [head, claims, signature] = token!.split('.')
  const { publicKey } = vapidKeys(secret)
  const point = Buffer.from(publicKey, 'base64url')
  const x = point.toString('base64url', 1, 33)
  const y = point.toString('base64url', 33)
  const jwk = { kty: 'EC', crv: 'P-256', x, y }
  const { aud } = JSON.parse(Buffer.from(claims!, 'base64url').toString())
  const by = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  const isOurs = verify('sha256', Buffer.from(`${head}.${claims}`), by, Buffer.from(signature!, 'base64url'))
  return isOurs && key === publicKey && aud === origin
}

const turnsOn = async (person: Person, browser = newBrowser(), page = '/cuenta') => {
  await expectAnswered(post(page, browser.form, person), 303)
  return browser
}
const devicesOf = ({ id }: Person) => rowsWhere(pushSubscriptions, { userId: id })

let days = 0
/** A customer with a visit, and its e-mail. */
async function booked() {
  const customer = await newPerson({ name: 'Nombre', phone: `55${20_000_000 + days}` })
  const visit = await visitAtHome(customer, fromNow(++days * 24 * 3_600_000), { state: 'requested' })
  return { customer, visit, letter: { letter: 'booked', appointmentId: visit.id, to: 'customer' } as const }
}

const jobsOf = async (letterId: string) => {
  const { rows } = await db.$client.query<{ data: never; start_after: Date }>(
    `select data, start_after from pgboss.job where name = 'push' and data->>'letterId' = $1`,
    [letterId],
  )
  return rows
}
/** Runs an e-mail's job, and those it leaves. */
async function run(letter: EmailJob, id: string = randomUUID()) {
  await work.letter(letter, id)
  for (const { data } of await jobsOf(id)) await work.push(openedJob(data))
}

test('sends an email’s notice once, encrypted for the browser and signed, without personal data', async () => {
  const { customer, letter, visit } = await booked()
  const browser = await turnsOn(customer)
  const id = randomUUID()
  await work.letter(letter, id)
  await work.letter(letter, id)
  expect(await jobsOf(id)).toHaveLength(1)
  await run(letter, id)
  const [message] = received
  expect(received).toHaveLength(1)
  expect(origin + message!.path).toBe(browser.endpoint)
  expect(message!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' })
  expect(isSigned(message!)).toBe(true)
  const text = opened(browser, message!.body)
  expect(text).toEqual({
    title: 'Tu cita quedó agendada',
    body: 'Toca para ver el detalle.',
    url: expect.stringMatching(/^\/[^/]/),
    tag: id,
  })
  expect(JSON.stringify(text)).not.toMatch(new RegExp(`${visit.folio}|Nombre|Calle`))
  expect(await devicesOf(customer)).toMatchObject([{ answeredAt: expect.any(Date) }])
})

test.each([
  [404, 0],
  [410, 0],
  [403, 0],
  [400, 1],
])('after the answer %i keeps %i devices', async (answer, left) => {
  const { customer, letter } = await booked()
  await turnsOn(customer)
  answers = [answer]
  await run(letter)
  expect(received).toHaveLength(1)
  expect(await devicesOf(customer)).toHaveLength(left)
})

test.each([429, 500])('retries after %i', async (answer) => {
  const { customer, letter } = await booked()
  await turnsOn(customer)
  answers = [answer]
  await expect(run(letter)).rejects.toThrow('takes nothing now')
  expect(await devicesOf(customer)).toHaveLength(1)
})

test('sends nothing into a private network, and removes such a device', async () => {
  const { customer, letter } = await booked()
  await turnsOn(customer)
  const [device] = await devicesOf(customer)
  const strict = { keys: vapidKeys(secret), allowPrivate: false }
  await sendNotice(db, env, strict, { letter, letterId: randomUUID(), subscriptionId: device!.id })
  expect(received).toEqual([])
  expect(await devicesOf(customer)).toEqual([])
})

test.each([
  ['21:00', '2027-03-03T03:00:00Z', 'booked', '2027-03-03T14:00:00.000Z'],
  ['08:00', '2027-03-03T14:00:00Z', 'booked', null],
  ['22:00', '2027-03-03T04:00:00Z', 'on_the_way', null],
  ['22:00', '2027-03-03T04:00:00Z', 'running_late', null],
  ['22:00', '2027-03-03T04:00:00Z', 'way_undone', null],
  ['22:00', '2027-03-03T04:00:00Z', 'left_unsafe', null],
] as const)('at %s (%s) the notice %s is sent at once or at %s', async (_, now, letter, waitsUntil) => {
  const { customer, visit } = await booked()
  await turnsOn(customer)
  const id = randomUUID()
  const job = { letter, appointmentId: visit.id, to: 'customer' } as const
  await askForNotices(db, job, id, [customer.id], new Date(now))
  const at = (await jobsOf(id))[0]!.start_after
  if (waitsUntil) expect(at.toISOString()).toBe(waitsUntil)
  else expect(+at).toBeLessThanOrEqual(Date.now() + 60_000)
})

test('drops a notice that is no longer true or wanted when its job runs', async () => {
  const one = await booked()
  const other = await booked()
  const asks = async ({ customer, letter }: typeof one) => {
    const id = randomUUID()
    await askForNotices(db, letter, id, [customer.id], new Date())
    return jobsOf(id)
  }
  for (const { customer } of [one, other]) await turnsOn(customer)
  const jobs = [...(await asks(one)), ...(await asks(other))]
  await setRow(appointments, one.visit, { state: 'cancelled', closingReason: 'otro' })
  await post('/cuenta', { intent: 'news-kinds', quotes: 'on' }, other.customer)
  const [user] = await rowsWhere(users, { id: other.customer.id })
  expect(user!.unwantedNews).toEqual(['appointments', 'payments', 'procedures'])
  expect(jobs).toHaveLength(2)
  for (const { data } of jobs) await work.push(openedJob(data))
  expect(received).toEqual([])
  // Nor is one queued for someone who does not want it, or is inactive.
  const inactive = await booked()
  await turnsOn(inactive.customer)
  await setRow(users, inactive.customer, { active: false })
  for (const unwanted of [other, inactive]) expect(await asks(unwanted)).toEqual([])
})

test('moves a browser to the last account that turned notices on, until off or signed out', async () => {
  const { customer } = await booked()
  const stranger = await newPerson()
  await turnsOn(stranger, await turnsOn(customer))
  expect([await devicesOf(customer), await devicesOf(stranger)]).toMatchObject([[], [{}]])
  await post('/cuenta', { intent: 'news-off' }, stranger)
  expect(await devicesOf(stranger)).toEqual([])
  await turnsOn(customer)
  await db.delete(sessions).where(eq(sessions.userId, customer.id))
  expect(await devicesOf(customer)).toEqual([])
})

test('replaces the oldest device beyond the limit', async () => {
  const { customer } = await booked()
  const endpoints: string[] = []
  for (let n = 0; n <= mostDevices; n++) {
    const { cookies } = await fixture.secondBrowser(customer)
    endpoints.push((await turnsOn({ ...customer, cookies })).endpoint)
  }
  const kept = (await devicesOf(customer)).map(({ endpoint }) => endpoint)
  expect(kept.toSorted()).toEqual(endpoints.slice(1).toSorted())
})

test('staff turn notices on at their own page, and choose their own kinds', async () => {
  const technician = await newPerson({ kind: 'tecnician' })
  const { visit } = await booked()
  await setRow(appointments, visit, {
    state: 'assigned',
    assigneeId: technician.id,
    confirmedAt: new Date(),
  })
  const browser = await turnsOn(technician, newBrowser(), '/admin/account')
  await run({ letter: 'assigned', appointmentId: visit.id, to: 'person' })
  expect(received).toHaveLength(1)
  expect(opened(browser, received[0]!.body)).toMatchObject({ title: 'Tienes una cita nueva' })
  await post('/admin/account', { intent: 'news-kinds', pending: 'on', quotes: 'on' }, technician)
  expect((await rowsWhere(users, { id: technician.id }))[0]!.unwantedNews).toEqual(['agenda'])
})

test('refuses an invalid subscription', async () => {
  const { customer } = await booked()
  const { form } = newBrowser()
  for (const wrong of [{ endpoint: 'javascript:0' }, { p256dh: 'x' }, { auth: '' }])
    await expectAnswered(post('/cuenta', { ...form, ...wrong }, customer), 400)
  expect(await devicesOf(customer)).toEqual([])
})

test('has short titles without numbers', () => {
  const titles = Object.values(notices).flatMap((ones) =>
    Object.values(ones).flatMap((notice: readonly [string, string] | null) => notice?.[1] ?? []),
  )
  expect(titles.filter((title) => title.length > 40 || /[\d$]/.test(title))).toEqual([])
})
