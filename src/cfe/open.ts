import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { type Actor, isGester } from '../access/rules/actor.ts'
import { isOfKind } from '../accounts/people.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { cfeCases, cfePapers } from '../platform/database/schema/cfe.ts'
import { documents, quotes } from '../platform/database/schema/payments.ts'
import { addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import { enqueue, unlessUndone } from '../platform/jobs/jobs.ts'
import type { Jobs } from '../platform/jobs/queues.ts'
import { asksForPaperwork } from '../projects/cases.ts'
import { conditionsOf, meetCondition, raiseTask } from '../projects/conditions.ts'
import { askToCallCustomer } from '../projects/open-project.ts'
import { ofCfe } from '../projects/rules/next-step.ts'
import { answersOf, approvedVisit } from '../reports/prefilled.ts'
import { bearsWith, requestedLoad } from '../reports/rules/passport.ts'
import { refuse } from '../shared/refusal.ts'
import {
  alignPapers,
  announceCase,
  type CaseRow,
  lockCase,
  lockProjectOf,
  nextCaseFolio,
  type PaperRow,
  paperIn,
  papersOf,
  syncCase,
  writePaper,
} from './rows.ts'
import { type CaseKind, isGranted, managesCases, worksOnCases } from './rules/case.ts'
import { caseNeededBy, factsFromReport } from './rules/papers.ts'

const openCases = sql<number>`(select count(*)::int from cfe_cases where cfe_cases.gester_id = users.id and cfe_cases.closed_at is null)`
const isActiveGester = and(isOfKind('gester'), users.active)

/** Who handles cases, with how many of them are open. */
export const gestersWithLoad = (db: Queryable) =>
  db
    .select({
      id: users.id,
      name: users.fullName,
      open: openCases,
    })
    .from(users)
    .where(isActiveGester)
    .orderBy(asc(users.name), asc(users.id))

/** The number of open cases of a user, whatever their role is now; only for the manager, who transfers them. */
export async function casesHeldBy(db: Queryable, actor: Actor, userId: string): Promise<number> {
  if (!managesCases(actor) || !isId(userId)) return 0
  const [row] = await db.select({ open: openCases }).from(users).where(eq(users.id, userId))
  return row?.open ?? 0
}

/** The gester with the fewest open cases; null where there is none. */
async function leastBusyGester(db: Queryable): Promise<string | null> {
  const [one] = await db
    .select({ id: users.id })
    .from(users)
    .where(isActiveGester)
    .orderBy(openCases, asc(users.id))
    .limit(1)
  return one?.id ?? null
}

/** Refuses to assign a case to a user who is no active gester. */
export async function assertGester(db: Queryable, id: string): Promise<void> {
  const [one] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isActiveGester, eq(users.id, id)))
  if (!one) refuse('invalid-argument', 'Esa persona ya no lleva trámites. Elige a otra.')
}

const name = 'condominium_permit'

/** The condominium's permit that the installation asked for serves a case, too, that asks for one. Answers its papers. */
export async function takePermit(tx: Tx, { id, projectId }: CaseRow, now: Date): Promise<PaperRow[]> {
  const papers = await papersOf(tx, id)
  if (!papers.some((paper) => paper.name === name && paper.state === 'pending')) return papers
  const [permit] = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.projectId, projectId), eq(documents.purpose, name), isNull(documents.replacedAt)))
  if (!permit) return papers
  await writePaper(tx, id, name, { state: 'received', documentId: permit.id, receivedAt: now })
  return papersOf(tx, id)
}

/**
 * The permit of a project whose row is held came in: every open case that has one among its papers gets it, to be looked
 * over again, also one that is with CFE, since the file before is gone. Answers those that changed.
 */
export async function bringPermit(
  tx: Tx,
  actor: Actor,
  { documentId, projectId }: { documentId: string; projectId: string },
  now: Date,
): Promise<CaseRow[]> {
  const open = await tx
    .select({ id: cfeCases.id })
    .from(cfeCases)
    .innerJoin(cfePapers, and(eq(cfePapers.caseId, cfeCases.id), eq(cfePapers.name, name)))
    .where(and(eq(cfeCases.projectId, projectId), isNull(cfeCases.closedAt)))
    .orderBy(asc(cfeCases.id))
  const changed: CaseRow[] = []
  for (const { id } of open) {
    const { papers, row } = await lockCase(tx, 'system', id)
    const paper = papers.find((one) => one.name === name)
    if (!paper || row.closedAt || (paper.documentId === documentId && paper.state !== 'rejected')) continue
    if (paper.documentId) await dropOwn(tx, paper.documentId, now)
    changed.push(await paperIn(tx, actor, row, { name, documentId }, now))
  }
  return changed
}

