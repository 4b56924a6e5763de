import { and, inArray, isNull, sql } from 'drizzle-orm'
import { stageChanged } from '../integrations/webhooks/events.ts'
import { type Db, deferUntilCommit, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { announce } from '../platform/live/announcements.ts'
import {
  lockProjectStatuses,
  type ProjectStatusSummary,
  projectStatusesOf,
  saveProjectStatuses,
} from '../projects/project-statuses.ts'

/** How many of the queue's rows one transaction begins with. */
const chunk = 200

type Scope = { agencyId?: string }
type Client = Awaited<ReturnType<typeof holdClients>>[number]

/**
 * Works out anew how far those projects are of which something changed, and with them agencies' clients, all or one
 * agency's, and answers how many it looked at. Lists ask it first, so that they are exact; a round does the rest. `most`
 * is how many a list waits for at most.
 */
export async function refreshClients(
  db: Db,
  now: Date,
  scope: Scope = {},
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let looked = 0
  // Few customers may fill what one transaction looks at, and another round may be taking what this one waited for.
  while (looked < most && (await isSomethingDue(db, scope))) {
    const { agencies, taken } = await transaction(db, (tx) => refreshSome(tx, now, scope))
    if (agencies.length > 0) announce(db, { people: agencies, desk: false })
    looked += taken
  }
  return looked
}

const ofScope = ({ agencyId }: Scope) =>
  agencyId
    ? sql`customer_id in (select clients.customer_id from clients where clients.agency_id = ${agencyId} and clients.ended_at is null)`
    : sql`true`

async function isSomethingDue(db: Db, scope: Scope): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from stage_checks where ${ofScope(scope)} limit 1`)
  return rows.length > 0
}

/** The queue's rows go first, then the clients are held, and only then anything is read: a later change is seen, or queued anew. */
async function refreshSome(tx: Tx, now: Date, scope: Scope) {
  const customers = await takeDue(tx, scope)
  const held = customers.length > 0 ? await holdClients(tx, customers) : []
  if (customers.length > 0) await lockProjectStatuses(tx, customers)
  const statuses =
    customers.length > 0
      ? await projectStatusesOf(tx, customers, now)
      : new Map<string, ProjectStatusSummary>()
  if (customers.length > 0) saveProjectStatuses(tx, statuses, now)
  const agencies = new Set<string>()
  for (const client of held) {
    const status = statuses.get(client.customerId)
    if (!status || isAsBefore(client, status)) continue
    await write(tx, client, status, now)
    agencies.add(client.agencyId)
  }
  return { agencies: [...agencies], taken: customers.length }
}

async function takeDue(tx: Tx, scope: Scope): Promise<string[]> {
  const { rows } = await tx.execute<{ customer_id: string }>(sql`
    with due as (select distinct customer_id from (
      select customer_id from stage_checks where ${ofScope(scope)} order by id limit ${chunk}
    ) first), held as (
      select stage_checks.id from stage_checks join due using (customer_id) order by stage_checks.id for update of stage_checks
    ), taken as (delete from stage_checks using held where stage_checks.id = held.id returning stage_checks.customer_id)
    select distinct customer_id from taken`)
  return rows.map((row) => row.customer_id)
}

async function holdClients(tx: Tx, customerIds: readonly string[]) {
  const rows = await tx
    .select({
      ...{ id: clients.id, agencyId: clients.agencyId, customerId: clients.customerId },
      ...{ stage: clients.stage, waitingOn: clients.waitingOn, since: clients.standingSince },
    })
    .from(clients)
    .where(and(isNull(clients.endedAt), inArray(clients.customerId, [...customerIds])))
    .orderBy(clients.id)
    .for('no key update')
  return rows.map(({ customerId, ...row }) => ({ ...row, customerId: customerId! }))
}

const isAsBefore = (client: Client, { since, stage, waitingOn }: ProjectStatusSummary) =>
  client.stage === stage && client.waitingOn === waitingOn && client.since?.getTime() === since?.getTime()

/** A client's own row and trace: the stage is what others are told of; whose turn it is changes with every step. */
async function write(tx: Tx, client: Client, { since, stage, waitingOn }: ProjectStatusSummary, now: Date) {
  deferUntilCommit(
    tx,
    tx.$client.query({
      name: 'client_stands',
      text: `update clients set stage = $2, waiting_on = $3, standing_since = $4, updated_at = $5 where id = $1`,
      values: [client.id, stage, waitingOn, since, now],
    }),
  )
  if (client.stage === stage) return
  await record(tx, {
    ...{ entity: 'client', entityId: client.id, actorId: null, name: 'stage' },
    ...{ fromState: client.stage, toState: stage },
  })
  const { agencyId, id } = client
  await stageChanged(tx, { client: { id, agencyId, waitingOn }, from: client.stage, to: stage, at: now })
}
