import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type CaseFacts, isUnfiled } from '../../domain/cfe/case.ts'
import { casePaperNames, papersFor, unvalidatedIn } from '../../domain/cfe/papers.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db, Queryable, Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { cfeCases, cfePapers } from '../platform/database/schema/cfe-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { casesVisibleTo } from './visible.ts'

export type CaseRow = typeof cfeCases.$inferSelect
export type PaperRow = typeof cfePapers.$inferSelect
/** A case with its papers, held by its row until the transaction ends. */
export type HeldCase = { row: CaseRow; papers: PaperRow[] }

/** A case held until the transaction ends. For whoever may not see it, it does not exist. */
export async function holdCase(tx: Tx, mover: Actor | 'system', id: string): Promise<HeldCase> {
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
  ...{ state: row.state, kind: row.kind, heldFrom: row.heldFrom, gesterId: row.gesterId },
  unvalidated: unvalidatedIn(neededOf(row, papers)),
})

/** Which papers a stored case needs. */
export const neededBy = ({ holderName, ...row }: CaseRow) =>
  papersFor({ ...row, isHolderOther: holderName !== null })

/** Those papers of a case that it still needs: what came in stays, but nobody waits for it. */
export function neededOf<Paper extends Pick<PaperRow, 'name'>>(
  row: CaseRow,
  papers: readonly Paper[],
): Paper[] {
  const needed = neededBy(row)
  return papers.filter(({ name }) => needed.includes(name))
}

/** Puts the papers of a case in line with what it needs; what came in already stays, also where it is not needed any more. */
export async function alignPapers(tx: Tx, row: CaseRow, papers: readonly PaperRow[]): Promise<void> {
  if (!isUnfiled(row.state)) return
  const needed = neededBy(row)
  const missing = needed.filter((name) => !papers.some((paper) => paper.name === name))
  if (missing.length > 0) await tx.insert(cfePapers).values(missing.map((name) => ({ caseId: row.id, name })))
  for (const { name, state } of papers)
    if (state === 'pending' && !needed.includes(name))
      await tx.delete(cfePapers).where(and(eq(cfePapers.caseId, row.id), eq(cfePapers.name, name)))
}

/** The next folio, in the year of an instant. */
export const nextCaseFolio = (now: Date) =>
  sql<string>`next_folio('GES', ${Number(localDate(toMinutes(now)).slice(0, 4))})`

/** Writes on a held case, its version with it. */
export async function updateCase(
  tx: Tx,
  { id, version }: CaseRow,
  set: Partial<typeof cfeCases.$inferInsert>,
): Promise<CaseRow> {
  const [row] = await tx
    .update(cfeCases)
    .set({ ...set, version: version + 1 })
    .where(eq(cfeCases.id, id))
    .returning()
  return row!
}

/** Tells the screens of everybody whom a case concerns; call it after the commit. */
export const announceCase = (db: Db, { customerId, gesterId, projectId }: CaseRow) =>
  announce(db, { people: [customerId, projectId, ...(gesterId ? [gesterId] : [])] })
