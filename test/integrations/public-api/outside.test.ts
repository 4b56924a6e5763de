import SwaggerParser from '@apidevtools/swagger-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { eq } from 'drizzle-orm'
import {
  apiRequests,
  clients,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../../src/platform/database/schema/agencies.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { hashOf } from '../../../src/platform/http/sealing.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import {
  api,
  bearing,
  document,
  expectProblem,
  insertCode,
  joined,
  manager,
  north,
  open,
  openOutsideOnce,
  origin,
  person,
  register,
  said,
  south,
} from '../../kit/public-api.ts'
import { emailsAbout, expectAnswered, expectStatuses, rowIn, setIn } from '../../kit/reading.ts'

openOutsideOnce()
const kept = async (id: unknown) => (await rowIn(open, clients, { id: String(id) }))!
const listed = async (filters: Parameters<typeof api.listClients>[0] = {}) => {
  const { data } = await api.listClients(filters, bearing(north.key))
  return data as { data: { id: string }[]; next: string | null }
}

test('the document is OpenAPI 3.1 to another validator, has JSON Schemas, and names this server', async () => {
  await SwaggerParser.validate(JSON.parse(document))
  const broken = { ...JSON.parse(document), paths: { '/clients': { get: { responses: 'no' } } } }
  await expect(SwaggerParser.validate(broken)).rejects.toThrow()
  const { components, openapi, webhooks } = JSON.parse(document)
  expect(openapi).toBe('3.1.0')
  expect(Object.keys(webhooks)).toEqual(['client.stage_changed'])
  const schemas = new Ajv2020({ strict: false, validateFormats: false })
  schemas.addSchema({ $id: 'document', components })
  for (const name of Object.keys(components.schemas))
    expect(schemas.compile({ $ref: `document#/components/schemas/${name}` })).toBeTypeOf('function')
  expect(api.defaults.baseUrl).toBe(`${origin}/api/v1`)
})

test('registering a client returns an invitation, and stores what was sent', async () => {
  const { status, data, headers } = await register()
  expect(status).toBe(201)
  expect(headers.get('ratelimit-policy')).toBe('"key";q=120;w=60')
  expect(headers.get('ratelimit')).toMatch(/^"key";r=1[01]\d;t=\d+$/)
  const client = { firstName: 'Camila', stage: 'invited', waitingOn: 'customer', appointments: [] }
  expect(data).toMatchObject(client)
  const link = new URL(String(data.invitationUrl))
  expect(`${link.origin}${link.pathname}`).toBe(`${origin}/approach`)
  expect(link.searchParams.get('codigo')).toBe('NQRTE26')
  expect(await kept(data.id)).toMatchObject({
    inviteHash: hashOf(link.searchParams.get('registro')!),
    agencyId: north.id,
    allyId: north.ally.id,
    codeId: north.codeId,
    source: 'api',
    phone: '5512345678',
    email: 'camila@prueba.mx',
    lastname: 'Prueba',
    vehicle: { brand: 'BYD', model: null, year: 2026 },
    registeredBy: null,
    consentAt: expect.any(Date),
  })
})

test('registering a client answers the same with and without an account', async () => {
  const known = { email: 'conocida@prueba.mx', phone: '5587654321' }
  await open.person(known)
  const one = await register({ ...person, ...known })
  const other = await register({ ...person, email: 'nadie@prueba.mx', phone: '5587654320' })
  expect(one.status).toBe(201)
  expect([other.status, Object.keys(other.data)]).toEqual([one.status, Object.keys(one.data)])
  expect((await kept(one.data.id)).customerId).toBeNull()
})