/** A permit that was handed in for a case alone gives way. */
const dropOwn = (tx: Tx, id: string, now: Date) =>
  tx
    .update(documents)
    .set({ replacedAt: now })
    .where(and(eq(documents.id, id), eq(documents.purpose, 'cfe_paper'), isNull(documents.replacedAt)))

type Input = { kind: CaseKind; quoteId: string | null; gesterId: string | null; openedBy: string | null }
type Project = typeof projects.$inferSelect

/** A gester or a manager opens a case of the project whose quote or done visit has a folio. A gester keeps it. */
export async function openCase(
  db: Db,
  actor: Actor,
  { folio, kind }: { folio: string; kind: CaseKind },
  now: Date,
): Promise<CaseRow> {
  if (!worksOnCases(actor)) refuse('permission-denied')
  const opened = await transaction(db, async (tx) => {
    const project =
      (await heldProjectOf(tx, await projectOfFolio(tx, folio))) ??
      refuse('failed-precondition', 'Ese proyecto ya se cerró.')
    const gesterId = isGester(actor) ? actor.id : await leastBusyGester(tx)
    const made = await write(tx, project, { kind, quoteId: null, gesterId, openedBy: actor.id }, now)
    return made ?? refuse('already-exists', 'Ese proyecto ya tiene abierto un trámite de este tipo.')
  })
  announceCase(db, opened)
  return opened
}

/** The project of a quote for an installation, or of a done technical visit, as both say by their folio. */
async function projectOfFolio(tx: Tx, folio: string): Promise<string> {
  const unknown = 'No encontramos ese folio. Revísalo en la cotización o en la visita.'
  const [found] = folio.startsWith('COT-')
    ? await tx
        .select({ projectId: quotes.projectId })
        .from(quotes)
        .where(and(eq(quotes.folio, folio), eq(quotes.kind, 'installation')))
        .limit(1)
    : await tx
        .select({ projectId: appointments.projectId })
        .from(appointments)
        .where(
          and(
            eq(appointments.folio, folio),
            eq(appointments.service, 'technical_visit'),
            eq(appointments.state, 'done'),
          ),
        )
  return found?.projectId ?? refuse('invalid-argument', unknown, { errors: { folio: unknown } })
}

async function heldProjectOf(tx: Tx, id: string): Promise<Project | null> {
  const [project] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.closedAt)))
    .for('update')
  return project ?? null
}

/** Opens the cases that accepted quotes need and no one opened yet, each once. Answers how many. */
export async function openNeededCases(db: Db, now: Date): Promise<number> {
  const due = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(sql`${quotes.kind} = 'installation' and ${quotes.state} = 'accepted'`, needsOne))
    .limit(100)
  let count = 0
  for (const { id } of due) {
    const opened = await transaction(db, (tx) => openFor(tx, id, now))
    if (!opened) continue
    count++
    announceCase(db, opened)
  }
  return count
}

/**
 * Another holder's name is asked for beside anything else. What was cancelled is not opened again by itself, unless something
 * else was agreed after it.
 */
const needsOne = sql`${quotes.appointmentId} in (select answer.appointment_id from sheet_answers answer where ${asksForPaperwork('answer')})
  and not exists (select from cfe_cases where cfe_cases.project_id = ${quotes.projectId} and cfe_cases.kind <> 'name_change'
    and not (cfe_cases.state = 'cancelled' and cfe_cases.closed_at < ${quotes.acceptedAt}))
  and exists (select from projects where projects.id = ${quotes.projectId} and projects.closed_at is null)`

async function openFor(tx: Tx, quoteId: string, now: Date): Promise<CaseRow | null> {
  const [quote] = await tx.select().from(quotes).where(eq(quotes.id, quoteId))
  const kind = quote && caseNeededBy(await answersOf(tx, quote.appointmentId))
  if (!quote || !kind) return null
  const project = await heldProjectOf(tx, quote.projectId)
  // Asked again with the project held: two rounds at once open one.
  const [still] = await tx
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.id, quoteId), eq(quotes.state, 'accepted'), needsOne))
  if (!still || !project) return null
  return write(tx, project, { kind, quoteId, gesterId: await leastBusyGester(tx), openedBy: null }, now)
}

