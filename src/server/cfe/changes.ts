import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  type CaseMoveName,
  type CaseState,
  type Corrector,
  caseMachine,
  isOpenCase,
  isUnfiled,
  managesCases,
  worksOn,
} from '../../domain/cfe/case.ts'
import type { CaseFactsWish } from '../../domain/cfe/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { assertGester, takePermit } from './open.ts'
import {
  alignPapers,
  announceCase,
  type CaseRow,
  factsOfCase,
  type LockedCase,
  lockCase,
  syncCase,
  updateCase,
} from './rows.ts'

type CaseMove = {
  move: CaseMoveName
  version: number
  reason: string | null
  correctedBy: Corrector
  requestNumber: string | null
}

/** Whoever works on a case moves it on; a form that was sent twice finds it moved already. */
export async function moveCase(
  db: Db,
  actor: Actor,
  id: string,
  wish: CaseMove,
  now: Date,
): Promise<CaseRow> {
  const moved = await transaction(db, async (tx) => {
    const { papers, row } = await lockCase(tx, actor, id)
    const state = caseMachine.next(wish.move, actor, factsOfCase(row, papers))
    if (row.version !== wish.version) refuse('aborted')
    const written = await updateCase(tx, row, { state, ...effectOf(wish, row, state, now) })
    await record(tx, {
      ...{ entity: 'cfe_case', entityId: id, actorId: actor.id, name: wish.move, reason: wish.reason },
      ...{ fromState: row.state, toState: state },
    })
    return syncCase(tx, { row: written, papers }, now, { by: actor.id, again: wish.move === 'observe' })
  })
  announceCase(db, moved)
  return moved
}

type Effect = Partial<typeof cfeCases.$inferInsert>

/** What a move leaves beside the new state. Why CFE observed something outlives a pause. */
function effectOf(
  { correctedBy, move, reason, requestNumber }: CaseMove,
  row: CaseRow,
  state: CaseState,
  now: Date,
): Effect {
  if (move === 'hold') return { heldFrom: row.state, holdReason: reason }
  if (move === 'resume') return { heldFrom: null, holdReason: null }
  return {
    ...{ reason, heldFrom: null, holdReason: null },
    ...(move === 'observe' && { correctedBy }),
    ...(move === 'file' && { filedAt: now, requestNumber: requestNumber ?? row.requestNumber }),
    ...(!isOpenCase(state) && { closedAt: now }),
  }
}

/** Puts right what a case says of the service; the papers that CFE wants follow from it. */
export async function saveCaseFacts(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...facts }: CaseFactsWish & { version: number },
  now: Date,
): Promise<void> {
  const saved = await transaction(db, async (tx) => {
    const held = await holdWorked(tx, actor, id)
    if (held.row.version !== version) refuse('aborted')
    if (!isUnfiled(held.row.state)) refuse('failed-precondition', 'Lo que ya está en CFE no se cambia aquí.')
    const changed = Object.entries(facts).flatMap(([name, value]) =>
      held.row[name as keyof CaseRow] === value ? [] : [name],
    )
    if (changed.length === 0) return held.row
    const row = await updateCase(tx, held.row, facts)
    await record(tx, {
      ...{ entity: 'cfe_case', entityId: id, actorId: actor.id, name: 'facts', data: { changed } },
    })
    await alignPapers(tx, row, held.papers)
    return syncCase(tx, { row, papers: await takePermit(tx, row, now) }, now, { by: actor.id })
  })
  announceCase(db, saved)
}

/** Leaves a note in the history of a case, for those who work on it. */
export async function noteOnCase(db: Db, actor: Actor, id: string, note: string): Promise<void> {
  const row = await transaction(db, async (tx) => {
    const held = await holdWorked(tx, actor, id)
    await record(tx, { entity: 'cfe_case', entityId: id, actorId: actor.id, name: 'note', reason: note })
    return held.row
  })
  announceCase(db, row)
}

/** A case held for whoever works on it, and still open. */
async function holdWorked(tx: Tx, actor: Actor, id: string): Promise<LockedCase> {
  const held = await lockCase(tx, actor, id)
  if (!worksOn(actor, factsOfCase(held.row, held.papers))) refuse('permission-denied')
  if (!isOpenCase(held.row.state)) refuse('failed-precondition', 'Este trámite ya terminó.')
  return held
}

/** What was agreed is not made any more: its cases end, but those that are with CFE already, which somebody has to take back there. */
export async function endUnfiledCases(tx: Tx, projectId: string, reason: string, now: Date): Promise<void> {
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
      ...{ entity: 'cfe_case', entityId: id, name: 'cancel', reason, fromState: row.state, toState: state },
    })
    await syncCase(tx, { row: written, papers }, now, { by: null })
  }
}

/** The manager gives a case to a gester, or a gester takes one that nobody handles. */
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
    if (row.version !== version) refuse('aborted')
    await assertGester(tx, gesterId)
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
    ...{ entity: 'cfe_case', entityId: row.id, actorId: actor.id, name: 'give' },
    data: { from: row.gesterId, to: gesterId },
  })
  return written
}