test('registering a client happens once per idempotency key and caller, also for concurrent requests; refusals are not kept', async () => {
  const named = { idempotencyKey: 'pedido-1' }
  const who = { ...person, phone: '5522220001', email: 'uno@prueba.mx' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => register(who, north.key, named)))
  for (const { status, data } of answers) expect([status, data]).toEqual([201, answers[0]!.data])
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(7)
  const [keptAnswer] = await open.db.select().from(apiRequests)
  expect(keptAnswer?.answer).not.toContain('registro')
  await expectProblem(register({ ...who, name: 'Otra' }, north.key, named), 422, 'idempotency_key_reused')
  const theirs = await register({ ...who, code: south.code }, south.key, named)
  expect(theirs.status).toBe(201)
  expect(theirs.data.id).not.toBe(answers[0]!.data.id)
  const second = { idempotencyKey: 'pedido-2' }
  const other = { ...person, phone: '5522220002', email: 'dos@prueba.mx' }
  await expectAnswered(register({ ...other, code: 'NADA234' }, north.key, second), 409)
  await expectAnswered(register(other, north.key, second), 201)
})

test('registering a client without an idempotency key returns the open invitation of the same person, with one email', async () => {
  const body = { ...person, name: 'Ángela', phone: '5511112222', email: 'angela@prueba.mx' }
  const tries = await Promise.all(Array.from({ length: 3 }, () => register(body)))
  expectStatuses(tries, 200, 200, 201)
  for (const { data } of tries) expect(data).toEqual(tries[0]!.data)
  expect(await emailsAbout(open, String(tries[0]!.data.id))).toHaveLength(1)
  expect((await register({ ...body, name: ' angela' })).data).toEqual(tries[0]!.data)
  // However long ago that was, while the invitation is open.
  const id = String(tries[0]!.data.id)
  await setIn(open, clients, id, { createdAt: new Date(Date.now() - 30 * 24 * hour) })
  const named = await register(body, north.key, { idempotencyKey: 'pedido-9' })
  expect(named).toMatchObject({ status: 200, data: { id } })
  expect(named.data.invitationUrl).not.toBe(tries[0]!.data.invitationUrl)
  // The same person for another dealership is another.
  await expectAnswered(register({ ...body, code: south.code }, south.key), 201)
})

test('registering a client refuses a phone or mailbox that the agency invited, or of its allies', async () => {
  const invited = { phone: '5511113333', email: 'sara.m@gmail.com' }
  const counter = { agencyId: north.id, source: 'counter', name: 'Sara', waitingOn: 'customer' } as const
  const inviteExpiresAt = new Date(Date.now() + 24 * hour)
  const agreed = { consentAt: new Date(), consentVersion: '1', inviteHash: hashOf('sara'), inviteExpiresAt }
  const by = { allyId: north.ally.id, registeredBy: north.ally.id, codeId: north.codeId }
  await open.db.insert(clients).values({ ...counter, ...invited, ...agreed, ...by })
  const count = () => open.db.$count(clients, eq(clients.agencyId, north.id))
  const before = await count()
  for (const [field, again] of [
    ['phone', { ...person, name: 'Sara', ...invited }],
    ['phone', { ...person, name: 'Otra', phone: invited.phone, email: undefined }],
    ['email', { ...person, name: 'Otra', phone: '5511114444', email: 'SaraM+auto@googlemail.com' }],
    ['email', { ...person, name: 'Alicia', phone: '5511115555', email: north.ally.email }],
  ] as const) {
    const answer = await register(again)
    expect([again.name, ...said(answer)]).toEqual([again.name, 409, 'client_exists'])
    expect(answer.data.errors).toMatchObject([{ field }])
  }
  expect(await count()).toBe(before)
})

test('registering a client limits the invitations of a mailbox, and says how long to wait', async () => {
  const body = { ...person, phone: '5511116666', email: 'muchas@prueba.mx' }
  const many = (name: string) => register(body, north.key, { idempotencyKey: name })
  for (const name of ['uno', 'dos', 'tres']) expect((await many(name)).status).toBeLessThan(202)
  const over = await many('cuatro')
  await expectProblem(over, 429, 'too_many_requests')
  const waits = Number(over.headers.get('retry-after'))
  expect(waits).toBeGreaterThan(23 * 3600)
  expect(waits).toBeLessThanOrEqual(24 * 3600)
})

