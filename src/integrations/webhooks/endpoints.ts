import { randomBytes } from 'node:crypto'
import { and, count, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../access/rules/actor.ts'
import { editsAgencies } from '../../agencies/rules/agency.ts'
import { bothSecretsHours, type EventType, endpointUrl } from '../../agencies/rules/integrations.ts'
import { type Db, databaseFault, isId, type Tx, transaction } from '../../platform/database/client.ts'
import { cutPage, record } from '../../platform/database/lists.ts'
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../platform/database/schema/agencies.ts'
import { agencies } from '../../platform/database/schema/projects.ts'
import { refuseVersion } from '../../platform/database/versions.ts'
import { announce } from '../../platform/live/announcements.ts'
import { leadsInside } from '../../platform/outside.ts'
import { refuse } from '../../shared/refusal.ts'
import { MAX_LIMIT } from '../public-api/schemas.ts'
import { sendTo, stopEndpoint, writeEvent } from './events.ts'
import type { Webhooks } from './send.ts'

/** An agency with more than these is doing something else. */
const mostEndpoints = 5

/** Prefixed as the specification requires, so that its libraries accept it. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Adds an address that an agency's events are sent to; answers its secret, which is shown this once. */
export async function addEndpoint(
  db: Db,
  webhooks: Webhooks,
  actor: Actor,
  agencyId: string,
  typed: string,
): Promise<string> {
  const url = await judged(typed, webhooks)
  const secret = newSecret()
  await named(() =>
    transaction(db, async (tx) => {
      await holdAgency(tx, actor, agencyId)
      const [known] = await tx
        .select({ endpoints: count() })
        .from(webhookEndpoints)
        .where(eq(webhookEndpoints.agencyId, agencyId))
      if ((known?.endpoints ?? 0) >= mostEndpoints) refuse('failed-precondition', tooMany)
      await tx
        .insert(webhookEndpoints)
        .values({ agencyId, url, secret: webhooks.seal(secret), madeBy: actor.id })
      await trace(tx, actor, { agencyId, url }, 'add_webhook')
    }),
  )
  announce(db, { people: [], desk: false })
  return secret
}

const tooMany = `Una concesionaria tiene ${mostEndpoints} destinos como máximo.`

/**
 * An address that may be listened at. A name that leads inside is refused at once; one that leads nowhere yet is taken,
 * since where it leads is looked at with each message.
 */
async function judged(typed: string, { allowPrivate }: Webhooks): Promise<string> {
  const read = endpointUrl(typed, allowPrivate)
  if ('error' in read) return refuse('invalid-argument', read.error, { errors: { url: read.error } })
  if (!allowPrivate && (await leadsInside(new URL(read.url))))
    return refuse('invalid-argument', inside, { errors: { url: inside } })
  return read.url
}

const inside = 'Esa dirección es de una red privada. Usa una que se vea desde internet.'

/** Gives an endpoint another secret, shown this once; messages are signed with both for a day. */
export async function renewSecret(
  db: Db,
  webhooks: Webhooks,
  actor: Actor,
  seen: VersionedEndpoint,
  now: Date,
): Promise<string> {
  const secret = newSecret()
  const previousUntil = new Date(now.getTime() + bothSecretsHours * 3_600_000)
  await change(db, actor, seen, async (tx, endpoint) => {
    await write(tx, endpoint.id, {
      secret: webhooks.seal(secret),
      previousSecret: endpoint.secret,
      previousUntil,
    })
    await trace(tx, actor, endpoint, 'renew_webhook_secret')
  })
  return secret
}

/** Switches an endpoint on or off. Off, what waited for it is given up. */
export const switchEndpoint = (
  db: Db,
  actor: Actor,
  seen: VersionedEndpoint,
  active: boolean,
  now: Date,
): Promise<void> =>
  change(db, actor, seen, async (tx, endpoint) => {
    if (endpoint.active === active) refuse('aborted')
    if (active)
      await write(tx, endpoint.id, { active, stoppedAt: null, stoppedReason: null, failingSince: null })
    else await stopEndpoint(tx, endpoint.id, 'manager', now)
    await trace(tx, actor, endpoint, active ? 'start_webhook' : 'stop_webhook')
  })

/** Removes an endpoint, and with it what was sent there: a delivery without its address says nothing. */
export const removeEndpoint = (db: Db, actor: Actor, seen: VersionedEndpoint): Promise<void> =>
  change(db, actor, seen, async (tx, endpoint) => {
    // Nothing is added to what is sent there from here on.
    await tx
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, endpoint.id))
      .for('update')
    await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.endpointId, endpoint.id))
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, endpoint.id))
    await trace(tx, actor, endpoint, 'remove_webhook')
  })

/** Sends an endpoint a test message without an event. */
export const testEndpoint = (db: Db, actor: Actor, seen: VersionedEndpoint, now: Date): Promise<void> =>
  change(db, actor, seen, async (tx, { active, agencyId, id }) => {
    if (!active) refuse('failed-precondition', 'Enciende el destino antes de mandarle una prueba.')
    const eventId = await writeEvent(tx, { agencyId, type: 'webhook.test', data: {}, at: now })
    await sendTo(tx, id, eventId, actor.id)
  })

/** An endpoint of an agency, and the version its form was shown with. */
type VersionedEndpoint = { agencyId: string; endpointId: string; version: number }
type Endpoint = typeof webhookEndpoints.$inferSelect

