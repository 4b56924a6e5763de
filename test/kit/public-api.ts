import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { type ApiScope, scopeNames } from '../../src/agencies/rules/integrations.ts'
import { makeKey } from '../../src/integrations/public-api/keys.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { clients, codes } from '../../src/platform/database/schema/agencies.ts'
import { insertAgency, insertPerson, type Person } from './people.ts'
import { insertIn } from './reading.ts'
import { openServers, type Servers } from './two-servers.ts'

/** What a generated function answers, whatever the status. */
export type Answered = { status: number; data: Record<string, unknown>; headers: Headers }
type Options = { headers: Record<string, string> }
type Paging = { limit?: number; cursor?: string }
/** The client of the interface, as it is generated from the document. */
export type Client = {
  defaults: { baseUrl: string }
  createClient: (body: object, named: { idempotencyKey?: string }, options: Options) => Promise<Answered>
  listClients: (
    filters: Paging & { stage?: string; code?: string; reference?: string },
    options: Options,
  ) => Promise<Answered>
  getClient: (id: string, options: Options) => Promise<Answered>
  listCodes: (page: Paging, options: Options) => Promise<Answered>
  listEvents: (page: Paging, options: Options) => Promise<Answered>
  replayEvent: (id: string, options: Options) => Promise<Answered>
  testWebhooks: (options: Options) => Promise<Answered>
}

const generator = path.resolve('node_modules/oazapfts/dist/cli.js')

/** Writes a client from a document, as the systems of dealerships do, and reads it in. */
export async function generated(document: string): Promise<Client> {
  // Test files run beside one another.
  const folder = path.resolve('build/test', randomUUID())
  mkdirSync(folder, { recursive: true })
  const from = path.join(folder, 'openapi.json')
  const to = path.join(folder, 'api-client.ts')
  writeFileSync(from, document)
  execFileSync(process.execPath, [generator, from, to])
  return import(/* @vite-ignore */ pathToFileURL(to).href)
}

export const bearing = (key: string): Options => ({ headers: { Authorization: `Bearer ${key}` } })

export type Dealership = { id: string; ally: Person; code: string; codeId: string; key: string }

/** An agency with an ally, one of their codes, and a key that opens everything. */
export async function dealership(db: Db, manager: Person, code: string): Promise<Dealership> {
  const { id } = await insertAgency(db, { name: `Agencia ${code}` })
  const ally = await insertPerson(db, { kind: 'alliate', name: 'Alicia', agencyId: id })
  const codeId = await insertCode(db, { id, ally }, code)
  return { id, ally, code, codeId, key: await keyFor(db, manager, id) }
}

export async function insertCode(
  db: Db,
  { id, ally }: Pick<Dealership, 'id' | 'ally'>,
  code: string,
  input: Partial<typeof codes.$inferInsert> = {},
) {
  const usual = { state: 'active', startsOn: '2026-01-01', maxUses: 10 } as const
  return (await insertIn({ db }, codes, { code, agencyId: id, ownerId: ally.id, ...usual, ...input })).id
}

/** A key of an agency's; of all scopes unless told. */
export const keyFor = (
  db: Db,
  { actor }: Person,
  agencyId: string,
  scopes: readonly ApiScope[] = scopeNames,
  now = new Date(),
  sandbox = false,
) => makeKey(db, actor, agencyId, { name: 'Sistema', life: 'quarter', scopes: [...scopes], sandbox }, now)

/** Someone whom an agency brought, with an account. */
export async function joined(db: Db, { id, ally, codeId }: Dealership, customer: Person) {
  const row = await insertIn({ db }, clients, {
    agencyId: id,
    allyId: ally.id,
    codeId,
    source: 'code',
    customerId: customer.id,
    joinedAt: new Date(),
    stage: 'intake',
  })
  return row.id
}

/** Of the file: a server on a port of its own, its document, a client that knows nothing of it but that, two agencies. */
export let open: Servers
export let origin: string
export let document: string
export let api: Client
export let manager: Person
export let north: Dealership
export let south: Dealership

export function openOutsideOnce() {
  beforeAll(async () => {
    open = await openServers(1)
    origin = open.servers[0]!.origin
    document = await (await fetch(`${origin}/api/v1/openapi.json`)).text()
    api = await generated(document)
    manager = await open.person({ kind: 'manager' })
    north = await dealership(open.db, manager, 'NQRTE26')
    south = await dealership(open.db, manager, 'SUR2346')
  })
  afterAll(() => open.close())
}

/** Whom an agency's system registers. */
export const person = {
  name: ' Camila ',
  lastname: 'Prueba',
  phone: '+52 55 1234 5678',
  email: 'Camila@Prueba.mx',
  vehicle: { brand: 'BYD', year: 2026 },
  code: 'nqr-te26',
  consent: true,
}
export const register = (body: object = person, key = north.key, named: { idempotencyKey?: string } = {}) =>
  api.createClient(body, named, bearing(key))
export const said = ({ status, data }: Answered) => [status, data.code]

/** Expects a request to be refused with a status and a code. */
export const expectProblem = async (asked: Answered | Promise<Answered>, status: number, code: string) =>
  expect(said(await asked)).toEqual([status, code])
