import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { undoSeconds } from '../appointments/rules/undo.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { type cfeCases, cfePapers } from '../platform/database/schema/cfe.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { dropFollowing, unlessUndone } from '../platform/jobs/jobs.ts'
import { localDay, shortDate } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import {
  announceCase,
  type CaseRow,
  factsOfCase,
  type LockedCase,
  lockCase,
  lockProjectOf,
  neededOf,
  notifyTurn,
  papersOf,
  syncCase,
  updateCase,
  writePaper,
} from './rows.ts'
import {
  type CaseMoveName,
  type CaseState,
  caseMachine,
  isGranted,
  isOpenCase,
  worksOnCases,
} from './rules/case.ts'
import { askedName, casePaperFacts } from './rules/papers.ts'
import type { CaseStep } from './rules/schema.ts'

/** A user who works on a case makes a transition, which they can undo for half a minute. */
export async function moveCase(
  db: Db,
  actor: Actor,
  id: string,
  step: CaseStep,
  now: Date,
): Promise<CaseRow> {
  const moved = await transaction(db, async (tx) => {
    await lockProjectOf(tx, id)
    const held = await lockCase(tx, actor, id)
    const { row } = held
    const state = caseMachine.next(step.move, actor, factsOfCase(row, held.papers))
    await assertVersion(tx, actor, 'cfe_case', row, step.version)
    const { at, day } = dayOfStep(step, row, now)
    const set = { state, ...effectOf(step, row, state, { at, now }), steppedOn: day }
    const paper = await askAgain(tx, held, step)
    const undo = { before: { ...row, undo: null }, by: actor.id, until: now.getTime() + undoMs, paper }
    const written = await updateCase(tx, row, { ...set, undo })
    await record(tx, {
      entity: 'cfe_case',
      entityId: id,
      actorId: actor.id,
      name: step.move,
      reason: step.reason,
      fromState: row.state,
      toState: state,
      data: { day },
    })
    const tell = unlessUndone(written)
    const isGrant = !isGranted(row) && isGranted(written)
    const after = { row: written, papers: await papersOf(tx, id) }
    const synced = await syncCase(tx, after, at, { by: actor.id, tell, isMailed: isGrant })
    const since = synced.waitingSince.toISOString()
    if (isGrant) await tell(tx, 'follow-grant', { caseId: id, actorId: actor.id, since })
    return synced
  })
  announceCase(db, moved)
  return moved
}

const undoMs = undoSeconds * 1000

/** The day of a step, and the present hour on it. */
function dayOfStep({ day: given }: CaseStep, { createdAt, steppedOn }: CaseRow, now: Date) {
  const today = localDay(now)
  const day = given ?? today
  const first = steppedOn ?? localDay(createdAt)
  const wrong = `Elige un día entre el ${shortDate(first)}, el del paso anterior, y hoy.`
  if (day > today || day < first) refuse('invalid-argument', wrong, { errors: { day: wrong } })
  return { day, at: new Date(now.getTime() - Date.parse(today) + Date.parse(day)) }
}

/**
 * The paper that CFE observed is asked for again, from the user who corrects it; with a contract, the photo of its meter
 * is. Answers what that replaced.
 */
async function askAgain(tx: Tx, { papers, row }: LockedCase, step: CaseStep) {
  const isSigned = step.move === 'sign' && row.kind !== 'name_change'
  const asked = isSigned ? 'meter_photo' : step.move === 'observe' && step.asked
  if (!asked) return null
  const awaited = neededOf(row, papers).map((one) => one.name)
  const name = asked === 'other' ? (askedName(asked, awaited) ?? refuse('already-exists')) : asked
  const was = papers.find((one) => one.name === name) ?? null
  if (!isSigned && asked !== 'other' && !was) refuse('not-found')
  const label = isSigned ? casePaperFacts[name].label : asked === 'other' ? step.label : was?.label
  const again = was?.documentId && ({ state: 'rejected', reason: step.reason } as const)
  const set = { askedFrom: isSigned ? 'gester' : step.correctedBy, ...again } as const
  await tx
    .insert(cfePapers)
    .values({ ...was, caseId: row.id, name, label, ...set })
    .onConflictDoUpdate({ target: [cfePapers.caseId, cfePapers.name], set })
  return { name, was }
}

