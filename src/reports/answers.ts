import { eq, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { type Actor, isOffice, isTechnician } from '../access/rules/actor.ts'
import { madeOnPhone, replayEnd, replayLate, replayStep } from '../appointments/replay.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { sheetAnswers, sheets } from '../platform/database/schema/appointments.ts'
import type { OnsiteEnv } from '../platform/http/types.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { replayTimeOff } from '../users/own-time-off.ts'
import { type LockedReport, lockReport, openRedo } from './rows.ts'
import {
  type AnswerState,
  changeOutcome,
  judgeAnswer,
  type Made,
  measuredWords,
  personalAnswers,
} from './rules/answers.ts'
import { questionOf } from './rules/progress.ts'
import { type AnswerValue, isSent, sheetMachine } from './rules/report.ts'
import { changesInput, pressedInput, pressedTimeOffInput } from './rules/schema.ts'
import { keepSerial, submitSheet } from './submit.ts'

/** A change of one answer: its base revision, and its time by the clock of the author's phone. */
type Change = { name: string; value: unknown; base: number; at: Date }
export type AnswerConflict = {
  name: string
  value: AnswerValue
  revision: number
  by: string | null
  /** Answered by the same user, from another phone. */
  own: boolean
  at: Date
}

/** The result of each change, by name: its new revision, the answer that stands instead, or the error. */
export type Saved = {
  saved: Record<string, number>
  conflicts: AnswerConflict[]
  refused: { name: string; message: string }[]
}

/**
 * Saves answers of a report, each independently: one that another user changed meanwhile is returned as a conflict, not
 * overwritten. Its author writes, the office corrects all but measurements; each correction is an event. The same
 * changes sent twice are saved once.
 */
export async function saveAnswers(
  db: Db,
  actor: Actor,
  id: string,
  changes: readonly Change[],
  now: Date,
): Promise<Saved> {
  const isCorrection = isOffice(actor)
  const [saved, authorId] = await transaction(db, async (tx) => {
    const sheet = await lockReport(tx, actor, id)
    sheetMachine.next(isCorrection ? 'correct' : 'write', actor, sheet.facts)
    if (isCorrection && changes.some(({ name }) => questionOf(sheet.kind, name)?.measured))
      refuse('failed-precondition', measuredWords)
    const work = settle(sheet, actor, changes, now)
    for (const written of [...work.earlier, work.written]) await keep(tx, sheet, actor, written, now)
    if (isCorrection) await traceCorrections(tx, sheet, actor, work.written)
    const conflicts = await named(tx, actor, work.conflicts)
    return [{ ...work, conflicts }, sheet.facts.assigneeId] as const
  })
  if (isCorrection) announce(db, { people: authorId ? [authorId] : [] })
  const { conflicts, refused, revisions } = saved
  return { saved: Object.fromEntries(revisions), conflicts, refused }
}

type Written = { value: AnswerValue; at: Date; revision: number; was: AnswerValue }

/** Judges the changes in their order, each on the result of the one before. */
function settle(sheet: LockedReport, actor: Actor, changes: readonly Change[], now: Date) {
  const written = new Map<string, Written>()
  const revisions = new Map<string, number>()
  const conflicts: (AnswerState & { name: string })[] = []
  const refused: Saved['refused'] = []
  const again = new Set(openRedo(sheet))
  /** Values of one answer that a later change of the same request replaces. */
  const earlier: Map<string, Written>[] = []
  for (const { at, base, name, value } of changes) {
    const question = questionOf(sheet.kind, name)
    const judged = question ? judgeAnswer(question, value) : { message: 'Esta pregunta no existe.' }
    if ('message' in judged) {
      refused.push({ name, message: judged.message })
      continue
    }
    const current = answerStateOf(sheet, written.get(name), name, actor)
    if (question?.measured && isKnown(sheet, { name, value: judged.value, at })) {
      revisions.set(name, current.revision)
      continue
    }
    // A change from a phone whose clock is ahead is dated now.
    const made: Made = { value: judged.value, base, at: at < now ? at : now, by: actor.id }
    const outcome = changeOutcome(current, made)
    if (outcome === 'conflict') {
      conflicts.push({ name, ...current })
      continue
    }
    // An answer that was requested again and is unchanged counts as given again when it is sent again.
    const isWritten = outcome === 'write' || (isTechnician(actor) && again.delete(name))
    const revision = current.revision + (isWritten ? 1 : 0)
    // An unchanged answer keeps its time; a measurement was made again.
    const since = outcome === 'same' && !question?.measured ? (current.changedAt ?? made.at) : made.at
    const replaced = isWritten && written.get(name)
    if (replaced) earlier.push(new Map([[name, replaced]]))
    if (isWritten) written.set(name, { value: made.value, at: since, revision, was: current.value })
    revisions.set(name, revision)
  }
  return { written, earlier, revisions, conflicts, refused }
}

/** Whether a measurement that a later one replaced is sent again: its phone did not hear that it arrived. */
const isKnown = ({ history }: LockedReport, { at, name, value }: Omit<Change, 'base'>) =>
  history.some(
    (one) => one.name === name && one.value !== null && one.value === value && +one.changedAt === +at,
  )

function answerStateOf(
  sheet: LockedReport,
  written: Written | undefined,
  name: string,
  { id }: Actor,
): AnswerState {
  if (written)
    return { value: written.value, revision: written.revision, changedBy: id, changedAt: written.at }
  const row = sheet.rows.get(name)
  return row ?? { value: sheet.prefilled[name] ?? null, revision: 0, changedBy: null, changedAt: null }
}

async function keep(
  tx: Tx,
  { appointment, facts, kind, answers }: LockedReport,
  actor: Actor,
  written: ReadonlyMap<string, Written>,
  now: Date,
) {
  if (written.size === 0) return
  const appointmentId = appointment.id
  // A correction makes a new version of the report: a reviewer cannot approve what they did not see.
  await tx
    .insert(sheets)
    .values({ appointmentId, kind })
    .onConflictDoUpdate({
      target: sheets.appointmentId,
      set: { version: sql`${sheets.version} + 1`, updatedAt: now },
    })
  const rows = [...written].map(([name, { at, revision, value }]) => ({
    appointmentId,
    name,
    value,
    revision,
    changedAt: at,
    arrivedAt: now,
    changedBy: actor.id,
  }))
  await tx
    .insert(sheetAnswers)
    .values(rows)
    .onConflictDoUpdate({
      target: [sheetAnswers.appointmentId, sheetAnswers.name],
      set: {
        value: sql`excluded.value`,
        revision: sql`excluded.revision`,
        changedAt: sql`excluded.changed_at`,
        arrivedAt: sql`excluded.arrived_at`,
        changedBy: sql`excluded.changed_by`,
      },
    })
  const told = Object.fromEntries([...written].map(([name, { value }]) => [name, value]))
  // Until the report is sent, another installation's serial does not block other answers: sending it checks.
  if (kind === 'installation' && isSent(facts.state))
    await keepSerial(tx, appointmentId, { ...answers, ...told })
}

async function traceCorrections(
  tx: Tx,
  { appointment, facts }: LockedReport,
  { id }: Actor,
  written: ReadonlyMap<string, Written>,
) {
  for (const [name, { value, was }] of written)
    await record(tx, {
      entity: 'sheet',
      entityId: appointment.id,
      actorId: id,
      name: 'correct',
      fromState: facts.state,
      toState: facts.state,
      data: personalAnswers.includes(name) ? { name } : { name, from: was, to: value },
    })
}

/** Conflicts with the names of the other authors. */
async function named(
  tx: Tx,
  { id }: Actor,
  conflicts: readonly (AnswerState & { name: string })[],
): Promise<AnswerConflict[]> {
  return Promise.all(
    conflicts.map(async ({ changedAt, changedBy, name, revision, value }) => {
      const [person] = changedBy ? await tx.select().from(users).where(eq(users.id, changedBy)) : []
      const by = person ? [person.name, person.lastname].filter(Boolean).join(' ') : null
      return { name, value, revision, by, own: changedBy === id, at: changedAt ?? new Date(0) }
    }),
  )
}

/** Where a phone sends the answers of a report, the steps made without a network, and its person's own time off. */
export function sheetEndpoints(db: Db): Hono<OnsiteEnv> {
  const app = new Hono<OnsiteEnv>()
  app.post('/:appointment/answers', async (c) => {
    const { changes } = await sent(c, changesInput)
    return c.json(
      await saveAnswers(db, c.get('actor'), c.req.param('appointment'), changes as Changes, new Date()),
    )
  })
  app.post('/:appointment/moves', async (c) => {
    const pressed = await sent(c, pressedInput)
    const id = c.req.param('appointment')
    const actor = c.get('actor')
    const now = new Date()
    if (pressed.move === 'runLate')
      return c.json({ state: (await replayLate(db, actor, id, pressed, now)).state })
    if ('form' in pressed) {
      const { appointment, claimed } = await replayEnd(db, actor, id, pressed, now)
      return c.json({ state: appointment.state, claimed })
    }
    const { at, checklist: ticked = [], move, reason = null } = pressed
    const { state } =
      move === 'submit'
        ? await submitSheet(db, actor, id, { at: madeOnPhone(at, now), note: null, mayClaim: true }, now)
        : await replayStep(db, actor, id, { move, at, reason, ticked }, now)
    return c.json({ state })
  })
  app.post('/time-off', async (c) => {
    await replayTimeOff(db, c.get('actor'), await sent(c, pressedTimeOffInput), new Date())
    return c.json({})
  })
  return app
}

type Changes = Parameters<typeof saveAnswers>[3]

async function sent<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await c.req.json().catch(() => undefined))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse('invalid-argument', undefined, { path: issue?.path, message: issue?.message })
  }
  return parsed.data
}
