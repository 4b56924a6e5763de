import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Actor } from '../access/rules/actor.ts'
import { exportsLists, seesDeleted } from '../access/rules/actor.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { visibleTo } from '../appointments/visibility.ts'
import { accountOf } from '../payments/queries.ts'
import { type Db, isId, queryRows } from '../platform/database/client.ts'
import {
  countRows,
  eachRow,
  holds,
  inOrder,
  type Keyset,
  keyset,
  listChunks,
  listPage,
  onDays,
} from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { fiscalData, quotes } from '../platform/database/schema/payments.ts'
import {
  addresses,
  agencies,
  projectStandings,
  projects,
  tasks,
} from '../platform/database/schema/projects.ts'
import { casesVisibleTo, hasOrNeedsCase } from '../projects/cases.ts'
import { homeAmong, openFirst } from '../projects/open-project.ts'
import { type ProjectFilters, readsProjects } from '../projects/rules/pipeline.ts'
import { type Stage, stages } from '../projects/rules/stages.ts'
import { quotesVisibleTo } from '../quotes/transition.ts'
import { countLimits, countOf } from '../shared/count.ts'
import { refuse } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import { mentions } from '../users/queries.ts'
import { exactClients } from './clients.ts'
import { projectStatusesOf } from './overview.ts'
import { takesTasks } from './tasks.ts'

const seenAs: Record<ReturnType<typeof readsProjects>, (actor: Actor) => SQL | undefined> = {
  all: (actor) => notDeletedFor(actor, projects.customerId),
  paperwork: () => sql`${hasOrNeedsCase(projects.id)} and ${isNotDeleted(projects.customerId)}`,
  none: () => sql`false`,
}

const notDeletedFor = (actor: Actor, customerId: AnyPgColumn) =>
  seesDeleted(actor) ? undefined : isNotDeleted(customerId)

/** The projects an actor finds at /admin/clients. For all other actors they do not exist. */
export const projectsVisibleTo = (actor: Actor): SQL | undefined => seenAs[readsProjects(actor)](actor)

/** The longest wait first; what waits for nobody, as what is over, last. */
const longestWaitFirst = keyset(projectStandings, {
  direction: 'asc',
  key: (of) => [
    sql`(${of.waitingOn} = 'none')`,
    sql`coalesce(${of.since}, 'infinity'::timestamptz)`,
    of.projectId,
  ],
  id: projectStandings.projectId,
})

const orderOf = ({ order }: ProjectFilters) =>
  inOrder(longestWaitFirst, order, { moved: lastMovedFirst, created: newestFirst })

/** The last whose turn changed first, whoever it is now. */
const lastMovedFirst = keyset(projectStandings, {
  direction: 'desc',
  key: (of) => [sql`coalesce(${of.since}, '-infinity'::timestamptz)`, of.projectId],
  id: projectStandings.projectId,
})

const newestFirst = keyset(projects, {
  direction: 'desc',
  key: (of) => [of.createdAt, of.id],
  id: projects.id,
})

/** How many changed projects a list waits for; the round does the rest. */
const awaited = 1000

type Asked = ProjectFilters & { after?: string }

/** A page of projects, the longest wait first; their stages are exact. */
export async function listProjects(db: Db, actor: Actor, asked: Asked, now: Date) {
  const exact = await exactClients(db, now, {}, awaited)
  const words = searchWords(asked.text)
  const others = narrowed(actor, asked)
  const count = countProjects(exact, asked, and(others, words.length > 0 ? holdsSome(words) : undefined))
  // Of words that many hold those at the head of the list fill a page; the index of words would name all of their customers.
  const held = words.length > 0 && (await count).isMore ? holdsEach(words) : isOfCustomer(words)
  const within = and(standsAt(asked), others, held)
  const order = orderOf(asked)
  const [page, counted, byStage] = await Promise.all([
    listPage((place, limit) => rowsOf(exact, and(within, place), limit, order), order, asked.after),
    count,
    projectsByStage(exact, actor),
  ])
  return { ...page, ...counted, byStage }
}

