import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isOptOut, ownDigits, templates } from '../../src/domain/notifications/whatsapp.ts'
import { askForMessage, sendMessage } from '../../src/server/notifications/whatsapp.ts'
import { type Connection, type Db, openDatabase } from '../../src/server/platform/database/client.ts'
import { consents, users } from '../../src/server/platform/database/schema/accounts.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { whatsappMessages } from '../../src/server/platform/database/schema/cfe.ts'
import { startJobs, stopJobs } from '../../src/server/platform/jobs/jobs.ts'
import { storeVisit } from '../kit/appointments.ts'
import type { Person } from '../kit/people.ts'
import { rowsIn } from '../kit/reading.ts'
import { openWorld, type World } from '../kit/world.ts'

const app = { WHATSAPP_VERIFY_TOKEN: 'un-token-de-prueba', WHATSAPP_APP_SECRET: 'un-secreto-de-prueba-largo' }
const settings = {
  token: 'llave',
  phoneId: '1',
  verifyToken: app.WHATSAPP_VERIFY_TOKEN,
  appSecret: app.WHATSAPP_APP_SECRET,
  api: '',
}
type Sent = { to: string; template: { name: string; components: [{ parameters: { text: string }[] }] } }
let sent: Sent[] = []
let answers: [status: number, body: object][] = []
const meta = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  expect(request.headers.authorization).toBe('Bearer llave')
  sent.push(JSON.parse(Buffer.concat(chunks).toString()) as Sent)
  const [status, body] = answers.shift() ?? [200, { messages: [{ id: `wamid.${randomUUID()}` }] }]
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

let world: World
let db: Db
let hook: ReturnType<World['under']>
beforeAll(async () => {
  world = await openWorld()
  hook = world.under({ ...app, WHATSAPP_TOKEN: 'llave', WHATSAPP_PHONE_ID: '1' })
  const { host, user, database } = world.db.$client.options
  db = openDatabase({ host, user, database } as Connection, 4)
  await startJobs(db)
  await once(meta.listen(0, '127.0.0.1'), 'listening')
  settings.api = `http://127.0.0.1:${(meta.address() as AddressInfo).port}`
})
afterAll(async () => {
  meta.close()
  await stopJobs()
  await wait(50)
  await db.$client.end()
  await world.close()
})
beforeEach(() => {
  sent = []
  answers = []
})

const noon = new Date('2027-03-02T18:00:00Z')
let days = 0
/** Somebody who asked for messages, with a visit booked, and the letter about it. */
async function booked(optedIn = true) {
  const phone = `55${String(10_000_000 + days)}`
  const customer = await world.person({ phone })
  if (optedIn)
    await world.db.update(users).set({ whatsappOptInAt: new Date() }).where(eq(users.id, customer.id))
  const start = new Date(+noon + ++days * 24 * 3_600_000)
  const visit = await storeVisit(world, customer, await world.home(customer), start, { state: 'requested' })
  const letter = { letter: 'booked', appointmentId: visit.id, to: 'customer' } as const
  const rows = async () => rowsIn(world, whatsappMessages, { userId: customer.id })
  const send = async () => sendMessage(db, settings, { messageId: (await rows())[0]!.id, letter }, noon)
  return { customer, visit, letter, phone, rows, send }
}

test('one message for each letter of who asked for it, with neither address nor amount, sent once', async () => {
  const { letter, phone, rows, send, visit } = await booked()
  const id = randomUUID()
  await Promise.all([askForMessage(db, letter, id, noon), askForMessage(db, letter, id, noon)])
  expect(await rows()).toMatchObject([{ template: 'cita_agendada', state: 'queued' }])
  await send()
  await send()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ to: `52${phone}`, template: { name: 'cita_agendada' } })
  const words = sent[0]!.template.components[0].parameters.map(({ text }) => text)
  expect(words.slice(0, 2)).toEqual(['Visita técnica', visit.folio])
  expect(words.join(' ')).not.toContain('Calle')
  expect(await rows()).toMatchObject([{ state: 'sent', wamid: expect.stringContaining('wamid.') }])
})

