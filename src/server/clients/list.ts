import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { wordsOf } from '../../domain/appointment-list.ts'
import { type ClientFilters, type ClientStage, clientStages } from '../../domain/client.ts'
import { refuse } from '../../domain/refusal.ts'
import { clients } from '../database/ally-schema.ts'
import type { Db } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { clientRows, customers, firstName, type ListedClient } from './rows.ts'
import { refreshClients } from './standing.ts'
import { clientsVisibleTo } from './visible.ts'

export const pageSize = 50
/** How many rows of a file stand in memory at once, however many there are. */
const chunk = 1000

type Asked = ClientFilters & { after?: string }
/** A page of clients, newest first; `next` is the place after it. */
export type ClientPage = { rows: ListedClient[]; total: number; next: string | null }

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
  return chunks(db, actor, and(clientsVisibleTo(actor), narrowed(actor.agencyId, filters)))
}

async function* chunks(db: Db, actor: Actor, within: SQL | undefined): AsyncGenerator<ListedClient[]> {
  let last: string | undefined
  do {
    const rows: ListedClient[] = await clientRows(db, actor, and(within, behind(last)), chunk)
    yield rows
    last = rows.length === chunk ? rows.at(-1)?.id : undefined
  } while (last)
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

/** One row more than a page holds says that there is another page. */
async function pageOf(
  db: Db,
  actor: Actor | null,
  within: SQL | undefined,
  after: string | undefined,
): Promise<ClientPage> {
  const [found, [count]] = await Promise.all([
    clientRows(db, actor, and(within, behind(after)), pageSize + 1),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(clients)
      .leftJoin(customers, eq(customers.id, clients.customerId))
      .where(within),
  ])
  const rows = found.slice(0, pageSize)
  const next = found.length > pageSize ? (rows.at(-1)?.id ?? null) : null
  return { rows, total: count?.total ?? 0, next }
}

const narrowed = (agencyId: string, { ally, code, stage, text }: ClientFilters) =>
  and(
    eq(clients.agencyId, agencyId),
    stage && eq(clients.stage, stage),
    code === undefined ? undefined : isId(code) ? eq(clients.codeId, code) : sql`false`,
    ally === undefined ? undefined : isId(ally) ? eq(clients.allyId, ally) : sql`false`,
    ...wordsOf(text).map(
      (word) => sql`plain_text(${firstName}) like '%' || plain_text(${literally(word)}) || '%'`,
    ),
  )

/** What LIKE takes for a pattern is looked for as it stands. */
const literally = (word: string) => word.replace(/[\\%_]/g, '\\$&')

/** Those after a row of the list, which is given by its id: newest first. An id of another agency's is as good as none's. */
const behind = (id: string | undefined) =>
  id && isId(id)
    ? sql`(${clients.createdAt}, ${clients.id}) < (select last.created_at, last.id from clients last
        where last.id = ${id} and last.agency_id = ${clients.agencyId})`
    : undefined
