import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { cfeCases } from '../platform/database/schema/cfe-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdWorked } from './changes.ts'
import { demandGester } from './gesters.ts'
import { announceCase, type CaseRow, updateCase } from './rows.ts'

/** The manager gives a case to a gester, or a gester takes one that nobody handles. */
export async function giveCase(
  db: Db,
  actor: Actor,
  id: string,
  { gesterId, version }: { gesterId: string; version: number },
): Promise<void> {
  if (actor.kind !== 'manager' && gesterId !== actor.id) refuse('permission-denied')
  const given = await transaction(db, async (tx) => {
    const { row } = await holdWorked(tx, actor, id)
    if (row.gesterId === gesterId) return row
    if (row.version !== version) refuse('aborted')
    await demandGester(tx, gesterId)
    if (gesterId !== actor.id) await enqueue(tx, 'letter', { letter: 'case_given', caseId: id, to: 'gester' })
    return give(tx, actor, row, gesterId)
  })
  announceCase(db, given)
}

/** The manager hands all open cases of one gester to another, who may be gone. Answers how many. */
export async function handOverCases(
  db: Db,
  actor: Actor,
  { from, to }: { from: string; to: string },
): Promise<number> {
  if (actor.kind !== 'manager') refuse('permission-denied')
  const same = 'Elige a otra persona.'
  if (from === to) refuse('invalid-argument', same, { errors: { to: same } })
  const given = await transaction(db, async (tx) => {
    await demandGester(tx, to)
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
    ...{ entity: 'cfe_case', entityId: row.id, actorId: actor.id, name: 'give' },
    data: { from: row.gesterId, to: gesterId },
  })
  return written
}
