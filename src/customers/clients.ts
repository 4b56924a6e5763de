import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Actor, allyAgencyOf, type StaffKind } from '../access/rules/actor.ts'
import { countTry } from '../accounts/limits.ts'
import { isGiven, type NewClient, registerWithin } from '../agencies/client-invitations.ts'
import {
  type ClientAppointment,
  clientCustomers,
  clientRows,
  firstName,
  type ListedClient,
} from '../agencies/client-rows.ts'
import { invitedAlready, refuseInvited } from '../agencies/join.ts'
import { type ClientFilters, type ClientStage, clientStages } from '../agencies/rules/clients.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { contains, keyset, listChunks, listPage, type Page, record } from '../platform/database/lists.ts'
import { oncePerPage } from '../platform/database/reads.ts'
import { primaryOf } from '../platform/database/replica.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { followed, happened } from '../platform/follows.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Waiting } from '../projects/rules/stages.ts'
import { refuse } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import {
  leadingStatuses,
  lockProjectStatuses,
  type ProjectStatusSummary,
  projectStatusesOf,
  saveProjectStatuses,
} from './overview.ts'

/** How many of the queue's rows one transaction begins with. */
const chunk = 200

type Scope = { agencyId?: string }
type Client = Awaited<ReturnType<typeof holdClients>>[number]

/**
 * Recomputes the stages of changed projects, and of agencies' clients with them, for all or for one agency; returns how
 * many it checked. Lists call it first, so that they are exact; a round does the rest. `most` is how many a list waits
 * for at most.
 */
export const refreshClients = oncePerPage(refresh)

/** Where the stages are exact: the given database, or its primary if some had to be recomputed. */
export async function exactClients(db: Db, now: Date, scope: Scope, most?: number): Promise<Db> {
  const primary = primaryOf(db)
  return (await refreshClients(primary, now, scope, most)) > 0 ? primary : db
}

async function refresh(
  db: Db,
  now: Date,
  scope: Scope = {},
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let looked = 0
  // Few customers may fill one transaction's queue rows, and another round may be processing those that this one waited
  // for.
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

/**
 * First the queue's rows are deleted, then the clients locked, and only then data is read: a later change is seen, or
 * queued again.
 */
async function refreshSome(tx: Tx, now: Date, scope: Scope) {
  const customers = await takeDue(tx, scope)
  const held = customers.length > 0 ? await holdClients(tx, customers) : []
  if (customers.length > 0) await lockProjectStatuses(tx, customers)
  const statuses = customers.length > 0 ? await projectStatusesOf(tx, customers, now) : []
  if (customers.length > 0) await saveProjectStatuses(tx, statuses, now)
  const leading = leadingStatuses(statuses)
  const agencies = new Set<string>()
  for (const client of held) {
    const status = leading.get(client.customerId)
    if (!status || isAsBefore(client, status)) continue
    await write(tx, client, status, now)
    agencies.add(client.agencyId)
  }
  return { agencies: [...agencies], taken: customers.length }
}

async function takeDue(tx: Tx, scope: Scope): Promise<string[]> {
  const { rows } = await tx.execute<{ customer_id: string }>(sql`
    with due as (select distinct customer_id from (
      select customer_id from stage_checks where ${ofScope(scope)} order by id limit ${sql.raw(String(chunk))}
    ) first), held as (
      select stage_checks.id from stage_checks join due using (customer_id) order by stage_checks.id for update of stage_checks
    ), taken as (delete from stage_checks using held where stage_checks.id = held.id returning stage_checks.customer_id)
    select distinct customer_id from taken`)
  return rows.map((row) => row.customer_id)
}

async function holdClients(tx: Tx, customerIds: readonly string[]) {
  const rows = await tx
    .select({
      id: clients.id,
      agencyId: clients.agencyId,
      customerId: clients.customerId,
      stage: clients.stage,
      reference: clients.reference,
      waitingOn: clients.waitingOn,
      since: clients.standingSince,
    })
    .from(clients)
    .where(and(isNull(clients.endedAt), inArray(clients.customerId, [...customerIds])))
    .orderBy(clients.id)
    .for('no key update')
  return rows.map(({ customerId, ...row }) => ({ ...row, customerId: customerId! }))
}

const isAsBefore = (client: Client, { since, stage, waitingOn }: ProjectStatusSummary) =>
  client.stage === stage && client.waitingOn === waitingOn && client.since?.getTime() === since?.getTime()

/** A client of an agency came to another stage. `client` is the row as it stands after the change. */
export const clientStageChanged = followed<{
  client: { id: string; agencyId: string; reference: string | null; waitingOn: Waiting }
  from: ClientStage
  to: ClientStage
  at: Date
}>('client stage changed')

/** A client's own row and event: changes of the stage are published; whose turn it is changes with every step. */
async function write(tx: Tx, client: Client, { since, stage, waitingOn }: ProjectStatusSummary, now: Date) {
  await tx.$client.query({
    name: 'client_stands',
    text: `update clients set stage = $2, waiting_on = $3, standing_since = $4, updated_at = $5 where id = $1`,
    values: [client.id, stage, waitingOn, since, now],
  })
  if (client.stage === stage) return
  await record(tx, {
    entity: 'client',
    entityId: client.id,
    actorId: null,
    name: 'stage',
    fromState: client.stage,
    toState: stage,
  })
  await happened(tx, clientStageChanged, {
    client: { ...client, waitingOn },
    from: client.stage,
    to: stage,
    at: now,
  })
}

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  // The analyst sees only the number of clients at each stage, on the agency's page.
  analyst: () => none,
  tecnician: () => none,
  gester: () => none,
  alliate: ({ agencyId }) => (agencyId ? eq(clients.agencyId, agencyId) : none),
}

