import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type CasePaperName, correctorAfter } from '../../domain/cfe/papers.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { cfePapers } from '../platform/database/schema/cfe-schema.ts'
import { followCase } from './follow.ts'
import { type CaseRow, papersOf, updateCase } from './rows.ts'

/** A file that came in for a paper of a held case, whose row is written. */
type PaperIn = { name: CasePaperName; documentId: string }

/** A paper of a held case came in: nobody looked it over yet, and whose turn it is follows from it. */
export async function paperIn(
  tx: Tx,
  actor: Actor,
  row: CaseRow,
  { documentId, name }: PaperIn,
  now: Date,
): Promise<CaseRow> {
  await writePaper(tx, row.id, name, {
    ...{ state: 'received', documentId, receivedAt: now, reason: null, reviewedBy: null, reviewedAt: null },
  })
  await record(tx, {
    ...{ entity: 'cfe_case', entityId: row.id, actorId: actor.id, name: 'paper' },
    data: { paper: name, documentId },
  })
  const correctedBy = correctorAfter(name, row.correctedBy)
  const written = correctedBy === row.correctedBy ? row : await updateCase(tx, row, { correctedBy })
  return followCase(tx, { row: written, papers: await papersOf(tx, row.id) }, now, { by: actor.id })
}

/** Writes on a paper of a held case. */
export const writePaper = (
  tx: Tx,
  caseId: string,
  name: CasePaperName,
  set: Partial<typeof cfePapers.$inferInsert>,
) =>
  tx
    .update(cfePapers)
    .set(set)
    .where(and(eq(cfePapers.caseId, caseId), eq(cfePapers.name, name)))