test('who did not ask for it gets none; what is no longer true or wanted is dropped; at night it waits', async () => {
  const not = await booked(false)
  await askForMessage(db, not.letter, randomUUID(), noon)
  expect(await not.rows()).toEqual([])
  const { customer, letter, rows, send, visit } = await booked()
  await askForMessage(db, letter, randomUUID(), new Date('2027-03-02T08:00:00Z'))
  const { rows: jobs } = await world.db.$client.query(
    `select start_after from pgboss.job where name = 'whatsapp' and data->>'messageId' = $1`,
    [(await rows())[0]!.id],
  )
  expect(jobs[0].start_after.toISOString()).toBe('2027-03-02T14:00:00.000Z')
  await world.db
    .update(appointments)
    .set({ state: 'cancelled', closingReason: 'otro' })
    .where(eq(appointments.id, visit.id))
  await send()
  expect([sent.length, (await rows())[0]!.state]).toEqual([0, 'dropped'])
  expect(customer.id).toBe((await rows())[0]!.userId)
})

test('too many: tried again; refused: failed with its code; nobody knows: given up', async () => {
  const { letter, rows, send } = await booked()
  await askForMessage(db, letter, randomUUID(), noon)
  answers = [[429, { error: { code: 130429 } }]]
  await expect(send()).rejects.toThrow('takes nothing now')
  expect((await rows())[0]!.state).toBe('queued')
  answers = [[400, { error: { code: 131026 } }]]
  await send()
  expect((await rows())[0]).toMatchObject({ state: 'failed', fault: '131026' })
  const other = await booked()
  await askForMessage(db, other.letter, randomUUID(), noon)
  answers = [[500, {}]]
  await other.send()
  expect((await other.rows())[0]).toMatchObject({ state: 'failed', fault: 'unknown' })
})

const tell = (value: object, secret = settings.appSecret) => {
  const body = JSON.stringify({ entry: [{ changes: [{ value }] }] })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
  return hook.send(
    '/whatsapp/webhook',
    { cookies: new Map(), address: '10.9.9.9' },
    { method: 'POST', body, headers },
  )
}

test('the webhook: set up by its token, believed by its signature, each state once and never backwards', async () => {
  const ask = (token: string) =>
    hook.visit(`/whatsapp/webhook?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`)
  expect([(await ask(settings.verifyToken)).text, (await ask('otro')).status]).toEqual(['42', 403])
  expect((await world.visit('/whatsapp/webhook')).status).toBe(404)
  const { letter, rows, send } = await booked()
  await askForMessage(db, letter, randomUUID(), noon)
  await send()
  const id = (await rows())[0]!.wamid
  const status = (name: string, secret?: string) => tell({ statuses: [{ id, status: name }] }, secret)
  expect((await status('read', 'otro secreto')).status).toBe(401)
  expect((await rows())[0]!.state).toBe('sent')
  for (const name of ['delivered', 'read', 'delivered', 'sent', 'unheard-of'])
    expect((await status(name)).status).toBe(200)
  expect((await rows())[0]!.state).toBe('read')
})

/** Saves "Avisos" as a page shows them that was opened at a version: with WhatsApp ticked until then. */
const saveNotices = async (customer: Person, version: number) => {
  const form = { intent: 'notices', whatsapp: 'on', news: 'on', version: String(version) }
  return (await world.post('/cuenta', form, customer)).status
}

test('docs/privacy.md names every template that is to be registered', async () => {
  const text = await readFile('docs/privacy.md', 'utf8')
  expect(Object.values(templates).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('BAJA ends it, once, as a consent taken back, which no form that was open before undoes', async () => {
  const { customer, phone } = await booked()
  const answer = { messages: [{ from: `521${phone}`, text: { body: ' baja. ' } }] }
  await tell(answer)
  await tell(answer)
  const rows = await rowsIn(world, consents, { userId: customer.id })
  expect(rows).toMatchObject([{ kind: 'whatsapp', given: false, source: 'whatsapp' }])
  const [user] = await rowsIn(world, users, { id: customer.id })
  expect(user!.whatsappOptInAt).toBeNull()
  expect(await saveNotices(customer, user!.version - 1)).toBe(409)
  expect(await rowsIn(world, consents, { userId: customer.id })).toHaveLength(1)
  expect(await saveNotices(customer, user!.version)).toBe(303)
  expect([isOptOut('Sí, gracias'), isOptOut('BAJA'), ownDigits('15551234567')]).toEqual([false, true, null])
})