/** The clients an actor may see; ended attributions are history, shown to the manager on the customer's page only. */
const clientsVisibleTo = (actor: Actor): SQL | undefined =>
  and(isNull(clients.endedAt), actor.kind ? seenByStaff[actor.kind](actor) : none)

type Asked = ClientFilters & { after?: string }

/** A page of clients, newest first; `next` is the place after it. */
type ClientPage = Page<ListedClient> & { total: number }

/** The clients of one agency that an actor may see. Text is searched in first names and references only, without accents. */
export async function listClients(
  db: Db,
  actor: Actor,
  agencyId: string,
  asked: Asked,
  now: Date,
): Promise<ClientPage> {
  if (!isId(agencyId)) return { rows: [], total: 0, next: null }
  const exact = await exactClients(db, now, { agencyId })
  return pageOf(exact, actor, and(clientsVisibleTo(actor), narrowed(agencyId, asked)), asked.after)
}

/** All clients of an ally's agency under some filters, for an export, chunk by chunk; each is read on demand. */
export async function exportClients(db: Db, actor: Actor, filters: ClientFilters, now: Date) {
  const agencyId = allyAgencyOf(actor) ?? refuse('not-found')
  const exact = await exactClients(db, now, { agencyId })
  const within = and(clientsVisibleTo(actor), narrowed(agencyId, filters))
  return listChunks((place, limit) => clientRows(exact, actor, and(within, place), limit), newestFirst)
}

/** How many of an agency's clients are at each stage, every stage included; the caller checks who may see it. */
export async function clientsByStage(
  db: Db,
  agencyId: string,
  now: Date,
): Promise<Record<ClientStage, number>> {
  const exact = await exactClients(db, now, { agencyId })
  const rows = await exact
    .select({ stage: clients.stage, count: sql<number>`count(*)::int` })
    .from(clients)
    .where(and(eq(clients.agencyId, agencyId), isNull(clients.endedAt)))
    .groupBy(clients.stage)
  const counts = new Map(rows.map(({ count, stage }) => [stage, count]))
  const all = clientStages.map((stage) => [stage, counts.get(stage) ?? 0])
  return Object.fromEntries(all) as Record<ClientStage, number>
}

async function pageOf(
  db: Db,
  actor: Actor | null,
  within: SQL | undefined,
  after: string | undefined,
): Promise<ClientPage> {
  const [page, [count]] = await Promise.all([
    listPage((place, limit) => clientRows(db, actor, and(within, place), limit), newestFirst, after),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(clients)
      .leftJoin(clientCustomers, eq(clientCustomers.id, clients.customerId))
      .where(within),
  ])
  return { ...page, total: count?.total ?? 0 }
}

