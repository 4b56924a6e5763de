import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import { caseMachine, dueDatesOf, takesPapers, worksOn } from '../../domain/cfe/case.ts'
import { casePaperFacts, casePaperNames, needsFeasibility } from '../../domain/cfe/papers.ts'
import { isId, type Queryable } from '../platform/database/client.ts'
import { historyOf } from '../platform/database/queries.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { cfeCases, cfePapers } from '../platform/database/schema/cfe.ts'
import { documents, quotes } from '../platform/database/schema/payments.ts'
import { addresses } from '../platform/database/schema/projects.ts'
import { casesVisibleTo, factsOfCase, neededBy, neededOf, type PaperRow, papersOf } from './rows.ts'

const customers = alias(users, 'customer')
const gesters = alias(users, 'gester')

/** A case with all that whoever works on it is shown; null where it does not exist for them. No amount is among it. */
export async function caseFor(db: Queryable, actor: Actor, id: string) {
  const found = await caseSeen(db, actor, id)
  if (!found) return null
  const papers = await papersOf(db, id)
  const facts = factsOfCase(found.row, papers)
  const { projectId, state, waitingOn, waitingSince } = found.row
  const [shown, history, visits, agreed] = await Promise.all([
    withDocuments(db, papers),
    historyOf(db, 'cfe_case', id),
    doneVisits(db, projectId),
    agreedQuote(db, projectId),
  ])
  return {
    ...found,
    ...{ papers: shown, history, visits, quote: agreed, needed: neededBy(found.row) },
    ...{
      dates: dueDatesOf(waitingOn, state, waitingSince),
      moves: caseMachine.names.filter((name) => caseMachine.can(name, actor, facts)),
    },
    ...{ works: worksOn(actor, facts), takesPapers: takesPapers(state), unvalidated: facts.unvalidated },
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
        ...{ name: customers.name, lastname: customers.lastname, email: customers.email },
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
  return papers.map(({ documentId, name, reason, receivedAt, state }) => ({
    ...{ name, reason, receivedAt, state, from: casePaperFacts[name].from },
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
      ...{ id, folio, kind, requestNumber, state, waitingOn, waitingSince },
      ...{ takesPapers: takesPapers(state), hasHolder: row.holderName !== null },
      why: state === 'on_hold' ? row.holdReason : row.reason,
      dates: dueDatesOf(waitingOn, state, waitingSince),
      papers: neededOf(row, theirs).toSorted(
        (a, b) => casePaperNames.indexOf(a.name) - casePaperNames.indexOf(b.name),
      ),
    }
  })
}
export type OwnCase = Awaited<ReturnType<typeof ownCasesOf>>[number]
