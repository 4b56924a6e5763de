import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, exportsLists } from '../access/rules/actor.ts'
import { type Db, isId, type Queryable } from '../platform/database/client.ts'
import {
  contains,
  countRows,
  eachRow,
  historyOf,
  inOrder,
  type Keyset,
  keyset,
  listChunks,
  listPage,
  type Page,
} from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { cfeCases, cfePapers } from '../platform/database/schema/cfe.ts'
import { documents, quotes } from '../platform/database/schema/payments.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import { casesVisibleTo } from '../projects/cases.ts'
import { homeAmongAll } from '../projects/open-project.ts'
import type { Count } from '../shared/count.ts'
import { refuse } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import { factsOfCase, neededOf, type PaperRow, papersOf } from './rows.ts'
import {
  type CaseFilters,
  caseMachine,
  dueDatesOf,
  takesPapers,
  worksOn,
  worksOnCases,
} from './rules/case.ts'
import { casePaperNames, needsFeasibility, paperFrom, paperLabel } from './rules/papers.ts'

const customers = alias(users, 'customer')
const gesters = alias(users, 'gester')

/** A case with all data for a user who works on it; null where they may not see it. No amount is among it. */
export async function caseFor(db: Queryable, actor: Actor, id: string) {
  const found = await caseSeen(db, actor, id)
  if (!found) return null
  const papers = await papersOf(db, id)
  const facts = factsOfCase(found.row, papers)
  const { projectId, state, waitingOn, waitingSince } = found.row
  const [shown, history, visits, agreed] = await Promise.all([
    withDocuments(db, papers),
    historyOf(db, 'cfe_case', id, 200),
    doneVisits(db, projectId),
    agreedQuote(db, projectId),
  ])
  return {
    ...found,
    papers: shown,
    history,
    visits,
    quote: agreed,
    needed: neededOf(found.row, papers).map(({ name }) => name),
    dates: dueDatesOf(waitingOn, state, waitingSince),
    moves: caseMachine.names.filter((name) => caseMachine.can(name, actor, facts)),
    works: worksOn(actor, facts),
    isMine: found.row.gesterId === actor.id,
    takesPapers: takesPapers(state),
    unvalidated: facts.unvalidated,
    needsFeasibility: needsFeasibility(found.row),
  }
}
export type ShownCase = NonNullable<Awaited<ReturnType<typeof caseFor>>>

/** A case with its customer, the address and who handles it; null where it does not exist for an actor. */
export async function caseSeen(db: Queryable, actor: Actor, id: string) {
  if (!isId(id)) return null
  const [found] = await db
    .select({
      row: cfeCases,
      customer: {
        id: customers.id,
        name: customers.name,
        lastname: customers.lastname,
        email: customers.email,
        phone: customers.phone,
      },
      gester: sql<string | null>`nullif(${gesters.fullName}, '')`,
      address: addresses,
    })
    .from(cfeCases)
    .innerJoin(customers, eq(customers.id, cfeCases.customerId))
    .leftJoin(gesters, eq(gesters.id, cfeCases.gesterId))
    .leftJoin(addresses, and(eq(addresses.projectId, cfeCases.projectId), isNull(addresses.archivedAt)))
    .where(and(eq(cfeCases.id, id), casesVisibleTo(actor)))
  return found ?? null
}
export type SeenCase = NonNullable<Awaited<ReturnType<typeof caseSeen>>>

async function withDocuments(db: Queryable, papers: readonly PaperRow[]) {
  const ids = papers.flatMap(({ documentId }) => documentId ?? [])
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: documents.id, name: documents.name, bytes: documents.bytes })
          .from(documents)
          .where(and(inArray(documents.id, ids), isNull(documents.replacedAt)))
  return papers.map(({ askedFrom, documentId, label, name, reason, receivedAt, state }) => ({
    name,
    askedFrom,
    label: paperLabel({ label, name }),
    reason,
    receivedAt,
    state,
    from: paperFrom({ askedFrom, name }),
    document: rows.find(({ id }) => id === documentId) ?? null,
  }))
}
export type ShownPaper = Awaited<ReturnType<typeof withDocuments>>[number]

