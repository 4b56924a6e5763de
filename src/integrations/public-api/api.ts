import { type Hook, OpenAPIHono } from '@hono/zod-openapi'
import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { clientCustomers, clientVehicle } from '../../agencies/client-rows.ts'
import { plainName, registerAgain } from '../../agencies/join.ts'
import { codeStateBy, referralCodeIn } from '../../agencies/rules/codes.ts'
import { failedStates, type Service } from '../../appointments/rules/appointment.ts'
import { refreshClients } from '../../customers/clients.ts'
import type { Db } from '../../platform/database/client.ts'
import { cutPage, listed } from '../../platform/database/lists.ts'
import { clients, codes } from '../../platform/database/schema/agencies.ts'
import { hashOf } from '../../platform/http/sealing.ts'
import { announce } from '../../platform/live/announcements.ts'
import { log } from '../../platform/telemetry/log.ts'
import { Refusal, refusals } from '../../shared/refusal.ts'
import { eventsOf } from '../webhooks/endpoints.ts'
import { replayEvent, testAll } from '../webhooks/events.ts'
import { type ApiCaller, type ApiEnv, once, withKey } from './keys.ts'
import { ApiProblem, answerProblem, apiProblemOf, invalidFields, rule } from './problems.ts'
import {
  apiDocument,
  createClientRoute,
  getClientRoute,
  listClientsRoute,
  listCodesRoute,
  listEventsRoute,
  replay,
  routes,
  testWebhooks,
} from './routes.ts'
import { triedClient, triedClients, triedCodes, triedDeliveries, triedEvents } from './sandbox.ts'
import type { clientFilterQuery, event, paging } from './schemas.ts'
import {
  type ApiClient,
  type ApiNewClient,
  invitedClient,
  MAX_LIMIT,
  newClientFields,
  newClientRules,
} from './schemas.ts'

/** Larger than any client one could register. */
const largest = 64 * 1024

/**
 * The interface of dealerships' own systems, below /api/v1. A key says whose system it is, in a header that no browser
 * sends by itself: neither sessions nor the origin of a request mean anything here. Its page is a screen.
 */
export function dealershipApi({
  db,
  env,
  site,
}: {
  db: Db
  env: { baseUrl: string; TERMS_VERSION: string }
  site: { brand: string }
}) {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseWrong })
  let document: string | undefined
  app.get('/openapi.json', (c) => {
    document ??= JSON.stringify(apiDocument(site.brand, env.baseUrl))
    return c.body(document, 200, {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
    })
  })
  app.use('/:operation/*', withKey(db))
  const onError = () => {
    throw new ApiProblem('body_too_large')
  }
  app.use('/:operation/*', bodyLimit({ maxSize: largest, onError }))
  answerClients(app, { db, baseUrl: env.baseUrl, termsVersion: env.TERMS_VERSION })
  answerTheRest(app, db)
  app.all('/:operation/*', (c) => {
    const allowed = methodsAt(c.req.path)
    if (allowed.length === 0) throw new ApiProblem('route_not_found')
    c.header('allow', allowed.join(', '))
    throw new ApiProblem('method_not_allowed')
  })
  app.onError((error, c) => {
    if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
    const problem = apiProblemOf(error) ?? new ApiProblem('internal')
    if (problem.code === 'internal') log.error({ err: error, req: c.get('requestId') }, 'API request failed')
    if (problem.code === 'unavailable') c.header('retry-after', '2')
    return answerProblem(c, problem, env.baseUrl)
  })
  return app
}

/** A key for trying is answered with examples, once its request has passed every check. */
const tries = (c: Context<ApiEnv>) => c.get('caller').sandbox

