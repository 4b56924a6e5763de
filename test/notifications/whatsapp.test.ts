import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  askTemplate,
  codeTemplate,
  isOptIn,
  isOptOut,
  ownDigits,
  templates,
} from '../../src/notifications/rules/whatsapp.ts'
import { askForMessage, sendMessage } from '../../src/notifications/whatsapp.ts'
import { consents, users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { whatsappMessages } from '../../src/platform/database/schema/cfe.ts'
import { visitAtHome } from '../kit/appointments.ts'
import type { Fixture } from '../kit/fixture.ts'
import { db, expectCount, fixture, jobsDb, openBare, openJobsDbOnce, rowsWhere, setRow } from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import { answers, openWhatsapp, sent, settings, variables } from './whatsapp-stub.ts'

openBare()
openWhatsapp()
openJobsDbOnce()
let hook: ReturnType<Fixture['under']>
beforeAll(() => {
  hook = fixture.under(variables())
})

const noon = new Date('2027-03-02T18:00:00Z')
let days = 0
/** A customer who asked for messages, with a visit booked, and the job of its message; their phone agreed before. */
async function booked(optedIn = true, agreed = true) {
  const phone = `55${String(10_000_000 + days)}`
  if (agreed) await notify({ messages: [{ from: `521${phone}`, button: { text: 'Sí, soy yo' } }] })
  const customer = await fixture.person({ phone })
  if (optedIn) await setRow(users, customer, { whatsappOptInAt: new Date() })
  const start = new Date(+noon + ++days * 24 * 3_600_000)
  const visit = await visitAtHome(customer, start, { state: 'requested' })
  const letter = { letter: 'booked', appointmentId: visit.id, to: 'customer' } as const
  const rows = () => rowsWhere(whatsappMessages, { userId: customer.id })
  const ask = (now = noon, id: string = randomUUID()) => askForMessage(jobsDb, letter, id, now)
  const send = async () => sendMessage(jobsDb, settings, { messageId: (await rows())[0]!.id, letter }, noon)
  return { customer, visit, phone, rows, ask, send }
}

test('sends one message per email to a customer who asked for it, once, without an address', async () => {
  const { ask, phone, rows, send, visit } = await booked()
  const id = randomUUID()
  await Promise.all([ask(noon, id), ask(noon, id)])
  expect(await rows()).toMatchObject([{ template: 'cita_agendada', state: 'queued' }])
  await send()
  await send()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ to: `52${phone}`, template: { name: 'cita_agendada' } })
  const words = sent[0]!.template.components[0]!.parameters.map(({ text }) => text)
  expect(words.slice(0, 2)).toEqual(['Visita técnica', visit.folio])
  expect(words.join(' ')).not.toContain('Calle')
  expect(await rows()).toMatchObject([{ state: 'sent', wamid: expect.stringContaining('wamid.') }])
})

test('queues nothing unasked, waits for the morning at night, and drops a message that is no longer true', async () => {
  const not = await booked(false)
  await not.ask()
  expect(await not.rows()).toEqual([])
  const { ask, rows, send, visit } = await booked()
  await ask(new Date('2027-03-02T08:00:00Z'))
  const { rows: jobs } = await db.$client.query(
    `select start_after from pgboss.job where name = 'whatsapp' and data->>'messageId' = $1`,
    [(await rows())[0]!.id],
  )
  expect(jobs[0].start_after.toISOString()).toBe('2027-03-02T14:00:00.000Z')
  await setRow(appointments, visit, { state: 'cancelled', closingReason: 'otro' })
  await send()
  expect([sent.length, (await rows())[0]!.state]).toEqual([0, 'dropped'])
})

