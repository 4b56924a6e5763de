import { and, asc, eq, isNull } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { attach, keepPapers, type Taken, takeDocument } from '../documents/documents.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { cfeCases, cfePapers } from '../platform/database/schema/cfe.ts'
import { documents } from '../platform/database/schema/payments.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { meetCondition } from '../projects/conditions.ts'
import { lockProject } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { assertGester, takePermit } from './open.ts'
import { judgePermit, receivePermit } from './permit.ts'
import {
  alignPapers,
  announceCase,
  type CaseRow,
  factsOfCase,
  type LockedCase,
  lockCase,
  lockProjectOf,
  neededOf,
  type PaperRow,
  paperIn,
  papersOf,
  syncCase,
  updateCase,
  writePaper,
} from './rows.ts'
import { caseMachine, isOpenCase, isUnfiled, managesCases, takesPapers, worksOn } from './rules/case.ts'
import { askedName, type CasePaperName, paperFrom } from './rules/papers.ts'
import type { AskedPaperInput, CaseFactsInput } from './rules/schema.ts'

/** Puts right what a case says of the service; the papers that CFE wants follow from it. */
export async function saveCaseFacts(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...facts }: CaseFactsInput & { version: number },
  now: Date,
): Promise<void> {
  const saved = await transaction(db, async (tx) => {
    const held = await holdWorked(tx, actor, id)
    await assertVersion(tx, actor, 'cfe_case', held.row, version)
    if (!isUnfiled(held.row.state)) refuse('failed-precondition', 'Lo que ya está en CFE no se cambia aquí.')
    const changed = Object.entries(facts).flatMap(([name, value]) =>
      held.row[name as keyof CaseRow] === value ? [] : [name],
    )
    if (changed.length === 0) return held.row
    const row = await updateCase(tx, held.row, facts)
    await record(tx, {
      entity: 'cfe_case',
      entityId: id,
      actorId: actor.id,
      name: 'facts',
      data: { changed },
    })
    await alignPapers(tx, row, held.papers)
    return syncCase(tx, { row, papers: await takePermit(tx, row, now) }, now, { by: actor.id })
  })
  announceCase(db, saved)
}

/**
 * CFE asks for a paper beside those of a case: a known one, or another by its name. Whoever provides it is told, and hands it
 * in as the others.
 */
export async function askForPaper(
  db: Db,
  actor: Actor,
  id: string,
  { asked, askedFrom, label: typed }: AskedPaperInput,
  now: Date,
): Promise<void> {
  const row = await transaction(db, async (tx) => {
    const held = await holdWorked(tx, actor, id)
    if (!takesPapers(held.row.state)) refuse('failed-precondition', notNow)
    const awaited = neededOf(held.row, held.papers)
    const name = askedName(
      asked,
      awaited.map((one) => one.name),
    )
    if (!name) return refuse('already-exists', already, { errors: { asked: already } })
    const label = asked === 'other' ? typed : null
    await tx
      .insert(cfePapers)
      .values({ caseId: id, name, label, askedFrom })
      .onConflictDoUpdate({ target: [cfePapers.caseId, cfePapers.name], set: { label, askedFrom } })
    const data = { paper: name, ...(label && { label }) }
    await record(tx, { entity: 'cfe_case', entityId: id, actorId: actor.id, name: 'paper_asked', data })
    const papers = await papersOf(tx, id)
    return syncCase(tx, { row: held.row, papers }, now, { by: actor.id, again: askedFrom === 'customer' })
  })
  announceCase(db, row)
}

const already = 'Ese documento ya está entre los del trámite.'

/** Leaves a note in the history of a case, for those who work on it. */
export async function noteOnCase(db: Db, actor: Actor, id: string, note: string): Promise<void> {
  const row = await transaction(db, async (tx) => {
    const held = await holdWorked(tx, actor, id)
    await record(tx, { entity: 'cfe_case', entityId: id, actorId: actor.id, name: 'note', reason: note })
    return held.row
  })
  announceCase(db, row)
}

/** An open case, locked, for a user who works on it. */
async function holdWorked(tx: Tx, actor: Actor, id: string): Promise<LockedCase> {
  const held = await lockCase(tx, actor, id)
  if (!worksOn(actor, factsOfCase(held.row, held.papers))) refuse('permission-denied')
  if (!isOpenCase(held.row.state)) refuse('failed-precondition', 'Este trámite ya terminó.')
  return held
}