async function write(tx: Tx, project: Project, input: Input, now: Date): Promise<CaseRow | null> {
  const { customerId, id: projectId } = project
  const [row] = await tx
    .insert(cfeCases)
    .values({
      ...input,
      folio: nextCaseFolio(now),
      projectId,
      customerId,
      ...(await knownOf(tx, project, input.kind)),
      waitingSince: now,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) return null
  await alignPapers(tx, row, [])
  const papers = await takePermit(tx, row, now)
  await record(tx, {
    entity: 'cfe_case',
    entityId: row.id,
    actorId: input.openedBy,
    name: 'open',
    toState: row.state,
  })
  if (input.gesterId && input.gesterId !== input.openedBy)
    await enqueue(tx, 'letter', { letter: 'case_given', caseId: row.id, to: 'gester' })
  return syncCase(tx, { row, papers }, now, { by: input.openedBy })
}

/** What the approved report and the address say already. */
async function knownOf(tx: Tx, { charger, id, permitNeeded }: Project, kind: CaseKind) {
  const visit = await approvedVisit(tx, id)
  const answers = visit ? await answersOf(tx, visit.id) : {}
  const [address] = await tx
    .select({ serviceNumber: addresses.cfeServiceNumber })
    .from(addresses)
    .where(and(eq(addresses.projectId, id), isNull(addresses.archivedAt)))
    .orderBy(asc(addresses.createdAt))
  const { needsPermit, ...facts } = factsFromReport(answers)
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  const chargerKilowatts = number(answers.chargerKilowatts) ?? charger?.kilowatts ?? null
  const contractedKilowatts = number(answers.contractedKilowatts)
  const tariff = text(answers.tariff)
  return {
    ...facts,
    needsPermit: needsPermit || permitNeeded,
    meterNumber: text(answers.meterNumber),
    serviceNumber: text(answers.cfeServiceNumber) ?? address?.serviceNumber ?? null,
    chargerKilowatts,
    contractedKilowatts,
    requestedKilowatts: kind === 'name_change' ? null : requestedLoad(answers, kind !== 'load_increase'),
    tariff: tariff === 'No sé' ? null : tariff,
  }
}

/**
 * CFE installed the meter, which can't be undone any more: what the visit found is met where the home bears its charger
 * with the approved load. A case of before that was asked is believed. It may run twice. The e-mail of its turn, which
 * began at `since`, is sent after that.
 */
export async function followGrant(
  db: Db,
  { actorId, caseId, since }: Jobs['follow-grant'],
  now: Date,
): Promise<void> {
  const granted = await transaction(db, async (tx) => {
    await lockProjectOf(tx, caseId)
    const { row } = await lockCase(tx, 'system', caseId)
    if (!isGranted(row)) return row
    await grant(tx, actorId, row, now)
    const about = { letter: 'case_turn', caseId, to: 'customer' } as const
    if (since) await unlessUndone(row, 0)(tx, 'letter', { ...about, since })
    return row
  })
  announceCase(db, granted)
}

async function grant(tx: Tx, actorId: string, row: CaseRow, now: Date): Promise<void> {
  const { approvedKilowatts, kind, projectId } = row
  if (kind === 'name_change') return
  const visit = await approvedVisit(tx, projectId)
  const bears =
    kind !== 'load_increase' ||
    !visit ||
    approvedKilowatts === null ||
    bearsWith(await answersOf(tx, visit.id), approvedKilowatts)
  const by = { actorId, how: 'case', projectId } as const
  const held = (await conditionsOf(tx, projectId)).find(({ heldAmps, isMet }) => !isMet && heldAmps !== null)
  for (const met of kind === 'load_increase' ? [kind] : ofCfe)
    if (bears) await meetCondition(tx, { ...by, kind: met }, now)
  if (!visit || (bears && !held)) return
  if (bears) return askToCallCustomer(tx, visit, raiseTask(held!.heldAmps!))
  const reason = 'load_granted'
  const known = and(eq(tasks.projectId, projectId), eq(tasks.reason, reason), isNull(tasks.doneAt))
  if ((await tx.$count(tasks, known)) > 0) return
  const subject = `CFE dio ${approvedKilowatts}\u00a0kW y la casa todavía no aguanta el cargador: revisa pastilla principal y alimentador, y mídelos en otra visita.`
  await askToCallCustomer(tx, visit, { subject, reason })
}
