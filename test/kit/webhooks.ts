import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { ClientStage } from '../../src/agencies/rules/clients.ts'
import { parseEnv } from '../../src/app/env.ts'
import { addEndpoint } from '../../src/integrations/webhooks/endpoints.ts'
import { stageChanged } from '../../src/integrations/webhooks/events.ts'
import { openWebhooks, sendWebhook, type Webhooks } from '../../src/integrations/webhooks/send.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { clients, webhookDeliveries, webhookEndpoints } from '../../src/platform/database/schema/agencies.ts'
import { externalSystems } from '../../src/platform/external.ts'
import { startJobs, stopJobs } from '../../src/platform/jobs/jobs.ts'
import { type Listener, openListener } from '../integrations/webhooks/listener.ts'
import { openFixture } from './fixture.ts'
import { db, enter, fixture, newPerson, rowsWhere, runSql, setRow } from './open.ts'
import { type Person, secret } from './people.ts'
import { insertIn } from './reading.ts'

export let listener: Listener
export let webhooks: Webhooks
export let manager: Person

const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }

/** One fixture for the file, that may send to this machine; each test has a listener and an agency of its own. */
export function openExchange() {
  beforeAll(async () => {
    enter(await openFixture(environment))
    webhooks = openWebhooks({ env: parseEnv(environment), secret })
    manager = await newPerson({ kind: 'manager', name: 'Mariana' })
    // What a test calls directly sends jobs from the source, while the application runs from its build.
    await startJobs(db)
  })
  beforeEach(async () => {
    listener = await openListener()
  })
  afterEach(() => listener.close())
  afterAll(async () => {
    await stopJobs()
    await fixture.close()
  })
}

export type House = Awaited<ReturnType<typeof newAgency>>

/** An agency with an ally and an unknown client. */
export async function newAgency() {
  const { id: agencyId } = await fixture.agency()
  const ally = await newPerson({ kind: 'alliate', name: 'Alicia', agencyId })
  const known = {
    source: 'counter',
    name: 'Nombre Privado',
    phone: '5599887766',
    reference: 'DMS-7',
  } as const
  return { agencyId, ally, client: await insertIn(fixture, clients, { agencyId, allyId: ally.id, ...known }) }
}

/** The same with an address that listens. */
export async function listeningAgency() {
  const house = await newAgency()
  const key = await addEndpoint(db, webhooks, manager.actor, house.agencyId, listener.url)
  return { ...house, key, endpointId: (await endpointOf(house)).id }
}

/** Its client comes to another stage. */
export const move = ({ client }: House, from: ClientStage = 'invited', to: ClientStage = 'intake') =>
  transaction(db, (tx) =>
    stageChanged(tx, { client: { ...client, waitingOn: 'customer' }, from, to, at: new Date() }),
  )

export async function endpointOf({ agencyId }: Pick<House, 'agencyId'>) {
  const [endpoint] = await rowsWhere(webhookEndpoints, { agencyId })
  return endpoint!
}

/** An agency's deliveries, the newest first. */
export async function deliveriesOf({ agencyId }: Pick<House, 'agencyId'>) {
  const rows = await db
    .select({ delivery: webhookDeliveries })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(eq(webhookEndpoints.agencyId, agencyId))
    .orderBy(desc(webhookDeliveries.id))
  return rows.map(({ delivery }) => delivery)
}

/** Has an endpoint answer in so many milliseconds, until what is returned is called or the test ends. */
export function answerIn(ms: number) {
  const { answer } = externalSystems.webhooks
  externalSystems.webhooks.answer = ms
  const usual = () => void Object.assign(externalSystems.webhooks, { answer })
  onTestFinished(usual)
  return usual
}

/** What waits for an agency is tried now, so that the listener requests it or not. */
export async function tryAll(house: Pick<House, 'agencyId'>, how: Partial<Webhooks> = {}) {
  for (const { id, state } of await deliveriesOf(house)) {
    if (state !== 'pending') continue
    await setRow(webhookDeliveries, id, { nextTryAt: sql`now()` })
    await sendWebhook(db, { ...webhooks, ...how }, id)
  }
  return (await deliveriesOf(house))[0]!
}

/** When the jobs of a delivery come, in order. */
export async function jobsOf(deliveryId: string): Promise<Date[]> {
  const { rows } = await runSql<{ at: Date }>`
    select start_after as at from pgboss.job
    where name = 'send-webhook' and data ->> 'deliveryId' = ${deliveryId} order by start_after`
  return rows.map(({ at }) => new Date(at))
}
