import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import { wordsOf } from '../../domain/appointments/list.ts'
import { type CaseFilters, worksOnCases } from '../../domain/cfe/case.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { contains, keyset, listPage, type Page } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import { casesVisibleTo } from './rows.ts'

const customers = alias(users, 'customer')
const gesters = alias(users, 'gester')

/** What is due first comes first; what nothing is due of, last. */
const byDue = keyset(cfeCases, {
  direction: 'asc',
  key: (of) => [sql`coalesce(${of.dueOn}, date '9999-12-31')`, of.id],
  id: cfeCases.id,
})

export type ListedCase = Awaited<ReturnType<typeof rows>>[number]

const rows = (db: Db, within: SQL | undefined, limit: number) =>
  db
    .select({
      ...{ id: cfeCases.id, folio: cfeCases.folio, kind: cfeCases.kind, state: cfeCases.state },
      ...{ waitingOn: cfeCases.waitingOn, waitingSince: cfeCases.waitingSince, dueOn: cfeCases.dueOn },
      ...{ customer: customers.fullName, gester: gesters.fullName, gesterActive: gesters.active },
      municipality: addresses.municipality,
    })
    .from(cfeCases)
    .innerJoin(customers, eq(customers.id, cfeCases.customerId))
    .leftJoin(gesters, eq(gesters.id, cfeCases.gesterId))
    .leftJoin(addresses, and(eq(addresses.projectId, cfeCases.projectId), isNull(addresses.archivedAt)))
    .where(within)
    .orderBy(...byDue.orderBy)
    .limit(limit)

/** A page of the cases an actor may see under some filters, what is due first at its head; open ones unless others are asked for. */
export async function listCases(
  db: Db,
  actor: Actor,
  filters: CaseFilters,
  after?: string,
): Promise<Page<ListedCase> & { total: number }> {
  if (!worksOnCases(actor)) refuse('not-found')
  const within = narrowed(actor, filters)
  const [page, [count]] = await Promise.all([
    listPage((place, limit) => rows(db, and(within, place), limit), byDue, after),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(cfeCases)
      .innerJoin(customers, eq(customers.id, cfeCases.customerId))
      .where(within),
  ])
  return { ...page, total: count?.total ?? 0 }
}

function narrowed(actor: Actor, { gester, kind, over, state, text, turn }: CaseFilters): SQL | undefined {
  const isOver = over || state === 'closed' || state === 'rejected' || state === 'cancelled'
  return and(
    casesVisibleTo(actor),
    isOver ? isNotNull(cfeCases.closedAt) : isNull(cfeCases.closedAt),
    state && eq(cfeCases.state, state),
    turn && eq(cfeCases.waitingOn, turn),
    kind && eq(cfeCases.kind, kind),
    gester === undefined
      ? undefined
      : gester === 'nadie'
        ? isNull(cfeCases.gesterId)
        : isId(gester)
          ? eq(cfeCases.gesterId, gester)
          : sql`false`,
    ...wordsOf(text).map(mentions),
  )
}

const searched = sql`concat_ws(' ', ${cfeCases.folio}, ${cfeCases.requestNumber}, ${cfeCases.serviceNumber}, ${customers.name},
    ${customers.lastname}, ${customers.email}, ${customers.phone})`
const mentions = (word: string) => contains(searched, word)

/** Whether open cases belong to somebody who handles none any more, with how many: the manager hands them over. */
export const strandedCases = (db: Db) =>
  db
    .select({ id: gesters.id, name: gesters.fullName, open: sql<number>`count(*)::int` })
    .from(cfeCases)
    .innerJoin(gesters, eq(gesters.id, cfeCases.gesterId))
    .where(
      and(
        isNull(cfeCases.closedAt),
        sql`not (${gesters.active} and ${gesters.kind} is not distinct from 'gester')`,
      ),
    )
    .groupBy(gesters.id, gesters.name, gesters.lastname)
    .orderBy(asc(gesters.name))

/** How many open cases wait for whoever handles them, of those an actor may see. */
export async function waitingCases(db: Db, actor: Actor, today: string) {
  const [row] = await db
    .select({
      yours: sql<number>`count(*) filter (where ${cfeCases.waitingOn} = 'gester')::int`,
      late: sql<number>`count(*) filter (where ${cfeCases.dueOn} < ${today})::int`,
    })
    .from(cfeCases)
    .where(and(casesVisibleTo(actor), isNull(cfeCases.closedAt)))
  return row ?? { yours: 0, late: 0 }
}