/**
 * The accepted work will not be done: its cases end, except those already filed with CFE, which must be withdrawn there
 * by hand.
 */
export async function endUnfiledCases(
  tx: Tx,
  { now, projectId, reason }: { projectId: string; reason: string; now: Date },
): Promise<void> {
  const open = await tx
    .select({ id: cfeCases.id })
    .from(cfeCases)
    .where(and(eq(cfeCases.projectId, projectId), isNull(cfeCases.closedAt)))
  for (const { id } of open) {
    const { papers, row } = await lockCase(tx, 'system', id)
    if (!isUnfiled(row.state)) continue
    const state = caseMachine.next('cancel', 'system', factsOfCase(row, papers))
    const written = await updateCase(tx, row, { state, reason, closedAt: now })
    await record(tx, {
      entity: 'cfe_case',
      entityId: id,
      name: 'cancel',
      reason,
      fromState: row.state,
      toState: state,
    })
    await syncCase(tx, { row: written, papers }, now, { by: null })
  }
}

/** The manager assigns a case to a gester, or a gester takes an unassigned one. */
export async function giveCase(
  db: Db,
  actor: Actor,
  id: string,
  { gesterId, version }: { gesterId: string; version: number },
): Promise<void> {
  if (!managesCases(actor) && gesterId !== actor.id) refuse('permission-denied')
  const given = await transaction(db, async (tx) => {
    const { row } = await holdWorked(tx, actor, id)
    if (row.gesterId === gesterId) return row
    await assertVersion(tx, actor, 'cfe_case', row, version)
    await assertGester(tx, gesterId)
    if (gesterId !== actor.id) await enqueue(tx, 'letter', { letter: 'case_given', caseId: id, to: 'gester' })
    return give(tx, actor, row, gesterId)
  })
  announceCase(db, given)
}

/** The manager transfers all open cases of one gester, who may have left, to another. Returns how many. */
export async function handOverCases(
  db: Db,
  actor: Actor,
  { from, to }: { from: string; to: string },
): Promise<number> {
  if (!managesCases(actor)) refuse('permission-denied')
  const same = 'Elige a otra persona.'
  if (from === to) refuse('invalid-argument', same, { errors: { to: same } })
  const given = await transaction(db, async (tx) => {
    await assertGester(tx, to)
    const rows = await tx
      .select()
      .from(cfeCases)
      .where(and(eq(cfeCases.gesterId, from), isNull(cfeCases.closedAt)))
      .orderBy(asc(cfeCases.id))
      .for('update')
    for (const row of rows) await give(tx, actor, row, to)
    if (rows.length > 0)
      await enqueue(tx, 'letter', { letter: 'cases_handed', gesterId: to, count: rows.length, to: 'gester' })
    return rows.length
  })
  announce(db, { people: [from, to] })
  return given
}

async function give(tx: Tx, actor: Actor, row: CaseRow, gesterId: string): Promise<CaseRow> {
  const written = await updateCase(tx, row, { gesterId })
  await record(tx, {
    entity: 'cfe_case',
    entityId: row.id,
    actorId: actor.id,
    name: 'give',
    data: { from: row.gesterId, to: gesterId },
  })
  return written
}

const notNow = 'Ahora no se reciben documentos de este trámite.'

/**
 * The customer, or a user who works on the case, uploads one of its papers, or replaces it. A validated one stays as it
 * is to the customer; the same file sent twice is one change. The condominium's permit also counts for the installation.
 */