/** Holds an endpoint, and changes it. */
async function change(
  db: Db,
  actor: Actor,
  { agencyId, endpointId, version }: VersionedEndpoint,
  run: (tx: Tx, endpoint: Endpoint) => Promise<void>,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdAgency(tx, actor, agencyId)
    if (!isId(endpointId)) refuse('not-found')
    const [endpoint] = await tx
      .select()
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, endpointId), eq(webhookEndpoints.agencyId, agencyId)))
      .for('no key update')
    if (!endpoint) refuse('not-found')
    if (endpoint.version !== version) await refuseVersion(tx, actor, { entity: 'agency', id: agencyId })
    await run(tx, endpoint)
  })
  announce(db, { people: [], desk: false })
}

/** Those who may change it hold its row: two additions at once are counted one after the other. */
async function holdAgency(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  if (!isId(id)) refuse('not-found')
  const held = await tx
    .select({ id: agencies.id })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('no key update')
  if (held.length === 0) refuse('not-found')
}

const write = (tx: Tx, id: string, set: Partial<typeof webhookEndpoints.$inferInsert>) =>
  tx
    .update(webhookEndpoints)
    .set({ ...set, version: sql`${webhookEndpoints.version} + 1` })
    .where(eq(webhookEndpoints.id, id))

/** The rest of an address may carry a key of theirs: the history names the server. */
const trace = (tx: Tx, actor: Actor, { agencyId, url }: Pick<Endpoint, 'agencyId' | 'url'>, name: string) =>
  record(tx, {
    entity: 'agency',
    entityId: agencyId,
    actorId: actor.id,
    name,
    data: { host: new URL(url).host },
  })

async function named<Result>(add: () => Promise<Result>): Promise<Result> {
  try {
    return await add()
  } catch (error) {
    if (databaseFault(error).constraint !== 'webhook_endpoints_url_unique') throw error
    const url = 'Esa dirección ya está en la lista.'
    return refuse('already-exists', url, { errors: { url } })
  }
}

const shownDeliveries = 25

/**
 * What the manager sees of an agency's webhooks: where they go, and the newest deliveries, or those before one of them;
 * null for everybody else.
 */
export async function webhooksOf(
  db: Db,
  actor: Actor,
  agencyId: string,
  { before, now }: { before: string | null; now: Date },
) {
  if (!editsAgencies(actor) || !isId(agencyId)) return null
  const older = before && isId(before) ? lt(webhookDeliveries.id, before) : undefined
  const [endpoints, deliveries] = await Promise.all([
    db
      .select({
        id: webhookEndpoints.id,
        url: webhookEndpoints.url,
        active: webhookEndpoints.active,
        stoppedAt: webhookEndpoints.stoppedAt,
        stoppedReason: webhookEndpoints.stoppedReason,
        failingSince: webhookEndpoints.failingSince,
        previousUntil: webhookEndpoints.previousUntil,
        createdAt: webhookEndpoints.createdAt,
        version: webhookEndpoints.version,
      })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.agencyId, agencyId))
      .orderBy(webhookEndpoints.createdAt, webhookEndpoints.id),
    db
      .select({
        id: webhookDeliveries.id,
        url: webhookEndpoints.url,
        endpointActive: webhookEndpoints.active,
        type: webhookEvents.type,
        data: sql<Record<string, unknown>>`${webhookEvents.payload} -> 'data'`,
        state: webhookDeliveries.state,
        tries: webhookDeliveries.tries,
        lastStatus: webhookDeliveries.lastStatus,
        lastError: webhookDeliveries.lastError,
        nextTryAt: webhookDeliveries.nextTryAt,
        /** The first goes out in the transaction that writes the event. */
        replayed: gt(webhookDeliveries.createdAt, webhookEvents.createdAt) as SQL<boolean>,
        createdAt: webhookDeliveries.createdAt,
      })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
      .where(and(eq(webhookEndpoints.agencyId, agencyId), older))
      .orderBy(desc(webhookDeliveries.id))
      .limit(shownDeliveries + 1),
  ])
  const { rows, next } = cutPage(deliveries, shownDeliveries)
  return {
    endpoints: endpoints.map(({ previousUntil, ...endpoint }) => ({
      ...endpoint,
      previousUntil: previousUntil && previousUntil > now ? previousUntil : null,
    })),
    deliveries: rows,
    older: next,
  }
}

export type ShownWebhooks = NonNullable<Awaited<ReturnType<typeof webhooksOf>>>

type EventsAsked = {
  after?: string | undefined
  limit: number
  type?: EventType
  /**
   * Seconds for which the newest events are withheld: an event whose transaction takes longer than a later one's would
   * be placed before a position that a reader has already passed.
   */
  settled?: number
}

/**
 * An agency's events as they were sent, oldest first, after one of them; the caller was admitted by a key of the
 * agency.
 */
export async function eventsOf(db: Db, agencyId: string, { after, limit, type, settled = 0 }: EventsAsked) {
  const place = after === undefined ? undefined : isId(after) ? gt(webhookEvents.id, after) : sql`false`
  const rows = await db
    .select({ id: webhookEvents.id, payload: webhookEvents.payload })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.agencyId, agencyId),
        type && eq(webhookEvents.type, type),
        settled > 0 ? sql`${webhookEvents.createdAt} < now() - make_interval(secs => ${settled})` : undefined,
        place,
      ),
    )
    .orderBy(webhookEvents.id)
    .limit(MAX_LIMIT + 1)
  const page = cutPage(rows, limit)
  return { events: page.rows.map(({ id, payload }) => ({ id, ...payload })), next: page.next }
}
