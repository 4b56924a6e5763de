import { Ajv2020 } from 'ajv/dist/2020.js'
import { sql } from 'drizzle-orm'
import { scopeNames } from '../../../src/agencies/rules/integrations.ts'
import { revokeKey } from '../../../src/integrations/public-api/keys.ts'
import { routes } from '../../../src/integrations/public-api/routes.ts'
import {
  apiKeys,
  apiRequests,
  clients,
  webhookDeliveries,
  webhookEvents,
} from '../../../src/platform/database/schema/agencies.ts'
import { agencies } from '../../../src/platform/database/schema/projects.ts'
import { hashOf } from '../../../src/platform/http/sealing.ts'
import {
  api,
  bearing,
  dealership,
  document,
  expectProblem,
  keyFor,
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
import { expectAnswered, rowIn, setIn } from '../../kit/reading.ts'

openOutsideOnce()

describe('a sandbox key', () => {
  /** All that a request could have changed. */
  const counts = async () => {
    const tables = [clients, apiRequests, webhookEvents, webhookDeliveries]
    const { rows } = await open.db.execute(sql`select count(*) from pgboss.job`)
    return [rows, ...(await Promise.all(tables.map((table) => open.db.$count(table))))]
  }

  test('is validated as any other, and reads and writes nothing of its agency', async () => {
    const key = await keyFor(open.db, manager, north.id, scopeNames, new Date(), true)
    expect(key).toMatch(/^cec_prueba_[A-Za-z0-9]{43}$/)
    const held = bearing(key)
    const made = await register({ ...person, code: 'VERDE26' }, key, { idempotencyKey: 'prueba-1' })
    expect([made.status, made.data.firstName, made.data.stage]).toEqual([201, 'Camila', 'invited'])
    expect((await register({ ...person, code: 'verde26' }, key)).data.id).toBe(made.data.id)
    await expectProblem(register({ ...person, code: north.code }, key), 409, 'code_unusable')
    await expectProblem(register({ ...person, phone: '123' }, key), 400, 'invalid_request')
    const listed = await api.listClients({}, held)
    const first = (listed.data.data as { id: string }[])[0]!
    expect((await api.getClient(first.id, held)).data).toEqual(first)
    expect(await paged(held)).toEqual(listed.data.data)
    const { data: theirs } = await register({ ...person, email: undefined }, north.key)
    const before = await counts()
    await expectProblem(api.getClient(String(theirs.id), held), 404, 'not_found')
    const codes = (await api.listCodes({}, held)).data.data as { code: string }[]
    expect(codes.map(({ code }) => code)).not.toContain(north.code)
    const [event] = (await api.listEvents({}, held)).data.data as { id: string }[]
    expect((await api.replayEvent(event!.id, held)).data).toEqual({ deliveries: 1 })
    await expectProblem(api.replayEvent(crypto.randomUUID(), held), 404, 'not_found')
    expect((await api.testWebhooks(held)).data).toEqual({ deliveries: 1 })
    expect(await counts()).toEqual(before)
  })

  /** All clients, one a page. */
  async function paged(held: ReturnType<typeof bearing>) {
    const all: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data } = await api.listClients({ limit: 1, ...(cursor && { cursor }) }, held)
      all.push(...(data.data as unknown[]))
      cursor = data.next as string | null
    }
    return all
  }

  test('answers as the document specifies', async () => {
    const held = bearing(await keyFor(open.db, manager, north.id, scopeNames, new Date(), true))
    const judge = new Ajv2020({ strict: false, validateFormats: false })
    judge.addSchema({ $id: 'document', components: JSON.parse(document).components })
    const made = await register({ ...person, code: 'VERDE26' }, held.headers.Authorization!.slice(7))
    for (const [name, { data }] of [
      ['RegisteredClient', made],
      ['ClientPage', await api.listClients({}, held)],
      ['CodePage', await api.listCodes({}, held)],
      ['EventPage', await api.listEvents({}, held)],
      ['Problem', await register({}, held.headers.Authorization!.slice(7))],
    ] as const) {
      judge.validate(`document#/components/schemas/${name}`, data)
      expect([name, judge.errorsText()]).toEqual([name, 'No errors'])
    }
  })
})

