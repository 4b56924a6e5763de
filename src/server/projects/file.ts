import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { readsProjects } from '../../domain/projects/pipeline.ts'
import { visibleTo } from '../appointments/own-day.ts'
import { casesVisibleTo } from '../cfe/rows.ts'
import { accountOf } from '../payments/queries.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { fiscalData, quotes } from '../platform/database/schema/payments.ts'
import { addresses, agencies, events, projects, tasks } from '../platform/database/schema/projects.ts'
import { quotesVisibleTo } from '../quotes/changes.ts'
import { takesTasks } from './changes.ts'
import { projectsVisibleTo } from './list.ts'
import { projectStatusesOf } from './project-statuses.ts'

/** Everything about one project for the office, as far as somebody may see it: prices, payments and tasks only for those who sell. Null when it does not exist for them. */
export async function projectFile(db: Db, actor: Actor, id: string, now: Date) {
  const head = isId(id) ? await headOf(db, actor, id) : null
  if (!head) return null
  const readsAll = readsProjects(actor) === 'all'
  const [statuses, visits, offers, cases, account, fiscal, todo, events] = await Promise.all([
    projectStatusesOf(db, [head.customerId], now),
    appointmentsOf(db, actor, id),
    quotesOf(db, actor, id, readsAll),
    casesOf(db, actor, id),
    readsAll ? accountOf(db, actor, id) : null,
    readsAll ? fiscalStateOf(db, head.customerId) : null,
    takesTasks(actor) ? tasksOf(db, id) : null,
    projectEvents(db, id, readsAll),
  ])
  const status = statuses.get(head.customerId)!
  const money = account && { ledger: account.ledger, payments: account.payments.map(brief) }
  return {
    ...head,
    standing: status,
    appointments: visits,
    quotes: offers,
    cases,
    money,
    fiscal,
    tasks: todo,
    events,
    readsAll,
  }
}

export type ProjectFile = NonNullable<Awaited<ReturnType<typeof projectFile>>>

async function headOf(db: Db, actor: Actor, id: string) {
  const [row] = await db
    .select({
      ...{ id: projects.id, customerId: projects.customerId, createdAt: projects.createdAt },
      ...{
        vehicle: projects.vehicle,
        charger: projects.charger,
        agency: agencies.name,
        agencyId: projects.agencyId,
      },
      ...{ name: users.name, lastname: users.lastname, email: users.email, phone: users.phone },
      address: addresses,
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .leftJoin(agencies, eq(agencies.id, projects.agencyId))
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(and(eq(projects.id, id), projectsVisibleTo(actor)))
    .limit(1)
  return row ?? null
}

function appointmentsOf(db: Db, actor: Actor, projectId: string) {
  const { folio, id, outcome, service, startsAt, state } = appointments
  return db
    .select({
      ...{ id, folio, service, state, outcome, startsAt },
      person: sql<string | null>`nullif(${users.fullName}, '')`,
    })
    .from(appointments)
    .leftJoin(users, eq(users.id, appointments.assigneeId))
    .where(and(eq(appointments.projectId, projectId), visibleTo(actor)))
    .orderBy(desc(startsAt))
}

/** Without prices, none is read. */
function quotesOf(db: Db, actor: Actor, projectId: string, priced: boolean) {
  const { acceptedTotal, folio, highestTotal, id, kind, lowestTotal, revision, sentAt, state } = quotes
  const none = sql<null>`null`
  return db
    .select({
      ...{ id, folio, revision, kind, state, sentAt },
      lowestTotal: priced ? lowestTotal : none,
      highestTotal: priced ? highestTotal : none,
      acceptedTotal: priced ? acceptedTotal : none,
    })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), quotesVisibleTo(actor)))
    .orderBy(desc(quotes.createdAt))
}

function casesOf(db: Db, actor: Actor, projectId: string) {
  const { dueOn, folio, id, kind, state, waitingOn, waitingSince } = cfeCases
  return db
    .select({ id, folio, kind, state, waitingOn, waitingSince, dueOn })
    .from(cfeCases)
    .where(and(eq(cfeCases.projectId, projectId), casesVisibleTo(actor)))
    .orderBy(desc(cfeCases.createdAt))
}

/** How they stand, and nothing of what they say: that is read where each reading leaves a trace. */
async function fiscalStateOf(db: Db, customerId: string) {
  const [row] = await db
    .select({ state: fiscalData.state })
    .from(fiscalData)
    .where(eq(fiscalData.customerId, customerId))
  return row?.state ?? null
}

const tasksOf = (db: Db, projectId: string) =>
  db
    .select({ id: tasks.id, subject: tasks.subject, urgent: tasks.urgent, createdAt: tasks.createdAt })
    .from(tasks)
    .where(and(eq(tasks.projectId, projectId), isNull(tasks.doneAt)))
    .orderBy(desc(tasks.urgent), asc(tasks.dueAt))

type Payment = NonNullable<Awaited<ReturnType<typeof accountOf>>>['payments'][number]
const brief = ({ amount, concept, folio, id, method, paidAt, state }: Payment) => ({
  ...{ id, folio, concept, method, state, amount, paidAt },
})

/** As many as tell what happened lately. */
const shown = 40

const ids = (table: string, projectId: string) =>
  sql`select id from ${sql.raw(table)} where project_id = ${projectId}`

/**
 * What happened to a project and its parts, newest first: what of it, without a reason or a figure. Whoever reads no
 * prices is told of no quote and no payment. Whoever shows it has asked who may see it.
 */
function projectEvents(db: Db, projectId: string, withMoney: boolean) {
  const { actorId, at, entity, entityId, id, name, toState } = events
  const of = (kind: string, which: SQL) => sql`(${entity} = ${kind} and ${entityId} in (${which}))`
  const parts = [
    sql`(${entity} = 'project' and ${entityId} = ${projectId})`,
    of('appointment', ids('appointments', projectId)),
    of('cfe_case', ids('cfe_cases', projectId)),
    ...(withMoney ? [of('quote', ids('quotes', projectId)), of('payment', ids('payments', projectId))] : []),
  ]
  return db
    .select({
      ...{ id, entity, name, toState, at },
      actor: sql<string | null>`nullif(${users.fullName}, '')`,
    })
    .from(events)
    .leftJoin(users, eq(users.id, actorId))
    .where(sql.join(parts, sql` or `))
    .orderBy(desc(id))
    .limit(shown)
}

export type ProjectEvent = Awaited<ReturnType<typeof projectEvents>>[number]