/** The moves at which the load that CFE approved is written, and corrected. */
const decidesLoad = (move: CaseMoveName) => move === 'approve' || move === 'installMeter'

const whichLoad = 'Escribe los kW que CFE aprobó.'

type Effect = Partial<typeof cfeCases.$inferInsert>

/** The further effects of a transition. The reason of CFE's observation outlives a pause. */
function effectOf(
  { approvedKilowatts, contractNumber, correctedBy, move, newMeterNumber, reason, requestNumber }: CaseStep,
  row: CaseRow,
  state: CaseState,
  { at, now }: { at: Date; now: Date },
): Effect {
  if (move === 'approve' && row.kind !== 'name_change' && approvedKilowatts === null)
    refuse('invalid-argument', whichLoad, { errors: { approvedKilowatts: whichLoad } })
  if (move === 'hold') return { heldFrom: row.state, holdReason: reason }
  if (move === 'resume') return { heldFrom: null, holdReason: null }
  return {
    reason,
    heldFrom: null,
    holdReason: null,
    ...(move === 'observe' && { correctedBy }),
    ...(approvedKilowatts !== null && decidesLoad(move) && { approvedKilowatts }),
    ...(move === 'file' && { filedAt: at, requestNumber: requestNumber ?? row.requestNumber }),
    ...(move === 'sign' && { contractNumber }),
    ...(move === 'installMeter' && { newMeterNumber }),
    ...(!isOpenCase(state) && { closedAt: now }),
  }
}

/**
 * Puts a case back to where it was before a step of the actor's own, for half a minute, as long as its e-mails wait; they
 * are dropped. Refused where anything followed.
 */
export async function undoMove(
  db: Db,
  actor: Actor,
  { id, version }: { id: string; version: number },
  now: Date,
): Promise<void> {
  if (!worksOnCases(actor)) refuse('permission-denied')
  const back = await transaction(db, async (tx) => {
    await lockProjectOf(tx, id)
    const { row } = await lockCase(tx, actor, id)
    const { customerId, projectId, undo } = row
    const isOwn = undo?.by === actor.id && row.version === version && undo.until > now.getTime()
    if (!undo || !isOwn || !(await dropFollowing(tx, [row], 0))) return refuse('failed-precondition', tooLate)
    const { before, paper, until } = undo
    const written = await updateCase(tx, row, { ...revived(before), customerId, projectId })
    if (paper?.was) await writePaper(tx, id, paper.name, revived(paper.was))
    else if (paper)
      await tx.delete(cfePapers).where(and(eq(cfePapers.caseId, id), eq(cfePapers.name, paper.name)))
    const states = { fromState: row.state, toState: written.state }
    await record(tx, { entity: 'cfe_case', entityId: id, actorId: actor.id, name: 'undo', ...states })
    // E-mails of the turn before that came due meanwhile were left out: the turn was another.
    const since = written.waitingSince.toISOString()
    const late =
      await tx.execute(sql`select from pgboss.job where name = 'letter' and data ->> 'caseId' = ${id}
      and data ->> 'since' = ${since} and completed_on > ${new Date(until - undoMs)}`)
    if (late.rowCount) await notifyTurn(tx, written, { by: actor.id })
    return written
  })
  announceCase(db, back)
}

const tooLate = 'Ya salió el aviso o el trámite cambió: sigue desde donde está.'

const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** What a JSON column keeps of a row, with its moments. */
const revived = (kept: object) =>
  Object.fromEntries(
    Object.entries(kept).map(([name, value]) => [name, moment.test(value) ? new Date(value) : value]),
  )