test.each([
  [{ phone: undefined }, 'phone', 'Falta phone', 'phone is missing'],
  [{ consent: 'sí' }, 'consent', 'consent debe ser true', 'consent must be true'],
  [{ foo: 1 }, 'foo', 'El campo «foo» no existe.', 'The field "foo" does not exist.'],
  [{ name: 7 }, 'name', 'name debe ser texto', 'name must be text'],
  [
    { vehicle: { year: 1900 } },
    'vehicle.year',
    'vehicle.year debe ser de 1990 a 2100',
    'vehicle.year must be from 1990 to 2100',
  ],
])('registering a client explains %j in Spanish and English', async (wrong, field, message, detail) => {
  const { status, data } = await register({ ...person, ...wrong })
  expect([status, data.code]).toEqual([400, 'invalid_request'])
  expect(data).toMatchObject({
    title: 'The request has values we cannot accept',
    errors: [{ field, message, detail }],
  })
  expect(data.message).toContain('datos que no podemos aceptar')
})

test('registering a client names all wrong fields at once', async () => {
  const wrong = { name: '7', phone: '123', code: 'NOEXISTE', consent: 'true', vehicle: { year: 1 } }
  const { data } = await register({ ...person, ...wrong })
  const fields = (data.errors as { field: string }[]).map(({ field }) => field)
  expect(fields.toSorted()).toEqual(['code', 'consent', 'name', 'phone', 'vehicle.year'])
})

test.each([
  ['limit=0', 'limit debe ser de 1 a 100', 'limit must be from 1 to 100'],
  [
    'stage=nada',
    expect.stringContaining('stage debe ser uno de estos: "invited"'),
    expect.stringContaining('stage must be one of'),
  ],
])('registering a client explains ?%s in Spanish and English', async (query, message, detail) => {
  const answer = await fetch(`${origin}/api/v1/clients?${query}`, bearing(north.key))
  expect(await answer.json()).toMatchObject({ errors: [{ message, detail }] })
})

test('registering a client refuses codes that are paused, expired, of another agency, unknown or invalid', async () => {
  await insertCode(open.db, north, 'PAVSADA2', { state: 'paused' })
  await insertCode(open.db, north, 'VENCQDA2', { endsOn: '2026-01-02' })
  for (const code of ['PAVSADA2', 'VENCQDA2', south.code, 'NADA234', '!'])
    expect([code, said(await register({ ...person, code }))]).toEqual([code, [409, 'code_unusable']])
})

test('registering a client keeps the reference of the dealership, and of a name without last name the first', async () => {
  const unnamed = { name: 'Marta Prueba', lastname: undefined, email: undefined }
  const dealt = { ...person, ...unnamed, phone: '5522220008', reference: ' DMS 1 ' }
  const { data } = await register(dealt)
  const again = await register({ ...dealt, reference: 'DMS 2' })
  expect([data.reference, again.data.reference, data.firstName]).toEqual(['DMS 1', 'DMS 2', 'Marta'])
  const found = { id: data.id, firstName: 'Marta', vehicle: { brand: 'BYD', model: null } }
  expect((await listed({ reference: 'DMS 2' })).data).toMatchObject([found])
  expect((await listed({ reference: 'DMS 1' })).data).toEqual([])
})

test('registering a client cleans the vehicle as all text', async () => {
  const vehicle = { brand: ' B\u0000Y\u202eD\ud800 ', model: '\u200b' }
  const { status, data } = await register({ ...person, phone: '5522220003', email: undefined, vehicle })
  expect(status).toBe(201)
  expect((await kept(data.id)).vehicle).toEqual({ brand: 'BYD', model: null, year: null, deliveredOn: null })
  expect((await listed({ code: 'NQR\u0000' })).data).toEqual([])
})