/** What may be asked at a path of the interface. */
const methodsAt = (path: string) =>
  routes
    .filter((route) => new RegExp(`^/api/v1${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(({ method }) => method.toUpperCase())

type Parts = { db: Db; baseUrl: string; termsVersion: string }

function answerClients(app: OpenAPIHono<ApiEnv>, { db, ...address }: Parts) {
  app.openapi(createClientRoute, async (c) => {
    const { 'idempotency-key': name } = c.req.valid('header')
    const sent = { name, sent: c.req.valid('json') }
    if (tries(c)) return c.json(triedClient(readClient(sent.sent), address.baseUrl, new Date()), 201)
    const { client, isNew, replayed } = await register(db, c.get('caller'), sent, address, new Date())
    if (replayed) c.header('Idempotent-Replayed', 'true')
    return isNew ? c.json(client, 201) : c.json(client, 200)
  })
  app.openapi(listClientsRoute, async (c) => {
    if (tries(c)) return c.json(triedClients(c.req.valid('query')), 200)
    return c.json(await clientRows(db, c.get('caller').agencyId, c.req.valid('query'), new Date()), 200)
  })
  app.openapi(getClientRoute, async (c) => {
    const { id } = c.req.valid('param')
    const row = tries(c)
      ? triedClients().data.find((one) => one.id === id)
      : await clientRow(db, c.get('caller').agencyId, id, new Date())
    if (!row) throw new ApiProblem('not_found')
    return c.json(row, 200)
  })
}

function answerTheRest(app: OpenAPIHono<ApiEnv>, db: Db) {
  app.openapi(listCodesRoute, async (c) => {
    if (tries(c)) return c.json(triedCodes, 200)
    return c.json(await codeRows(db, c.get('caller').agencyId, c.req.valid('query'), new Date()), 200)
  })
  app.openapi(listEventsRoute, async (c) => {
    if (tries(c)) return c.json(triedEvents, 200)
    return c.json(await eventRows(db, c.get('caller').agencyId, c.req.valid('query')), 200)
  })
  app.openapi(replay, async (c) => {
    const { id } = c.req.valid('param')
    if (tries(c)) return c.json(triedDeliveries(id), 202)
    return c.json({ deliveries: someOf(await replayEvent(db, c.get('caller').agencyId, id)) }, 202)
  })
  app.openapi(testWebhooks, async (c) => {
    if (tries(c)) return c.json(triedDeliveries(), 202)
    return c.json({ deliveries: someOf(await testAll(db, c.get('caller').agencyId, new Date())) }, 202)
  })
}

/** An id that can't be one is no person's, like any other that is not theirs. */
const refuseWrong: Hook<unknown, ApiEnv, string, never> = (result) => {
  if (result.success) return undefined as never
  if (result.target === 'param') throw new ApiProblem('not_found')
  const { issues } = result.error
  const named = new Set(issues.map(({ path }) => path[0]))
  const others = result.target === 'json' ? wrongIn((result as { data?: unknown }).data) : []
  throw invalidFields([...issues, ...others.filter(({ path }) => !named.has(path[0]))], result.target)
}

/** What is wrong with a client's fields beyond their types. */
const wrongIn = (sent: unknown) =>
  (newClientFields.safeParse(sent).error?.issues ?? []).map(({ path, message }) => ({
    path,
    message: rule(message, newClientRules[String(path[0])] ?? '{} is not valid'),
  }))

type Event = z.output<typeof event>

/** A page of what was said of an agency's clients, the oldest first; tries of the manager's are not among it. */
async function eventRows(db: Db, agencyId: string, { limit, cursor }: Paging) {
  const type = 'client.stage_changed'
  const { events, next } = await eventsOf(db, agencyId, { after: cursor, limit, type, settled: 5 })
  return { data: events as Event[], next }
}

function someOf(sent: number): number {
  if (sent === 0)
    throw new ApiProblem('conflict', {
      message: 'Tu concesionaria no tiene un destino encendido al cual enviarlo.',
      detail: 'Your dealership has no active webhook destination to send it to.',
    })
  return sent
}

/** A page of an agency's codes, in the order in which they were made. */
async function codeRows(db: Db, agencyId: string, { limit, cursor }: Paging, now: Date) {
  const beyond = cursor ? gt(codes.id, cursor) : undefined
  const found = await db
    .select()
    .from(codes)
    .where(and(eq(codes.agencyId, agencyId), beyond))
    .orderBy(asc(codes.id))
    .limit(MAX_LIMIT + 1)
  const { rows, next } = cutPage(found, limit)
  return {
    data: rows.map(({ code, label, benefitKind, benefitValue, startsOn, endsOn, maxUses, uses, ...row }) => ({
      code,
      label,
      startsOn,
      endsOn,
      maxUses,
      uses,
      state: codeStateBy({ ...row, endsOn }, now),
      benefit: { kind: benefitKind, value: benefitValue },
    })),
    next,
  }
}

type Appointment = { type: Service; startsAt: string }

/** Those to come and those that took place; others need no notification. */
const appointmentsOf = sql<Appointment[]>`coalesce((
  select json_agg(json_build_object('type', one.service,
    'startsAt', to_char(one.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by one.starts_at, one.id)
  from appointments one where one.customer_id = ${clients.customerId} and one.agency_id = ${clients.agencyId}
    and one.state not in (${listed(failedStates)})), '[]')`

/** All that leaves the database of a client. */
const told = {
  id: clients.id,
  firstName: sql<string>`coalesce(${clientCustomers.name},
    case when ${clients.lastname} is null then split_part(${clients.name}, ' ', 1) else ${clients.name} end, '')`,
  vehicle: clientVehicle,
  reference: clients.reference,
  stage: clients.stage,
  waitingOn: clients.waitingOn,
  since: clients.standingSince,
  appointments: appointmentsOf,
}

type Paging = ReturnType<typeof paging.parse>
type ClientFilters = ReturnType<typeof clientFilterQuery.parse>

/** A page of an agency's clients, in the order in which they came, as they stand now. */
async function clientRows(db: Db, agencyId: string, filters: ClientFilters, now: Date) {
  const { cursor, stage, code, limit, reference } = filters
  await refreshClients(db, now, { agencyId })
  const found = await read(db, MAX_LIMIT + 1, [
    eq(clients.agencyId, agencyId),
    ...(cursor ? [gt(clients.id, cursor)] : []),
    ...(stage ? [eq(clients.stage, stage)] : []),
    ...(reference ? [eq(clients.reference, reference)] : []),
    ...(code ? [named(referralCodeIn(code))] : []),
  ])
  const { rows: data, next } = cutPage(found, limit)
  return { data, next }
}

/** One of an agency's clients as they stand now; undefined for any other's. */
async function clientRow(db: Db, agencyId: string, id: string, now: Date) {
  await refreshClients(db, now, { agencyId })
  const [row] = await read(db, 1, [eq(clients.agencyId, agencyId), eq(clients.id, id)])
  return row
}

/** What can't be a code is no person's. */
const named = (code: string | null) => (code ? eq(codes.code, code) : sql`false`)

async function read(db: Db, limit: number, wanted: readonly SQL[]) {
  const rows = await db
    .select(told)
    .from(clients)
    .leftJoin(clientCustomers, eq(clientCustomers.id, clients.customerId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .where(and(isNull(clients.endedAt), ...wanted))
    .orderBy(asc(clients.id))
    .limit(limit)
  return rows.map(({ since, ...row }) => ({ ...row, since: since?.toISOString() ?? null }))
}

/** What an answer says of the house: the address people reach it by, and the privacy notice in force. */
type Address = { baseUrl: string; termsVersion: string }

/**
 * Registers a person for an agency, and answers how they are invited. A request without a name of the caller's is called by
 * whom it is about: sent again because its answer was lost, it is answered the same, and no one is written to twice.
 */
async function register(
  db: Db,
  caller: ApiCaller,
  { name, sent }: { name: string | undefined; sent: ApiNewClient },
  { baseUrl, termsVersion: consentVersion }: Address,
  now: Date,
): Promise<{ client: ApiClient; isNew: boolean; replayed: boolean }> {
  const fields = readClient(sent)
  const { code, vehicle: car, ...contact } = fields
  const year = sent.vehicle?.year ?? null
  const vehicle = car.brand || car.model || year ? { ...car, year, deliveredOn: null } : null
  const person = { ...contact, code, vehicle }
  const who = {
    agencyId: caller.agencyId,
    allyId: null,
    source: 'api',
    actorId: null,
    consentVersion,
  } as const
  let isNew = name !== undefined
  let replayed = true
  const request =
    name === undefined
      ? calledBy(person)
      : { name, input: { ...person, reference: person.reference ?? undefined } }
  const client = await once(db, caller, request, async (tx): Promise<ApiClient> => {
    const { isNew: made, ...invited } = await registerAgain(tx, who, person, now).catch(ofField)
    isNew = made
    replayed = false
    return invitedClient({ ...fields, ...invited }, baseUrl, now)
  })
  announce(db, { people: [caller.agencyId], desk: false })
  return { client, isNew, replayed }
}

function readClient(sent: ApiNewClient) {
  const read = newClientFields.safeParse(sent)
  if (read.success) return read.data
  const wrong = wrongIn(sent)
  throw wrong.every(({ path }) => path[0] === 'code') ? new ApiProblem('code_unusable') : invalidFields(wrong)
}

/** No caller's own name has a space. */
function calledBy({ code, name, phone, reference }: Omit<ReturnType<typeof readClient>, 'vehicle'>) {
  const about = [phone, plainName(name), code, ...(reference ? [reference] : [])]
  return { name: `same ${hashOf(about.join(' '))}`, input: about }
}

/** A refusal that concerns the code, or who was invited already, says so by its name. */
function ofField(error: unknown): never {
  const { errors = {} } = ((error instanceof Refusal && error.details) || {}) as {
    errors?: Partial<Record<'code' | 'phone' | 'email', string>>
  }
  if (errors.code) throw new ApiProblem('code_unusable', { message: errors.code })
  const field = errors.phone ? 'phone' : 'email'
  const message = errors[field]
  if (!message) throw error
  const detail = `Somebody of your dealership, or whom it invited, has that ${field}`
  throw new ApiProblem('client_exists', { message, errors: [{ field, message, detail }] })
}
