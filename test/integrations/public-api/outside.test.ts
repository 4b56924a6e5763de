import SwaggerParser from '@apidevtools/swagger-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../../../src/server/accounts/limits.ts'
import {
  apiRequests,
  clients,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../../src/server/platform/database/schema/agencies.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import {
  api,
  bearing,
  document,
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

openOutsideOnce()
const kept = (id: unknown) =>
  open.db
    .select()
    .from(clients)
    .where(eq(clients.id, String(id)))
    .then(([row]) => row!)

describe('the document', () => {
  test('is OpenAPI 3.1 to a validator that is not ours, and its schemas are JSON Schema', async () => {
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
  })

  test('leads to this very server', () => {
    expect(api.defaults.baseUrl).toBe(`${origin}/api/v1`)
  })
})

describe('registering a client', () => {
  test('answers an invitation, and keeps what was told', async () => {
    const { status, data, headers } = await register()
    expect(status).toBe(201)
    expect(headers.get('ratelimit-policy')).toBe('"key";q=120;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"key";r=1[01]\d;t=\d+$/)
    expect(data).toMatchObject({
      firstName: 'Camila',
      stage: 'invited',
      waitingOn: 'customer',
      appointments: [],
    })
    const link = new URL(String(data.invitationUrl))
    expect([link.origin, link.pathname, link.searchParams.get('codigo')]).toEqual([
      origin,
      '/approach',
      'NQRTE26',
    ])
    const row = await kept(data.id)
    expect(row.inviteHash).toBe(hashOf(link.searchParams.get('registro')!))
    expect(row).toMatchObject({
      agencyId: north.id,
      allyId: north.ally.id,
      codeId: north.codeId,
      source: 'api',
    })
    expect(row).toMatchObject({ phone: '5512345678', email: 'camila@prueba.mx', lastname: 'Prueba' })
    expect(row).toMatchObject({ vehicle: { brand: 'BYD', model: null, year: 2026 }, registeredBy: null })
    expect(row.consentAt).not.toBeNull()
  })

  test('answers the same whether there is an account or not', async () => {
    const known = await open.person({ email: 'conocida@prueba.mx', phone: '5587654321' })
    const [one, other] = await Promise.all([
      register({ ...person, email: known.email, phone: '5587654321' }),
      register({ ...person, email: 'nadie@prueba.mx', phone: '5587654320' }),
    ])
    expect(one.status).toBe(201)
    expect([other.status, Object.keys(other.data)]).toEqual([one.status, Object.keys(one.data)])
    expect((await kept(one.data.id)).customerId).toBeNull()
  })

  test('under one name happens once, however often and at once it is asked for', async () => {
    const named = { idempotencyKey: 'pedido-1' }
    const who = { ...person, phone: '5522220001', email: 'uno@prueba.mx' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(who, north.key, named)))
    for (const { status, data } of answers) expect([status, data]).toEqual([201, answers[0]!.data])
    const [keptAnswer] = await open.db.select().from(apiRequests)
    expect(keptAnswer?.answer).not.toContain('registro')
    expect(said(await register({ ...who, name: 'Otra' }, north.key, named))).toEqual([
      422,
      'idempotency_key_reused',
    ])
    // The name is its caller's own.
    const theirs = await register({ ...who, code: south.code }, south.key, named)
    expect([theirs.status, theirs.data.id === answers[0]!.data.id]).toEqual([201, false])
    // What was refused is not kept under its name.
    const second = { idempotencyKey: 'pedido-2' }
    const other = { ...person, phone: '5522220002', email: 'dos@prueba.mx' }
    expect((await register({ ...other, code: 'NADA234' }, north.key, second)).status).toBe(409)
    expect((await register(other, north.key, second)).status).toBe(201)
  })

  test('asked again because the answer was lost, without a name: the one client there is, and one letter', async () => {
    const body = { ...person, name: 'Ángela', phone: '5511112222', email: 'angela@prueba.mx' }
    const tries = await Promise.all(Array.from({ length: 3 }, () => register(body)))
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    for (const { data } of tries) expect(data).toEqual(tries[0]!.data)
    const about = sql`select from pgboss.job where name = 'letter' and data ->> 'clientId' = ${String(tries[0]!.data.id)}`
    expect((await open.db.execute(about)).rowCount).toBe(1)
    // However the name is spelled; and by another name of the request's, with a new link.
    expect((await register({ ...body, name: ' angela' })).data).toEqual(tries[0]!.data)
    const named = await register(body, north.key, { idempotencyKey: 'pedido-9' })
    expect([named.status, named.data.id]).toEqual([200, tries[0]!.data.id])
    expect(named.data.invitationUrl).not.toBe(tries[0]!.data.invitationUrl)
    // However long ago that was, while the invitation is open.
    await open.db
      .update(clients)
      .set({ createdAt: new Date(Date.now() - 30 * 24 * hour) })
      .where(eq(clients.id, String(named.data.id)))
    const later = await register(body, north.key, { idempotencyKey: 'pedido-10' })
    expect([later.status, later.data.id]).toEqual([200, tries[0]!.data.id])
    // The same person for another dealership is another.
    const theirs = await register({ ...body, code: south.code }, south.key)
    expect([theirs.status, theirs.data.id === tries[0]!.data.id]).toEqual([201, false])
  })

  test('whom the dealership invited already is not registered again, as the form does not', async () => {
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

  test('one invitation too many for a mailbox says how many seconds to wait', async () => {
    const body = { ...person, phone: '5511116666', email: 'muchas@prueba.mx' }
    const many = (name: string) => register(body, north.key, { idempotencyKey: name })
    for (const name of ['uno', 'dos', 'tres']) expect((await many(name)).status).toBeLessThan(202)
    const over = await many('cuatro')
    expect(said(over)).toEqual([429, 'too_many_requests'])
    const waits = Number(over.headers.get('retry-after'))
    expect(waits).toBeGreaterThan(23 * 3600)
    expect(waits).toBeLessThanOrEqual(24 * 3600)
  })

  test.each([
    ['phone', { phone: '123' }],
    ['email', { email: 'camila' }],
    ['name', { name: ' ' }],
    ['consent', { consent: false }],
    ['vehicle.year', { vehicle: { year: 'dos mil' } }],
  ])('says what is wrong with %s', async (field, wrong) => {
    const answer = await register({ ...person, ...wrong })
    expect(said(answer)).toEqual([400, 'invalid_request'])
    const words = expect.stringMatching(/\S{3}/)
    expect(answer.data.errors).toEqual([{ field, message: words, detail: words }])
  })

  test.each([
    [{ phone: undefined }, 'phone', 'Falta phone', 'phone is missing'],
    [{ consent: undefined }, 'consent', 'Falta consent', 'consent is missing'],
    [{ consent: 'sí' }, 'consent', 'consent debe ser true', 'consent must be true'],
    [{ foo: 1 }, 'foo', 'El campo "foo" no existe', 'The field "foo" does not exist'],
    [{ name: 7 }, 'name', 'name debe ser texto', 'name must be text'],
    [
      { vehicle: { year: 1900 } },
      'vehicle.year',
      'vehicle.year debe ser de 1990 a 2100',
      'vehicle.year must be from 1990 to 2100',
    ],
    [
      { phone: '123' },
      'phone',
      expect.stringContaining('10 dígitos'),
      'phone must be a Mexican number of ten digits',
    ],
  ])('says of %j what a person and a developer understand', async (wrong, field, message, detail) => {
    const { data } = await register({ ...person, ...wrong })
    expect(data).toMatchObject({
      title: 'The request has values we cannot accept',
      errors: [{ field, message, detail }],
    })
    expect(data.message).toContain('datos que no podemos aceptar')
  })

  test.each([
    ['limit=0', 'limit debe ser de 1 a 100', 'limit must be from 1 to 100'],
    ['limit=x', 'limit debe ser de 1 a 100', 'limit must be from 1 to 100'],
    [
      'cursor=zzz',
      'cursor debe ser el "next" de la página anterior, tal como llegó',
      expect.stringContaining('the "next"'),
    ],
    [
      'stage=nada',
      expect.stringContaining('stage debe ser uno de estos: "invited"'),
      expect.stringContaining('stage must be one of'),
    ],
  ])('says of ?%s the same way', async (query, message, detail) => {
    const answer = await fetch(`${origin}/api/v1/clients?${query}`, bearing(north.key))
    expect(await answer.json()).toMatchObject({ errors: [{ message, detail }] })
  })

  test('takes only a code of one’s own that serves', async () => {
    await insertCode(open.db, north, 'PAVSADA2', { state: 'paused' })
    await insertCode(open.db, north, 'VENCQDA2', { endsOn: '2026-01-02' })
    for (const code of ['PAVSADA2', 'VENCQDA2', south.code, 'NADA234', '!'])
      expect([code, said(await register({ ...person, code }))]).toEqual([code, [409, 'code_unusable']])
  })

  test('reads the car as it reads everything else that was typed', async () => {
    const vehicle = { brand: ' B\u0000Y\u202eD\ud800 ', model: '\u200b' }
    const { status, data } = await register({ ...person, phone: '5522220003', email: undefined, vehicle })
    expect([status, (await kept(data.id)).vehicle]).toEqual([
      201,
      { brand: 'BYD', model: null, year: null, deliveredOn: null },
    ])
    expect((await api.listClients({ code: 'NQR\u0000' }, bearing(north.key))).data.data).toEqual([])
  })

  test('knows a mailbox however it is spelled; each agency by itself', async () => {
    let phone = 5522220010
    const to = (email: string, dealer = north) =>
      register({ ...person, email, phone: String(phone++), code: dealer.code }, dealer.key)
    expect((await to('una.vez@gmail.com')).status).toBe(201)
    for (const email of ['unavez@gmail.com', 'unavez+2@gmail.com', 'UnaVez@googlemail.com'])
      expect(said(await to(email))).toEqual([409, 'client_exists'])
    expect((await to('unavez@gmail.com', south)).status).toBe(201)
  })

  test('takes nothing but JSON, and little of it', async () => {
    const send = async (type: string, body: string) => {
      const headers = { authorization: `Bearer ${north.key}`, 'content-type': type }
      const answer = await fetch(`${origin}/api/v1/clients`, { method: 'POST', headers, body })
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    expect(await send('text/plain', JSON.stringify(person))).toEqual([415, 'media_type'])
    expect(await send('application/json', '{"name":')).toEqual([400, 'invalid_request'])
    expect(await send('application/json', JSON.stringify({ ...person, apellido: 'x' }))).toEqual([
      400,
      'invalid_request',
    ])
    expect(await send('application/json', `"${'x'.repeat(70_000)}"`)).toEqual([413, 'body_too_large'])
  })
})

describe('clients', () => {
  test('are told as they stand, and nothing else of them', async () => {
    const customer = await open.person({ name: 'Carlos', lastname: 'Secreto', phone: '5599998888' })
    const id = await joined(open.db, north, customer)
    const startsAt = new Date(Date.now() + 48 * hour)
    const visit = { agencyId: north.id, assigneeId: (await open.person({ kind: 'tecnician' })).id }
    const home = await open.home(customer)
    await storeVisit(open, customer, home, startsAt, visit)
    await storeVisit(open, customer, home, startsAt, { ...visit, state: 'cancelled' })
    const { status, data } = await api.getClient(id, bearing(north.key))
    expect(status).toBe(200)
    expect(data).toEqual({
      id,
      firstName: 'Carlos',
      stage: 'visit',
      waitingOn: 'technician',
      appointments: [{ type: 'technical_visit', startsAt: startsAt.toISOString() }],
      since: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    for (const other of [id, crypto.randomUUID(), 'x'])
      expect(said(await api.getClient(other, bearing(south.key)))).toEqual([404, 'not_found'])
  })

  test('come by pages, all of them once, and narrowed', async () => {
    const all: unknown[] = []
    let cursor: string | undefined
    do {
      const { data } = await api.listClients({ limit: 2, ...(cursor && { cursor }) }, bearing(north.key))
      all.push(...(data.data as { id: string }[]).map(({ id }) => id))
      cursor = (data.next as string | null) ?? undefined
    } while (cursor)
    const whole = await api.listClients({}, bearing(north.key))
    expect(all).toEqual((whole.data.data as { id: string }[]).map(({ id }) => id))
    expect(new Set(all).size).toBe(all.length)
    const count = async (filters: object) =>
      ((await api.listClients(filters, bearing(north.key))).data.data as unknown[]).length
    expect(await count({ stage: 'visit' })).toBe(1)
    expect(await count({ code: 'nqrte26' })).toBe(all.length)
    expect(await count({ code: south.code })).toBe(0)
    for (const list of [api.listClients, api.listCodes, api.listEvents])
      expect(said(await list({ cursor: 'zzz' }, bearing(north.key)))).toEqual([400, 'invalid_request'])
    expect(said(await api.listClients({ stage: 'nada' }, bearing(north.key)))).toEqual([
      400,
      'invalid_request',
    ])
    expect(said(await api.listClients({ limit: 1000 }, bearing(north.key)))).toEqual([400, 'invalid_request'])
  })
})

test('codes are one’s own, with how they stand', async () => {
  const { status, data } = await api.listCodes({}, bearing(north.key))
  expect(status).toBe(200)
  const states = (data.data as { code: string; state: string }[]).map(({ code, state }) => [code, state])
  expect(states).toEqual([
    ['NQRTE26', 'active'],
    ['PAVSADA2', 'paused'],
    ['VENCQDA2', 'expired'],
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

  test('are told once they are settled, and sent again to whoever listens', async () => {
    const settled = await event(south.id, 60_000)
    const fresh = await event(south.id, 0)
    const foreign = await event(north.id, 60_000)
    const { data } = await api.listEvents({}, bearing(south.key))
    expect(data).toEqual({ data: [settled], next: null })
    expect(said(await api.replayEvent(foreign.id, bearing(south.key)))).toEqual([404, 'not_found'])
    expect(said(await api.replayEvent('x', bearing(south.key)))).toEqual([404, 'not_found'])
    expect(said(await api.replayEvent(fresh.id, bearing(south.key)))).toEqual([409, 'conflict'])
  })

  test('are tried with a message about nobody, where somebody listens', async () => {
    expect(said(await api.testWebhooks(bearing(south.key)))).toEqual([409, 'conflict'])
    const [made] = await open.db
      .insert(webhookEndpoints)
      .values({ agencyId: south.id, url: 'https://sistema.example/', secret: 'sellado', madeBy: manager.id })
      .returning()
    const { status, data } = await api.testWebhooks(bearing(south.key))
    expect([status, data]).toEqual([202, { deliveries: 1 }])
    expect(await open.db.$count(webhookDeliveries, eq(webhookDeliveries.endpointId, made!.id))).toBe(1)
  })
})