test('registering a client accepts only valid JSON of limited size', async () => {
  const send = async (type: string, body: string) => {
    const headers = { authorization: `Bearer ${north.key}`, 'content-type': type }
    const answer = await fetch(`${origin}/api/v1/clients`, { method: 'POST', headers, body })
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  expect(await send('text/plain', JSON.stringify(person))).toEqual([415, 'media_type'])
  expect(await send('application/json', '{"name":')).toEqual([400, 'invalid_request'])
  expect(await send('application/json', `"${'x'.repeat(70_000)}"`)).toEqual([413, 'body_too_large'])
})

test('clients are returned with first name, stage and next appointment only, to their agency', async () => {
  const customer = await open.person({ name: 'Carlos', lastname: 'Secreto', phone: '5599998888' })
  const id = await joined(open.db, north, customer)
  const startsAt = new Date(Date.now() + 48 * hour)
  const visit = { agencyId: north.id, assigneeId: (await open.person({ kind: 'tecnician' })).id }
  const home = await open.home(customer)
  const vehicle = { brand: 'BYD', model: 'Dolphin', year: 2026, deliveredOn: null }
  await open.db.update(projects).set({ vehicle }).where(eq(projects.customerId, customer.id))
  await storeVisit(open, customer, home, startsAt, visit)
  await storeVisit(open, customer, home, startsAt, { ...visit, state: 'cancelled' })
  const { status, data } = await api.getClient(id, bearing(north.key))
  expect(status).toBe(200)
  expect(data).toEqual({
    id,
    firstName: 'Carlos',
    vehicle: { brand: 'BYD', model: 'Dolphin' },
    reference: null,
    stage: 'visit',
    waitingOn: 'technician',
    appointments: [{ type: 'technical_visit', startsAt: startsAt.toISOString() }],
    since: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  for (const other of [id, crypto.randomUUID(), 'x'])
    await expectProblem(api.getClient(other, bearing(south.key)), 404, 'not_found')
})

test('clients are listed once across pages, and filtered', async () => {
  const all: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await listed({ limit: 2, ...(cursor && { cursor }) })
    all.push(...page.data)
    cursor = page.next
  }
  expect(all).toEqual((await listed()).data)
  const count = async (filters: object) => (await listed(filters)).data.length
  expect(await count({ stage: 'visit' })).toBe(1)
  expect(await count({ code: 'nqrte26' })).toBe(all.length)
  expect(await count({ code: south.code })).toBe(0)
  for (const list of [api.listClients, api.listCodes, api.listEvents])
    await expectProblem(list({ cursor: 'zzz' }, bearing(north.key)), 400, 'invalid_request')
})

test('lists the codes of the agency with their states', async () => {
  const { status, data } = await api.listCodes({}, bearing(north.key))
  expect(status).toBe(200)
  expect(data.data).toMatchObject([
    { code: 'NQRTE26', state: 'active' },
    { code: 'PAVSADA2', state: 'paused' },
    { code: 'VENCQDA2', state: 'expired' },
  ])
})

describe('events', () => {
  const event = async (agencyId: string, age: number) => {
    const at = new Date(Date.now() - age)
    const data = { clientId: crypto.randomUUID(), from: 'intake', to: 'visit', waitingOn: 'customer' }
    const type = 'client.stage_changed'
    const payload = { type, timestamp: at.toISOString(), data } as const
    const row = { agencyId, type, payload, createdAt: at } as const
    const [made] = await open.db.insert(webhookEvents).values(row).returning()
    return { id: made!.id, ...payload }
  }

  test('are listed once settled, and replayed for their agency only', async () => {
    const settled = await event(south.id, 60_000)
    const fresh = await event(south.id, 0)
    const foreign = await event(north.id, 60_000)
    const { data } = await api.listEvents({}, bearing(south.key))
    expect(data).toEqual({ data: [settled], next: null })
    await expectProblem(api.replayEvent(foreign.id, bearing(south.key)), 404, 'not_found')
    await expectProblem(api.replayEvent('x', bearing(south.key)), 404, 'not_found')
    await expectProblem(api.replayEvent(fresh.id, bearing(south.key)), 409, 'conflict')
  })

  test('are tested with a message to each endpoint, and refused without one', async () => {
    await expectProblem(api.testWebhooks(bearing(south.key)), 409, 'conflict')
    const [made] = await open.db
      .insert(webhookEndpoints)
      .values({ agencyId: south.id, url: 'https://sistema.example/', secret: 'sellado', madeBy: manager.id })
      .returning()
    const { status, data } = await api.testWebhooks(bearing(south.key))
    expect([status, data]).toEqual([202, { deliveries: 1 }])
    expect(await open.db.$count(webhookDeliveries, eq(webhookDeliveries.endpointId, made!.id))).toBe(1)
  })
})