export async function handInCasePaper(
  db: Db,
  drive: Drive,
  actor: Actor,
  { caseId, file, name }: { caseId: string; name: CasePaperName; file: File },
  now: Date,
): Promise<void> {
  // Asked before the bytes are taken in, and again with the row held.
  const { row } = await transaction(db, (tx) => holdPaper(tx, actor, caseId, name))
  const { customerId, projectId } = row
  const isPermit = name === 'condominium_permit'
  const isUvie = name === 'uvie_report'
  const purpose = isPermit ? 'condominium_permit' : 'cfe_paper'
  const taken = await takeDocument(db, drive, actor, { purpose, customerId, projectId, file, field: 'file' })
  const change = () =>
    transaction(db, async (tx) => {
      // A project is held before its cases, wherever both are.
      if (isPermit || isUvie) await lockProject(tx, projectId)
      const held = await holdPaper(tx, actor, caseId, name)
      if (isPermit) return receivePermit(tx, actor, { ...taken, projectId }, now)
      if (isUvie && worksOn(actor, held.row))
        await meetCondition(tx, { actorId: actor.id, how: 'case', kind: 'uvie', projectId }, now)
      if (!(await keep(tx, held, taken, now))) return []
      return [await paperIn(tx, actor, held.row, { name, documentId: taken.id }, now)]
    })
  const cases = await keepPapers({ db, drive }, [taken], now, change)
  for (const one of cases) announceCase(db, one)
}

type HeldPaper = LockedCase & { paper: PaperRow }

async function holdPaper(tx: Tx, actor: Actor, caseId: string, name: CasePaperName): Promise<HeldPaper> {
  const held = await lockCase(tx, actor, caseId)
  const paper = held.papers.find((one) => one.name === name)
  if (!mayHandInPaper(actor, held.row, paper ?? { askedFrom: null, name })) refuse('permission-denied')
  if (!paper) return refuse('not-found')
  if (!takesPapers(held.row.state)) refuse('failed-precondition', notNow)
  if (paper.state === 'validated' && isCustomer(actor))
    refuse('failed-precondition', 'Este documento ya está validado.')
  return { ...held, paper }
}

/** Customers upload the requested papers, those who work on the case any. */
const mayHandInPaper = (actor: Actor, row: CaseRow, paper: Pick<PaperRow, 'name' | 'askedFrom'>) =>
  isCustomer(actor) ? actor.id === row.customerId && paperFrom(paper) === 'customer' : worksOn(actor, row)

/** Writes the document that came in; false where it is what is there already. */
async function keep(tx: Tx, { paper }: HeldPaper, taken: Taken, now: Date): Promise<boolean> {
  const [before] = paper.documentId
    ? await tx.select().from(documents).where(eq(documents.id, paper.documentId))
    : []
  const isHandedIn = paper.state === 'received' || paper.state === 'validated'
  if (before?.sha256 === taken.sha256 && isHandedIn) return false
  if (before) await tx.update(documents).set({ replacedAt: now }).where(eq(documents.id, before.id))
  await attach(tx, taken)
  return true
}

type PaperReview = {
  name: CasePaperName
  /** The file that was looked at: another one may have come meanwhile. */
  seen: string
  /** Why it is given back; null finds it right. */
  reason: string | null
}

/** A user who works on a case validates a paper, or returns it with a reason. */
export async function reviewCasePaper(
  db: Db,
  actor: Actor,
  caseId: string,
  { name, reason, seen }: PaperReview,
  now: Date,
): Promise<void> {
  const row = await transaction(db, async (tx) => {
    await lockProjectOf(tx, caseId)
    const { papers, row } = await lockCase(tx, actor, caseId)
    if (!worksOn(actor, row)) refuse('permission-denied')
    const paper = papers.find((one) => one.name === name) ?? refuse('not-found')
    if (!takesPapers(row.state)) refuse('failed-precondition', notNow)
    const from = reason === null ? ['received'] : ['received', 'validated']
    if (!from.includes(paper.state))
      refuse('failed-precondition', 'Ese documento ya se revisó, o todavía falta.')
    if (paper.documentId !== seen) refuse('aborted')
    const state = reason === null ? 'validated' : 'rejected'
    if (name === 'condominium_permit')
      await judgePermit(tx, actor, { projectId: row.projectId, reason, isInCase: true }, now)
    await writePaper(tx, caseId, name, { state, reason, reviewedBy: actor.id, reviewedAt: now })
    await record(tx, {
      entity: 'cfe_case',
      entityId: caseId,
      actorId: actor.id,
      name: `paper_${state}`,
      reason,
      data: { paper: name },
    })
    const held = { row, papers: await papersOf(tx, caseId) }
    const again = reason !== null && paperFrom(paper) === 'customer'
    return syncCase(tx, held, now, { by: actor.id, again })
  })
  announceCase(db, row)
}
