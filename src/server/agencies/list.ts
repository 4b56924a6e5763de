import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type ClientFilters, type ClientStage, clientStages } from '../../domain/agencies/clients.ts'
import { wordsOf } from '../../domain/appointments/list.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { contains, keyset, listChunks, listPage, type Page } from '../platform/database/lists.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { clientRows, customers, firstName, type ListedClient } from './rows.ts'
import { refreshClients } from './standing.ts'
import { clientsVisibleTo } from './visible.ts'

type Asked = ClientFilters & { after?: string }
/** A page of clients, newest first; `next` is the place after it. */
export type ClientPage = Page<ListedClient> & { total: number }

/** The clients an actor may see, of one agency. Text is looked for in first names alone, without accents. */
export async function listClients(
  db: Db,
  actor: Actor,
  agencyId: string,
  asked: Asked,
  now: Date,
): Promise<ClientPage> {
  if (!isId(agencyId)) return { rows: [], total: 0, next: null }
  await refreshClients(db, now, { agencyId })
  return pageOf(db, actor, and(clientsVisibleTo(actor), narrowed(agencyId, asked)), asked.after)
}

/** All clients of an ally's agency under some filters, for a file, chunk by chunk; each is read when it is asked for. */
export async function exportClients(db: Db, actor: Actor, filters: ClientFilters, now: Date) {
  if (actor.kind !== 'alliate' || !actor.agencyId) return refuse('not-found')
  await refreshClients(db, now, { agencyId: actor.agencyId })
  const within = and(clientsVisibleTo(actor), narrowed(actor.agencyId, filters))
  return listChunks((place, limit) => clientRows(db, actor, and(within, place), limit), newestFirst)
}

/** How many of an agency's clients are at each stage, every stage told; whoever shows it asks first who may see it. */
export async function clientsByStage(
  db: Db,
  agencyId: string,
  now: Date,
): Promise<Record<ClientStage, number>> {
  await refreshClients(db, now, { agencyId })
  const rows = await db
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
      .leftJoin(customers, eq(customers.id, clients.customerId))
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
    ...wordsOf(text).map((word) => contains(firstName, word)),
  )

/** An id of another agency's is as good as none's. */
const newestFirst = keyset(clients, {
  direction: 'desc',
  key: (of) => [of.createdAt, of.id],
  id: clients.id,
  within: (last) => eq(last.agencyId, clients.agencyId),
})