/** What was done at the home, where its report is read. */
const doneVisits = (db: Queryable, projectId: string) =>
  db
    .select({ id: appointments.id, folio: appointments.folio, service: appointments.service })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, projectId),
        eq(appointments.state, 'done'),
        inArray(appointments.service, ['technical_visit', 'installation']),
      ),
    )
    .orderBy(desc(appointments.startsAt))

/** The quote of the installation that was sent last. */
async function agreedQuote(db: Queryable, projectId: string) {
  const [quote] = await db
    .select({ id: quotes.id, folio: quotes.folio, state: quotes.state })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), eq(quotes.kind, 'installation'), isNotNull(quotes.sentAt)))
    .orderBy(desc(quotes.sentAt))
    .limit(1)
  return quote ?? null
}

/** The cases of a customer's project with what is asked of them: the open ones, then those that are over. */
export async function ownCasesOf(db: Queryable, actor: Actor, projectId: string) {
  const rows = await db
    .select()
    .from(cfeCases)
    .where(and(eq(cfeCases.projectId, projectId), casesVisibleTo(actor)))
    .orderBy(sql`${cfeCases.closedAt} is not null`, desc(cfeCases.createdAt))
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const papers = await db.select().from(cfePapers).where(inArray(cfePapers.caseId, ids))
  const shown = await withDocuments(db, papers)
  return rows.map((row) => {
    const { folio, id, kind, requestNumber, state, waitingOn, waitingSince } = row
    const theirs = shown.filter((paper, at) => papers[at]!.caseId === id && paper.from === 'customer')
    return {
      id,
      folio,
      kind,
      requestNumber,
      state,
      waitingOn,
      waitingSince,
      takesPapers: takesPapers(state),
      hasHolder: row.holderName !== null,
      why: state === 'on_hold' ? row.holdReason : row.reason,
      dates: dueDatesOf(waitingOn, state, waitingSince),
      papers: neededOf(row, theirs).toSorted(
        (a, b) => casePaperNames.indexOf(a.name) - casePaperNames.indexOf(b.name),
      ),
    }
  })
}
export type OwnCase = Awaited<ReturnType<typeof ownCasesOf>>[number]

/** What is due first comes first; what nothing is due of, last. */
const byDue = keyset(cfeCases, {
  direction: 'asc',
  key: (of) => [sql`coalesce(${of.dueOn}, date '9999-12-31')`, of.id],
  id: cfeCases.id,
})

/** Whoever has had the turn longest first. */
const longestWaitFirst = keyset(cfeCases, {
  direction: 'asc',
  key: (of) => [of.waitingSince, of.id],
  id: cfeCases.id,
})

export type ListedCase = Awaited<ReturnType<typeof rows>>[number]

const rows = (db: Db, within: SQL | undefined, limit: number, order: Keyset) =>
  db
    .select({
      id: cfeCases.id,
      folio: cfeCases.folio,
      kind: cfeCases.kind,
      state: cfeCases.state,
      waitingOn: cfeCases.waitingOn,
      waitingSince: cfeCases.waitingSince,
      dueOn: cfeCases.dueOn,
      papers: sql<
        string | null
      >`(select nullif(count(*) filter (where state = 'validated') || '/' || count(*), '0/0')
        from cfe_papers where case_id = ${cfeCases.id})`,
      customer: customers.fullName,
      customerId: customers.id,
      gester: gesters.fullName,
      gesterActive: gesters.active,
      municipality: addresses.municipality,
      home: homeAmongAll(cfeCases.projectId, cfeCases.customerId),
    })
    .from(cfeCases)
    .innerJoin(customers, eq(customers.id, cfeCases.customerId))
    .leftJoin(gesters, eq(gesters.id, cfeCases.gesterId))
    .leftJoin(addresses, and(eq(addresses.projectId, cfeCases.projectId), isNull(addresses.archivedAt)))
    .where(within)
    .orderBy(...order.orderBy)
    .limit(limit)