/** How many projects stand at each stage, for those who read all; stages without any are left out. Each is the beginning of a stretch of an index. */
async function projectsByStage(db: Db, actor: Actor) {
  if (readsProjects(actor) !== 'all') return []
  const { customerId, stage } = projectStandings
  const at = and(sql`${stage} = of_stage.stage`, notDeletedFor(actor, customerId))
  const rows = await queryRows<[stage: Stage, counted: number]>(
    db,
    sql`select of_stage.stage, (select count(*)::int from (select from ${projectStandings} where ${at}
        limit ${sql.raw(String(countLimits.dear + 1))}) counted)
      from unnest(${sql.param(stages)}::text[]) with ordinality of_stage (stage, nth) order by nth`,
  )
  return rows
    .filter(([, counted]) => counted > 0)
    .map(([name, counted]) => ({ stage: name, count: countOf(counted, countLimits.dear) }))
}

const countProjects = (db: Db, asked: Asked, others: SQL | undefined) => {
  const standing = db.select(eachRow).from(projectStandings)
  const rows = others
    ? standing
        .innerJoin(projects, eq(projects.id, projectStandings.projectId))
        .where(and(standsAt(asked), others))
    : standing.where(standsAt(asked))
  return countRows(db, rows, asked.text)
}

/** All projects under some filters, or those of these ids, for an export, chunk by chunk, for the office only; each is read on demand. */
export async function exportProjects(
  db: Db,
  actor: Actor,
  filters: ProjectFilters,
  now: Date,
  ids?: readonly string[],
) {
  if (!exportsLists(actor)) return refuse('not-found')
  const exact = await exactClients(db, now, {}, awaited)
  const within = ids
    ? and(narrowed(actor, {}), inArray(projects.id, ids.filter(isId)))
    : and(standsAt(filters), narrowed(actor, filters), isOfCustomer(searchWords(filters.text)))
  const order = orderOf(filters)
  return listChunks((place, limit) => rowsOf(exact, and(within, place), limit, order), order)
}