describe('refuses', () => {
  const refuses = (key: string, status: number, code: string) =>
    expectProblem(api.listCodes({}, bearing(key)), status, code)

  test('a missing, unknown, expired or revoked key', async () => {
    const bare = await api.listCodes({}, { headers: {} })
    expect([...said(bare), bare.headers.get('www-authenticate')]).toEqual([401, 'key_missing', 'Bearer'])
    await refuses('cec_nada', 401, 'key_unknown')
    await refuses(north.key.slice(0, -1), 401, 'key_unknown')
    const old = await keyFor(open.db, manager, north.id, ['codes:read'], new Date('2026-01-01'))
    await refuses(old, 401, 'key_expired')
    const gone = await keyFor(open.db, manager, north.id)
    await expectAnswered(api.listCodes({}, bearing(gone)), 200)
    const row = await rowIn(open, apiKeys, { keyHash: hashOf(gone) })
    expect(row!.lastUsedAt).not.toBeNull()
    await revokeKey(open.db, manager.actor, north.id, row!.id, new Date())
    await refuses(gone, 401, 'key_revoked')
  })

  test('a key of an inactive agency', async () => {
    const east = await dealership(open.db, manager, 'ESTE234')
    await setIn(open, agencies, east, { active: false })
    await refuses(east.key, 401, 'agency_inactive')
  })

  test('requests beyond the scopes of the key', async () => {
    const held = bearing(await keyFor(open.db, manager, north.id, ['codes:read']))
    await expectAnswered(api.listCodes({}, held), 200)
    for (const asked of [
      api.createClient({}, {}, held),
      api.listClients({}, held),
      api.getClient(crypto.randomUUID(), held),
      api.listEvents({}, held),
      api.replayEvent(crypto.randomUUID(), held),
      api.testWebhooks(held),
    ])
      await expectProblem(asked, 403, 'scope_missing')
  })

  test('more than 120 requests a minute of one key, or 60 with unknown keys of one address', async () => {
    const key = await keyFor(open.db, manager, north.id)
    const times = (count: number) =>
      Promise.all(Array.from({ length: count }, () => api.listCodes({}, bearing(key))))
    await times(1)
    await open.db.execute(sql`update limits set count = 110 where key like 'api by key%' and count = 1`)
    const over = (await times(15)).filter(({ status }) => status === 429)
    expect(over).toHaveLength(5)
    await expectProblem(over[0]!, 429, 'too_many_requests')
    expect(Number(over[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectAnswered(api.listCodes({}, bearing(south.key)), 200)
    await refuses('cec_0', 401, 'key_unknown')
    await open.db.execute(sql`update limits set count = 60 where key like 'unknown api keys%'`)
    await refuses('cec_1', 429, 'too_many_requests')
    await expectAnswered(api.listCodes({}, bearing(south.key)), 200)
  })

  test('an unknown address', async () => {
    const answer = await fetch(`${origin}/api/v1/nada`, bearing(south.key))
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      type: `${origin}/api/v1#problema-route_not_found`,
      status: 404,
      code: 'route_not_found',
      message: 'Esta dirección no existe. Mira /api/v1.',
      requestId: answer.headers.get('x-request-id'),
    })
  })

  test('a query parameter that there is not, at every operation', async () => {
    for (const { method, path } of routes) {
      const address = `${origin}/api/v1${path.replace('{id}', crypto.randomUUID())}?phone=5512345678`
      expect(await (await fetch(address, { method, ...bearing(south.key) })).json(), path).toMatchObject({
        status: 400,
        errors: [{ field: 'phone', message: 'El parámetro «phone» no existe.' }],
      })
    }
  })

  test.each([
    ['PATCH', `/clients/${crypto.randomUUID()}`, 'GET'],
    ['GET', `/events/${crypto.randomUUID()}/replay`, 'POST'],
  ])('%s of %s', async (method, path, allowed) => {
    const answer = await fetch(`${origin}/api/v1${path}`, { method, ...bearing(south.key) })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' })
  })
})