test('asks a number once, sends nothing until its SÍ, and nothing after its BAJA', async () => {
  const { ask, customer, phone, rows, send } = await booked(true, false)
  await setRow(users, customer, { emailVerified: false })
  await ask()
  expect(await rows()).toEqual([])
  await setRow(users, customer, { emailVerified: true })
  await ask()
  await ask()
  await send()
  expect(await rows()).toMatchObject([{ template: askTemplate, state: 'sent' }])
  expect(sent).toMatchObject([
    { to: `52${phone}`, template: { name: askTemplate, components: [{ parameters: [] }] } },
  ])
  for (const [body, template] of [
    ['¿Quién es?', null],
    ['Sí.', 'cita_agendada'],
    ['BAJA', null],
  ] as const) {
    await notify({ messages: [{ from: `52${phone}`, text: { body } }] })
    await setRow(users, customer, { whatsappOptInAt: new Date() })
    const before = (await rows()).length
    await ask()
    expect((await rows()).slice(before).map((row) => row.template)).toEqual(template ? [template] : [])
  }
  expect([isOptIn('SI'), isOptIn('sí, soy yo'), isOptIn('No, si no fui yo')]).toEqual([true, true, false])
})

test('retries a busy service, records a refusal with its code, and gives up on an unknown failure', async () => {
  const { ask, rows, send } = await booked()
  await ask()
  answers.push([429, { error: { code: 130429 } }])
  await expect(send()).rejects.toThrow('takes nothing now')
  expect((await rows())[0]!.state).toBe('queued')
  answers.push([400, { error: { code: 131026 } }])
  await send()
  expect((await rows())[0]).toMatchObject({ state: 'failed', fault: '131026' })
  const other = await booked()
  await other.ask()
  answers.push([500, {}])
  await other.send()
  expect((await other.rows())[0]).toMatchObject({ state: 'failed', fault: 'unknown' })
})

const notify = (value: object, secret = settings.appSecret) => {
  const body = JSON.stringify({ entry: [{ changes: [{ value }] }] })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
  return hook.send('/whatsapp/webhook', fixture.visitor(), { method: 'POST', body, headers })
}

test('the webhook accepts its token and signature only, and moves a message’s state forward only', async () => {
  const verified = (token: string) =>
    hook.visit(`/whatsapp/webhook?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`)
  expect([(await verified(settings.verifyToken)).text, (await verified('otro')).status]).toEqual(['42', 403])
  await expectAnswered(fixture.visit('/whatsapp/webhook'), 404)
  const { ask, rows, send } = await booked()
  await ask()
  await send()
  const id = (await rows())[0]!.wamid
  const status = (name: string, secret?: string) => notify({ statuses: [{ id, status: name }] }, secret)
  await expectAnswered(status('read', 'otro secreto'), 401)
  expect((await rows())[0]!.state).toBe('sent')
  for (const name of ['delivered', 'read', 'delivered', 'sent', 'unheard-of'])
    await expectAnswered(status(name), 200)
  expect((await rows())[0]!.state).toBe('read')
})

test('docs/privacy.md names every template', async () => {
  const text = await readFile('docs/privacy.md', 'utf8')
  const names = [...Object.values(templates), askTemplate, codeTemplate]
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

test('BAJA withdraws the consent once, and a form opened before does not restore it', async () => {
  const { customer, phone } = await booked()
  const answer = { messages: [{ from: `521${phone}`, text: { body: ' baja. ' } }] }
  await notify(answer)
  await notify(answer)
  const rows = await rowsWhere(consents, { userId: customer.id })
  expect(rows).toMatchObject([{ kind: 'whatsapp', given: false, source: 'whatsapp' }])
  const [user] = await rowsWhere(users, { id: customer.id })
  expect(user!.whatsappOptInAt).toBeNull()
  const save = async (version: number) => {
    const form = { intent: 'notices', whatsapp: 'on', news: 'on', version: String(version) }
    return (await fixture.post('/cuenta', form, customer)).status
  }
  expect(await save(user!.version - 1)).toBe(409)
  await expectCount(consents, { userId: customer.id }, 1)
  expect(await save(user!.version)).toBe(303)
  expect([isOptOut('Sí, gracias'), isOptOut('BAJA'), ownDigits('15551234567')]).toEqual([false, true, null])
})
