import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { type Db, isId, prepared, type Queryable, type Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { cfeCases, cfePapers } from '../platform/database/schema/cfe.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { type Tell, withoutDelay } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { casesVisibleTo } from '../projects/cases.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import {
  type CaseFacts,
  type CasePart,
  caseKindLabels,
  caseStateFacts,
  dueDatesOf,
  isUnfiled,
  leading,
  turnOf,
} from './rules/case.ts'
import {
  type CasePaperName,
  casePaperNames,
  correctorAfter,
  owedByCustomer,
  paperFrom,
  papersFor,
  unvalidatedIn,
} from './rules/papers.ts'

export type CaseRow = typeof cfeCases.$inferSelect
export type PaperRow = typeof cfePapers.$inferSelect

/** A case with its papers, held by its row until the transaction ends. */
export type LockedCase = { row: CaseRow; papers: PaperRow[] }

/** A case held until the transaction ends. For actors who may not see it, it does not exist. */
export async function lockCase(tx: Tx, mover: Actor | 'system', id: string): Promise<LockedCase> {
  if (!isId(id)) refuse('not-found')
  const seen = mover === 'system' ? undefined : casesVisibleTo(mover)
  const [row] = await tx
    .select()
    .from(cfeCases)
    .where(and(eq(cfeCases.id, id), seen))
    .for('update')
  if (!row) return refuse('not-found')
  return { row, papers: await papersOf(tx, id) }
}

/** A project is held before its cases, wherever both are changed. */
export async function lockProjectOf(tx: Tx, caseId: string): Promise<void> {
  if (!isId(caseId)) return
  const of = tx.select({ id: cfeCases.projectId }).from(cfeCases).where(eq(cfeCases.id, caseId))
  await tx.select({ id: projects.id }).from(projects).where(inArray(projects.id, of)).for('update')
}

/** The papers of a case, in their order. */
export async function papersOf(db: Queryable, caseId: string): Promise<PaperRow[]> {
  const rows = await db
    .select()
    .from(cfePapers)
    .where(eq(cfePapers.caseId, caseId))
    .orderBy(asc(cfePapers.name))
  return rows.toSorted((a, b) => casePaperNames.indexOf(a.name) - casePaperNames.indexOf(b.name))
}

/** What the rules ask about a stored case. */
export const factsOfCase = (row: CaseRow, papers: readonly PaperRow[]): CaseFacts => ({
  state: row.state,
  kind: row.kind,
  heldFrom: row.heldFrom,
  gesterId: row.gesterId,
  unvalidated: unvalidatedIn(neededOf(row, papers)),
})

/** Which papers a stored case needs. */
export const neededBy = ({ holderName, ...row }: CaseRow) =>
  papersFor({ ...row, isHolderOther: holderName !== null })

/** The papers that a case still needs, or that CFE asked for: others that came in stay, but are not awaited. */
export function neededOf<Paper extends Pick<PaperRow, 'name' | 'askedFrom'>>(
  row: CaseRow,
  papers: readonly Paper[],
): Paper[] {
  const needed = neededBy(row)
  return papers.filter(({ askedFrom, name }) => askedFrom !== null || needed.includes(name))
}

/** Puts the papers of a case in line with what it needs; what came in already stays, also where it is not needed any more. */
export async function alignPapers(tx: Tx, row: CaseRow, papers: readonly PaperRow[]): Promise<void> {
  if (!isUnfiled(row.state)) return
  const needed = neededBy(row)
  const missing = needed.filter((name) => !papers.some((paper) => paper.name === name))
  if (missing.length > 0) await tx.insert(cfePapers).values(missing.map((name) => ({ caseId: row.id, name })))
  for (const { askedFrom, name, state } of papers)
    if (state === 'pending' && askedFrom === null && !needed.includes(name))
      await tx.delete(cfePapers).where(and(eq(cfePapers.caseId, row.id), eq(cfePapers.name, name)))
}

/** The next folio, in the year of an instant. */
export const nextCaseFolio = (now: Date) =>
  sql<string>`next_folio('GES', ${Number(localDate(toMinutes(now)).slice(0, 4))})`

/** Writes on a held case, its version with it: what was done before can't be undone any more. */
export async function updateCase(
  tx: Tx,
  { id, version }: CaseRow,
  set: Partial<typeof cfeCases.$inferInsert>,
): Promise<CaseRow> {
  const [row] = await tx
    .update(cfeCases)
    .set({ undo: null, ...set, version: version + 1 })
    .where(eq(cfeCases.id, id))
    .returning()
  return row!
}

/** Notifies the screens of all users whom a case concerns; call it after the commit. */
export const announceCase = (db: Db, { customerId, gesterId, projectId }: CaseRow) =>
  announce(db, { people: [customerId, projectId, ...(gesterId ? [gesterId] : [])] })

const inKilowatts = (value: number | null) => (value === null ? null : `${value}\u00a0kW`)

/** A person's cases with CFE, in the words of what we hold about them; the files stand among their documents. */
export async function ownCases(db: Db, customerId: string) {
  const rows = await db
    .select()
    .from(cfeCases)
    .where(eq(cfeCases.customerId, customerId))
    .orderBy(asc(cfeCases.createdAt))
  return rows.map((row) => ({
    Folio: row.folio,
    Trámite: caseKindLabels[row.kind],
    Estado: caseStateFacts[row.state].label,
    'Titular del servicio': row.holderName,
    'Número de servicio de CFE': row.serviceNumber,
    'Número de medidor': row.meterNumber,
    'Carga contratada': inKilowatts(row.contractedKilowatts),
    'Carga que se pide': inKilowatts(row.requestedKilowatts),
    Tarifa: row.tariff,
    'Folio de la solicitud en CFE': row.requestNumber,
    'Número de contrato': row.contractNumber,
    'Medidor que instaló CFE': row.newMeterNumber,
    'Por qué': row.holdReason ?? row.reason,
    Abierto: row.createdAt,
    Ingresado: row.filedAt,
    Terminado: row.closedAt,
  }))
}

/**
 * For a deleted customer, the course of their cases stays, without anything that identifies them: neither papers nor
 * numbers. Open cases end, since there is no customer to ask or to answer.
 */
export async function forgetCases(tx: Tx, customerId: string, now: Date): Promise<void> {
  const open = await tx
    .select()
    .from(cfeCases)
    .where(and(eq(cfeCases.customerId, customerId), isNull(cfeCases.closedAt)))
    .orderBy(asc(cfeCases.id))
    .for('update')
  for (const row of open) {
    const over = { state: 'cancelled', heldFrom: null, closedAt: now } as const
    await updateCase(tx, row, { ...over, waitingOn: 'none', waitingSince: now, dueOn: null })
    await record(tx, {
      entity: 'cfe_case',
      entityId: row.id,
      name: 'cancel',
      fromState: row.state,
      toState: over.state,
    })
  }
  await tx.execute(
    sql`delete from cfe_papers where case_id in (select id from cfe_cases where customer_id = ${customerId})`,
  )
  await tx.execute(sql`
    update cfe_cases set holder_name = null, service_number = null, meter_number = null, request_number = null,
      contract_number = null, new_meter_number = null, reason = null, hold_reason = null, undo = null, version = version + 1
    where customer_id = ${customerId}`)
}

/** A file that came in for a paper of a held case, whose row is written. */
type PaperIn = { name: CasePaperName; documentId: string }

/**
 * A paper of a held case came in, and whose turn it is follows from it. What a customer hands in is looked over; who works
 * on the case looked at what they hand in themselves.
 */
export async function paperIn(
  tx: Tx,
  actor: Actor,
  row: CaseRow,
  { documentId, name }: PaperIn,
  now: Date,
): Promise<CaseRow> {
  const reviewed = isCustomer(actor)
    ? ({ state: 'received', reviewedBy: null, reviewedAt: null } as const)
    : ({ state: 'validated', reviewedBy: actor.id, reviewedAt: now } as const)
  await writePaper(tx, row.id, name, { documentId, receivedAt: now, reason: null, ...reviewed })
  await record(tx, {
    entity: 'cfe_case',
    entityId: row.id,
    actorId: actor.id,
    name: 'paper',
    data: { paper: name, documentId },
  })
  const papers = await papersOf(tx, row.id)
  const correctedBy = correctorAfter(paperFrom(papers.find((one) => one.name === name)!), row.correctedBy)
  const written = correctedBy === row.correctedBy ? row : await updateCase(tx, row, { correctedBy })
  return syncCase(tx, { row: written, papers }, now, { by: actor.id })
}

/** Writes on a paper of a held case, whose last step can't be undone any more. */
export async function writePaper(
  tx: Tx,
  caseId: string,
  name: CasePaperName,
  set: Partial<typeof cfePapers.$inferInsert>,
): Promise<void> {
  await tx.update(cfeCases).set({ undo: null }).where(eq(cfeCases.id, caseId))
  await tx
    .update(cfePapers)
    .set(set)
    .where(and(eq(cfePapers.caseId, caseId), eq(cfePapers.name, name)))
}

/**
 * What else needs a notification, although the turn is the same: something was given back. `by` knows already;
 * `isMailed`: the customer is notified by what follows.
 */
type CaseNotice = { by: string | null; again?: boolean; tell?: Tell; isMailed?: boolean }

/**
 * Computes whose turn it is after a change of a locked case, and since when. The user whose turn it becomes gets a
 * letter; the customer at every change of turn, so that they need not ask.
 */
export async function syncCase(
  tx: Tx,
  { papers, row }: LockedCase,
  now: Date,
  notice: CaseNotice,
): Promise<CaseRow> {
  const turn = turnOf({ ...row, customerOwes: owedByCustomer(neededOf(row, papers)).length > 0 })
  const changed = turn !== row.waitingOn
  const since = changed ? now : row.waitingSince
  const dueOn = dueDatesOf(turn, row.state, since)?.late ?? null
  if (!changed && dueOn === row.dueOn && !notice.again) return row
  const [followed] = await tx
    .update(cfeCases)
    .set({ waitingOn: turn, waitingSince: since, dueOn })
    .where(eq(cfeCases.id, row.id))
    .returning()
  if (changed || notice.again) await notifyTurn(tx, followed!, notice)
  return followed!
}

/** Written from how the case stands when the letter is, and left out once the turn is another. */
export async function notifyTurn(
  tx: Tx,
  { gesterId, id: caseId, waitingOn, waitingSince }: CaseRow,
  { by, isMailed, tell = withoutDelay }: CaseNotice,
): Promise<void> {
  const since = waitingSince.toISOString()
  if (!isMailed) await tell(tx, 'letter', { letter: 'case_turn', caseId, since, to: 'customer' })
  if (waitingOn === 'gester' && by !== gesterId)
    await tell(tx, 'letter', { letter: 'case_turn', caseId, since, to: 'gester' })
}

const part = { state: cfeCases.state, turn: cfeCases.waitingOn, since: cfeCases.waitingSince }

const openParts = prepared((db) =>
  db
    .select(part)
    .from(cfeCases)
    .where(sql`${cfeCases.projectId} = ${sql.placeholder('projectId')} and ${cfeCases.closedAt} is null`)
    .prepare('open_case_parts'),
)

/** The open case by which a project stands; null where it has none. */
export const openCasePart = async (db: Queryable, projectId: string): Promise<CasePart | null> =>
  leading(await openParts(db).execute({ projectId }))

/** The same of some projects, by project; those without one are not there. */
export async function openCaseParts(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, CasePart>> {
  const rows = await db
    .select({ projectId: cfeCases.projectId, ...part })
    .from(cfeCases)
    .where(and(inArray(cfeCases.projectId, [...projectIds]), isNull(cfeCases.closedAt)))
  const parts = Map.groupBy(rows, ({ projectId }) => projectId)
  return new Map([...parts].map(([id, those]) => [id, leading(those)!]))
}