/** A page of the cases an actor may see under some filters, what is due first at its head; open ones unless others are asked for. */
export async function listCases(
  db: Db,
  actor: Actor,
  filters: CaseFilters,
  after?: string,
): Promise<Page<ListedCase> & Count> {
  if (!worksOnCases(actor)) refuse('not-found')
  const within = narrowed(actor, filters)
  const order = inOrder(byDue, filters.order, { wait: longestWaitFirst })
  const [page, counted] = await Promise.all([
    listPage((place, limit) => rows(db, and(within, place), limit, order), order, after),
    countRows(
      db,
      db
        .select(eachRow)
        .from(cfeCases)
        .innerJoin(customers, eq(customers.id, cfeCases.customerId))
        .where(within),
      filters.text,
    ),
  ])
  return { ...page, ...counted }
}

/** All cases under some filters, or those of these ids, chunk by chunk, for the manager only. */
export function exportCases(db: Db, actor: Actor, filters: CaseFilters, ids?: readonly string[]) {
  if (!exportsLists(actor) || !worksOnCases(actor)) refuse('not-found')
  const chosen = ids && and(casesVisibleTo(actor), inArray(cfeCases.id, ids.filter(isId)))
  const within = chosen ?? narrowed(actor, filters)
  const order = inOrder(byDue, filters.order, { wait: longestWaitFirst })
  return listChunks((place, limit) => rows(db, and(within, place), limit, order), order)
}

function narrowed(
  actor: Actor,
  { from, gester, kind, over, state, text, to, turn }: CaseFilters,
): SQL | undefined {
  const isOver = over || state === 'closed' || state === 'rejected' || state === 'cancelled'
  return and(
    casesVisibleTo(actor),
    isOver ? isNotNull(cfeCases.closedAt) : isNull(cfeCases.closedAt),
    state && eq(cfeCases.state, state),
    turn && eq(cfeCases.waitingOn, turn),
    kind && eq(cfeCases.kind, kind),
    from === undefined ? undefined : gte(cfeCases.dueOn, from),
    to === undefined ? undefined : lte(cfeCases.dueOn, to),
    gester === undefined
      ? undefined
      : gester === 'nadie'
        ? isNull(cfeCases.gesterId)
        : isId(gester)
          ? eq(cfeCases.gesterId, gester)
          : sql`false`,
    ...searchWords(text).map(mentions),
  )
}

const searched = sql`concat_ws(' ', ${cfeCases.folio}, ${cfeCases.requestNumber}, ${cfeCases.serviceNumber}, ${customers.name},
    ${customers.lastname}, ${customers.email}, ${customers.phone})`
const mentions = (word: string) => contains(searched, word)

/** Whether open cases belong to a user who no longer handles any, with their number: the manager transfers them. */
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

/** The number of open cases that wait for their gester, and of late ones with the first term that passed, of those an actor may see; and whether there ever was any. */
export async function waitingCases(db: Db, actor: Actor, today: string) {
  const [row] = await db
    .select({
      hasAny: sql<boolean>`exists (select from cfe_cases where ${casesVisibleTo(actor) ?? sql`true`})`,
      yours: sql<number>`count(*) filter (where ${cfeCases.waitingOn} = 'gester')::int`,
      late: sql<number>`count(*) filter (where ${cfeCases.dueOn} < ${today})::int`,
      lateSince: sql<
        string | null
      >`(min(${cfeCases.dueOn}) filter (where ${cfeCases.dueOn} < ${today}))::text`,
    })
    .from(cfeCases)
    .where(and(casesVisibleTo(actor), isNull(cfeCases.closedAt)))
  return row ?? { hasAny: false, yours: 0, late: 0, lateSince: null }
}
