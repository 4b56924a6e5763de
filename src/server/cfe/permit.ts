import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Tx } from '../platform/database/database.ts'
import { cfeCases, cfePapers } from '../platform/database/schema/cfe-schema.ts'
import { documents } from '../platform/database/schema/money-schema.ts'
import { paperIn, writePaper } from './paper-in.ts'
import { type CaseRow, holdCase, type PaperRow, papersOf } from './rows.ts'

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
 * over anew, also one that is with CFE, since the file before is gone. Answers those that changed.
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
    const { papers, row } = await holdCase(tx, 'system', id)
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