const narrowed = (agencyId: string, { ally, code, stage, text }: ClientFilters) =>
  and(
    eq(clients.agencyId, agencyId),
    stage && eq(clients.stage, stage),
    code === undefined ? undefined : isId(code) ? eq(clients.codeId, code) : sql`false`,
    ally === undefined ? undefined : isId(ally) ? eq(clients.allyId, ally) : sql`false`,
    ...searchWords(text).map((word) =>
      or(contains(firstName, word), contains(sql`${clients.reference}`, word)),
    ),
  )

/** An id of another agency's is treated as unknown. */
const newestFirst = keyset(clients, {
  direction: 'desc',
  key: (of) => [of.createdAt, of.id],
  id: clients.id,
  within: (last) => eq(last.agencyId, clients.agencyId),
})

/** One client as an actor may see them, with their appointments; null when the actor may not see them. */
export async function clientFor(db: Db, actor: Actor, id: string, now: Date) {
  if (!isId(id)) return null
  if (actor.agencyId) await refreshClients(db, now, { agencyId: actor.agencyId })
  const [client] = await clientRows(db, actor, and(eq(clients.id, id), clientsVisibleTo(actor)), 1, true)
  return client ? { ...client, appointments: await appointmentsOf(db, id) } : null
}

const appointmentsOf = (db: Db, clientId: string): Promise<ClientAppointment[]> =>
  db
    .select({
      service: appointments.service,
      startsAt: appointments.startsAt,
      state: appointments.state,
    })
    .from(appointments)
    .innerJoin(
      clients,
      sql`${clients.customerId} = ${appointments.customerId} and ${clients.agencyId} = ${appointments.agencyId}`,
    )
    .where(eq(clients.id, clientId))
    .orderBy(desc(appointments.startsAt))

export type ClientDetail = NonNullable<Awaited<ReturnType<typeof clientFor>>>

/** The filter options of an agency's list of clients: the codes and the allies that brought some of them. */
export async function clientOptions(db: Db, actor: Actor, agencyId: string) {
  const within = and(clientsVisibleTo(actor), eq(clients.agencyId, agencyId), isNull(clients.endedAt))
  const [code, ally] = await Promise.all([
    db
      .selectDistinct({ id: codes.id, name: codes.code })
      .from(clients)
      .innerJoin(codes, eq(codes.id, clients.codeId))
      .where(within)
      .orderBy(codes.code),
    db
      .selectDistinct({ id: users.id, name: users.fullName })
      .from(clients)
      .innerJoin(users, eq(users.id, clients.allyId))
      .where(within),
  ])
  return { code, ally }
}

type Input = { client: NewClient; requestKey: string; consentVersion: string }

/** An ally registers a client at the counter; returns the client and the token of their invitation's link. */
export async function registerAtCounter(
  db: Db,
  actor: Actor,
  { client, requestKey, consentVersion }: Input,
  now: Date,
): Promise<{ id: string; token: string }> {
  const agencyId = allyAgencyOf(actor) ?? refuse('permission-denied')
  const { id } = actor
  await countTry(db, 'clients by ally', id, now)
  const who = { agencyId, allyId: id, source: 'counter', actorId: id, consentVersion } as const
  const made = await transaction(db, async (tx) => {
    // They have a link already; a second one would make two clients of them, also of two allies at once.
    const others = await invitedAlready(tx, agencyId, client)
    const other = others.find((one) => one.requestKey !== requestKey)
    if (other) refuseInvited(other, client)
    return registerWithin(tx, who, client, now, requestKey)
  })
  announce(db, { people: [agencyId], desk: false })
  return made
}

/** The codes an ally may give at the counter: their own active ones, the newest first. */
export const codesToGive = (db: Db, actor: Actor, now: Date) =>
  db
    .select({ id: codes.id, code: codes.code, kind: codes.benefitKind, value: codes.benefitValue })
    .from(codes)
    .where(and(eq(codes.ownerId, actor.id), isGiven(now)))
    .orderBy(desc(codes.createdAt))
