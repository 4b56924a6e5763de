import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { takesPapers, worksOn } from '../../domain/cfe/case.ts'
import { type CasePaperName, casePaperFacts } from '../../domain/cfe/papers.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { attach, keepPapers, type Taken, takeDocument } from '../documents/intake.ts'
import { lockProject } from '../payments/payments-rows.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { documents } from '../platform/database/schema/payments.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { receivePermit } from '../projects/permit.ts'
import {
  announceCase,
  type CaseRow,
  type LockedCase,
  lockCase,
  type PaperRow,
  paperIn,
  papersOf,
  syncCase,
  writePaper,
} from './rows.ts'

const notNow = 'Ahora no se reciben documentos de este trámite.'

/**
 * The customer, or whoever works on the case, hands in one of its papers, or another in its place. A validated one stays as
 * it is; the same file sent twice is one change. The condominium's permit is the installation's, too.
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
  const purpose = isPermit ? 'condominium_permit' : 'cfe_paper'
  const taken = await takeDocument(db, drive, actor, { purpose, customerId, projectId, file, field: 'file' })
  const change = () =>
    transaction(db, async (tx) => {
      // A project is held before its cases, wherever both are.
      if (isPermit) await lockProject(tx, projectId)
      const held = await holdPaper(tx, actor, caseId, name)
      if (isPermit) return receivePermit(tx, actor, { ...taken, projectId }, now)
      if (!(await keep(tx, held, taken, now))) return []
      return [await paperIn(tx, actor, held.row, { name, documentId: taken.id }, now)]
    })
  const cases = await keepPapers({ db, drive }, [taken], now, change)
  for (const one of cases) announceCase(db, one)
}

type HeldPaper = LockedCase & { paper: PaperRow }

async function holdPaper(tx: Tx, actor: Actor, caseId: string, name: CasePaperName): Promise<HeldPaper> {
  const held = await lockCase(tx, actor, caseId)
  if (!mayHandInPaper(actor, held.row, name)) refuse('permission-denied')
  const paper = held.papers.find((one) => one.name === name) ?? refuse('not-found')
  if (!takesPapers(held.row.state)) refuse('failed-precondition', notNow)
  if (paper.state === 'validated') refuse('failed-precondition', 'Este documento ya está validado.')
  return { ...held, paper }
}

/** Customers hand in what is asked of them, those who work on the case anything. */
const mayHandInPaper = (actor: Actor, row: CaseRow, name: CasePaperName) =>
  actor.role === 'customer'
    ? actor.id === row.customerId && casePaperFacts[name].from === 'customer'
    : worksOn(actor, row)

/** Writes the document that came in; false where it is what is there already. */
async function keep(tx: Tx, { paper }: HeldPaper, taken: Taken, now: Date): Promise<boolean> {
  const [before] = paper.documentId
    ? await tx.select().from(documents).where(eq(documents.id, paper.documentId))
    : []
  if (before?.sha256 === taken.sha256 && paper.state === 'received') return false
  if (before) await tx.update(documents).set({ replacedAt: now }).where(eq(documents.id, before.id))
  await attach(tx, taken)
  return true
}

export type PaperReview = {
  name: CasePaperName
  /** The file that was looked at: another one may have come meanwhile. */
  seen: string
  /** Why it is given back; null finds it right. */
  reason: string | null
}

/** Whoever works on a case finds a paper right, or gives it back with a reason. */
export async function reviewCasePaper(
  db: Db,
  actor: Actor,
  caseId: string,
  { name, reason, seen }: PaperReview,
  now: Date,
): Promise<void> {
  const row = await transaction(db, async (tx) => {
    const { papers, row } = await lockCase(tx, actor, caseId)
    if (!worksOn(actor, row)) refuse('permission-denied')
    const paper = papers.find((one) => one.name === name) ?? refuse('not-found')
    if (!takesPapers(row.state)) refuse('failed-precondition', notNow)
    const from = reason === null ? ['received'] : ['received', 'validated']
    if (!from.includes(paper.state))
      refuse('failed-precondition', 'Ese documento ya se revisó, o todavía falta.')
    if (paper.documentId !== seen) refuse('aborted')
    const state = reason === null ? 'validated' : 'rejected'
    await writePaper(tx, caseId, name, { state, reason, reviewedBy: actor.id, reviewedAt: now })
    await record(tx, {
      ...{ entity: 'cfe_case', entityId: caseId, actorId: actor.id, name: `paper_${state}` },
      ...{ reason, data: { paper: name } },
    })
    const held = { row, papers: await papersOf(tx, caseId) }
    const again = reason !== null && casePaperFacts[name].from === 'customer'
    return syncCase(tx, held, now, { by: actor.id, again })
  })
  announceCase(db, row)
}
