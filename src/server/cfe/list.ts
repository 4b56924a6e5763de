import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/actor.ts'
import { wordsOf } from '../../domain/appointment-list.ts'
import type { CaseFilters } from '../../domain/cfe-list.ts'
import { refuse } from '../../domain/refusal.ts'
import { users } from '../database/account-schema.ts'
import { cfeCases } from '../database/cfe-schema.ts'
import type { Db } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { addresses } from '../database/project-schema.ts'
import { casesVisibleTo } from './visible.ts'

const pageSize = 50
const customers = alias(users, 'customer')
const gesters = alias(users, 'gester')
const nameOf = (person: typeof customers | typeof gesters) =>
  sql<string>`concat_ws(' ', ${person.name}, ${person.lastname})`

/** What is due first comes first; what nothing is due of, last. */
const due = (table: string) => sql.raw(`coalesce(${table}.due_on, date '9999-12-31'), ${table}.id`)

export type ListedCase = Awaited<ReturnType<typeof rows>>[number]

const rows = (db: Db, within: SQL | undefined) =>
  db
    .select({
      ...{ id: cfeCases.id, folio: cfeCases.folio, kind: cfeCases.kind, state: cfeCases.state },
      ...{ waitingOn: cfeCases.waitingOn, waitingSince: cfeCases.waitingSince, dueOn: cfeCases.dueOn },
      ...{ customer: nameOf(customers), gester: nameOf(gesters), gesterActive: gesters.active },
      municipality: addresses.municipality,
    })
    .from(cfeCases)
    .innerJoin(customers, eq(customers.id, cfeCases.customerId))
    .leftJoin(gesters, eq(gesters.id, cfeCases.gesterId))
    .leftJoin(addresses, and(eq(addresses.projectId, cfeCases.projectId), isNull(addresses.archivedAt)))
    .where(within)
    .orderBy(due('cfe_cases'))
    .limit(pageSize + 1)

/** A page of the cases an actor may see under some filters, what is due first at its head; open ones unless others are asked for. */
export async function listCases(
  db: Db,
  actor: Actor,
  filters: CaseFilters,
  after?: string,
): Promise<{ rows: ListedCase[]; total: number; next: string | null }> {
  if (actor.kind !== 'manager' && actor.kind !== 'gester') refuse('not-found')
  const within = narrowed(actor, filters)
  const [found, [count]] = await Promise.all([
    rows(db, and(within, behind(after))),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(cfeCases)
      .innerJoin(customers, eq(customers.id, cfeCases.customerId))
      .where(within),
  ])
  const page = found.slice(0, pageSize)
  return {
    rows: page,
    total: count?.total ?? 0,
    next: found.length > pageSize ? (page.at(-1)?.id ?? null) : null,
  }
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

const mentions = (word: string) =>
  sql`plain_text(concat_ws(' ', ${cfeCases.folio}, ${cfeCases.requestNumber}, ${cfeCases.serviceNumber}, ${customers.name},
    ${customers.lastname}, ${customers.email}, ${customers.phone})) like '%' || plain_text(${word.replace(/[\\%_]/g, '\\$&')}) || '%'`

/** Those after a row of the list, which is given by its id. */
const behind = (id: string | undefined) =>
  id && isId(id)
    ? sql`(${due('cfe_cases')}) > (select ${due('last')} from cfe_cases last where last.id = ${id})`
    : undefined

/** Whether open cases belong to somebody who handles none any more, with how many: the manager hands them over. */
export const strandedCases = (db: Db) =>
  db
    .select({ id: gesters.id, name: nameOf(gesters), open: sql<number>`count(*)::int` })
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