const rowsOf = (db: Db, within: SQL | undefined, most: number, order: Keyset) =>
  db
    .select({
      id: projects.id,
      createdAt: projects.createdAt,
      stage: projectStandings.stage,
      waitingOn: projectStandings.waitingOn,
      since: projectStandings.since,
      customerId: projects.customerId,
      customer: users.fullName,
      email: users.email,
      phone: users.phone,
      agency: agencies.name,
      municipality: addresses.municipality,
      home: homeAmong(projects.id, projects.customerId),
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .innerJoin(projectStandings, eq(projectStandings.projectId, projects.id))
    .leftJoin(agencies, eq(agencies.id, projects.agencyId))
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(within)
    .orderBy(...order.orderBy)
    .limit(most)

/** One project as lists show it. */
export type ListedProject = Awaited<ReturnType<typeof rowsOf>>[number]

const standsAt = ({ stage, turn }: ProjectFilters) =>
  and(stage && holds(projectStandings.stage, stage), turn && holds(projectStandings.waitingOn, turn))

const narrowed = (actor: Actor, { agency, ...days }: ProjectFilters) =>
  and(
    projectsVisibleTo(actor),
    agency === undefined ? undefined : isId(agency) ? eq(projects.agencyId, agency) : sql`false`,
    onDays(projects.createdAt, days),
  )

/** Whose customer holds every word; customers are found by the index of words before their projects are. */
const isOfCustomer = (words: string[]) =>
  words.length === 0
    ? undefined
    : sql`${projects.customerId} = any (array(select users.id from users where ${and(...words.map(mentions))}))`

/** The same, of which only as many are looked up as are counted. */
const holdsSome = (words: string[]) =>
  sql`${projects.customerId} in (select users.id from users where ${and(...words.map(mentions))})`

/** The same, looked up project by project: "offset 0" leaves the planner no index of words. */
const holdsEach = (words: string[]) =>
  sql`exists (select from users where users.id = ${projects.customerId} and ${and(...words.map(mentions))} offset 0)`

/** Whose a project is; null for a project that the actor may not see. */
export async function customerOfProject(db: Db, actor: Actor, id: string): Promise<string | null> {
  const seen = and(eq(projects.id, id), projectsVisibleTo(actor))
  const [row] = isId(id)
    ? await db.select({ customerId: projects.customerId }).from(projects).where(seen)
    : []
  return row?.customerId ?? null
}

/** A customer's projects that the actor sees, each with its home; the open ones first, then the newest. */
export const projectHeadsOf = (db: Db, actor: Actor, customerId: string) =>
  db
    .select({
      id: projects.id,
      customerId: projects.customerId,
      createdAt: projects.createdAt,
      closedAt: projects.closedAt,
      stored: {
        stage: projectStandings.stage,
        waitingOn: projectStandings.waitingOn,
        since: projectStandings.since,
      },
      vehicle: projects.vehicle,
      charger: projects.charger,
      agency: agencies.name,
      agencyId: projects.agencyId,
      address: addresses,
    })
    .from(projects)
    .innerJoin(projectStandings, eq(projectStandings.projectId, projects.id))
    .leftJoin(agencies, eq(agencies.id, projects.agencyId))
    .leftJoin(addresses, and(eq(addresses.projectId, projects.id), isNull(addresses.archivedAt)))
    .where(and(eq(projects.customerId, customerId), projectsVisibleTo(actor)))
    .orderBy(...openFirst)

export type ProjectHead = Awaited<ReturnType<typeof projectHeadsOf>>[number]

/**
 * Everything about one project that the actor sees, as far as they may see its parts: prices, payments and tasks only
 * for sales staff.
 */
export async function projectFile(db: Db, actor: Actor, { stored, ...head }: ProjectHead, now: Date) {
  const { customerId, id } = head
  const readsAll = readsProjects(actor) === 'all'
  const [statuses, visits, offers, cases, account, fiscal, todo] = await Promise.all([
    projectStatusesOf(db, [customerId], now),
    appointmentsOf(db, actor, id),
    quotesOf(db, actor, id, readsAll),
    casesOf(db, actor, id),
    readsAll ? accountOf(db, actor, id) : null,
    readsAll ? fiscalStateOf(db, customerId) : null,
    takesTasks(actor) ? tasksOf(db, id) : null,
  ])
  const money = account && { ledger: account.ledger, payments: account.payments.map(brief) }
  return {
    ...head,
    /** Worked out for an open project, or the newest; an older one stands as it ended. */
    standing: statuses.find(({ projectId }) => projectId === id) ?? stored,
    appointments: visits,
    quotes: offers,
    cases,
    money,
    fiscal,
    tasks: todo,
    readsAll,
  }
}

export type ProjectFile = Awaited<ReturnType<typeof projectFile>>

function appointmentsOf(db: Db, actor: Actor, projectId: string) {
  const { folio, id, outcome, service, startsAt, state } = appointments
  return db
    .select({
      id,
      folio,
      service,
      state,
      outcome,
      startsAt,
      person: sql<string | null>`nullif(${users.fullName}, '')`,
    })
    .from(appointments)
    .leftJoin(users, eq(users.id, appointments.assigneeId))
    .where(and(eq(appointments.projectId, projectId), visibleTo(actor)))
    .orderBy(desc(startsAt))
}

/** Without the right to prices, none is read. */
function quotesOf(db: Db, actor: Actor, projectId: string, priced: boolean) {
  const { acceptedTotal, folio, highestTotal, id, kind, lowestTotal, revision, sentAt, state } = quotes
  const none = sql<null>`null`
  return db
    .select({
      id,
      folio,
      revision,
      kind,
      state,
      sentAt,
      lowestTotal: priced ? lowestTotal : none,
      highestTotal: priced ? highestTotal : none,
      acceptedTotal: priced ? acceptedTotal : none,
    })
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), quotesVisibleTo(actor)))
    .orderBy(desc(quotes.createdAt))
}

function casesOf(db: Db, actor: Actor, projectId: string) {
  const { dueOn, folio, gesterId, id, kind, state, waitingOn, waitingSince } = cfeCases
  const isMine = sql<boolean>`coalesce(${gesterId} = ${actor.id}, false)`
  return db
    .select({ id, folio, kind, state, waitingOn, waitingSince, dueOn, isMine })
    .from(cfeCases)
    .where(and(eq(cfeCases.projectId, projectId), casesVisibleTo(actor)))
    .orderBy(desc(cfeCases.createdAt))
}

/** The state only, not the content: that is read where each reading is recorded. */
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
const brief = ({ amount, concept, folio, id, method, paidAt, reversedAt, reversesId, state }: Payment) => ({
  id,
  folio,
  concept,
  method,
  state,
  amount,
  paidAt,
  reversedAt,
  reversesId,
})
