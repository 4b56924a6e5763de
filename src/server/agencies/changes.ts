import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import {
  awaitsApproval,
  benefitFrom,
  type CodeFacts,
  type CodeMoveName,
  codeMachine,
} from '../../domain/agencies/codes.ts'
import type { CodeWish } from '../../domain/agencies/referral-schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'

type CodeRow = typeof codes.$inferSelect

/**
 * Makes a code of an ally's, and lets it work at once where they wish so. One that gives more than the agency's limit
 * stays a draft, and the manager is asked. The same form sent twice makes one.
 */
export async function createCode(
  db: Db,
  actor: Actor,
  wish: CodeWish & { activate: boolean },
  now: Date,
): Promise<CodeRow> {
  if (actor.kind !== 'alliate' || !actor.agencyId) return refuse('permission-denied')
  const { activate, codeText: code, ...rest } = wish
  const values = { ...rest, code, agencyId: actor.agencyId, ownerId: actor.id }
  const made = await transaction(db, async (tx) => {
    const [inserted] = await tx.insert(codes).values(values).onConflictDoNothing().returning()
    if (!inserted) return sameAs(tx, values)
    await trace(tx, actor, inserted, 'create', null)
    if (!activate) return inserted
    const held = await lockCode(tx, actor, inserted.id)
    return awaitsApproval(held.facts)
      ? writeCode(tx, actor, held, 'ask', now, { askedAt: now })
      : writeCode(tx, actor, held, 'activate', now)
  })
  announce(db, { people: [made.agencyId] })
  return made
}

/** A form that was sent twice finds what it made; anybody else's text is taken. */
async function sameAs(tx: Tx, wish: Partial<CodeRow> & { code: string }): Promise<CodeRow> {
  const [there] = await tx.select().from(codes).where(eq(codes.code, wish.code))
  const isTheSame = there && Object.entries(wish).every(([name, value]) => there[name as 'code'] === value)
  if (isTheSame) return there
  const errors = { codeText: 'Ese código ya existe. Escribe otro.' }
  return refuse('already-exists', errors.codeText, { errors })
}

type Moving = { version: number; reason?: string }

/** Moves a code, or refuses it; the same form sent twice is one change. */
export async function moveCode(
  db: Db,
  actor: Actor,
  id: string,
  name: Exclude<CodeMoveName, 'exhaust' | 'expire' | 'giveBack'>,
  { reason, version }: Moving,
  now: Date,
): Promise<CodeRow> {
  const moved = await transaction(db, async (tx) => {
    const held = await lockCode(tx, actor, id)
    if (isDone(held, name, actor, version)) return held.code
    const state = codeMachine.next(name, actor, held.facts, now)
    if (held.code.version !== version) refuse('aborted')
    return writeCode(tx, actor, held, name, now, { state, ...answered[name]?.({ actor, now, reason }) })
  })
  announce(db, { people: [moved.agencyId, moved.ownerId] })
  return moved
}

const isDone = ({ code, facts }: LockedCode, name: CodeMoveName, actor: Actor, version: number) =>
  code.version === version + 1 &&
  code.state === codeMachine.transitions[name].to &&
  codeMachine.transitions[name].by(actor, facts)

type Answering = { actor: Actor; now: Date; reason: string | undefined }
const answered: Partial<Record<CodeMoveName, (by: Answering) => Partial<CodeRow>>> = {
  ask: ({ now }) => ({ askedAt: now }),
  approve: ({ actor, now }) => ({ approvedAt: now, approvedBy: actor.id }),
  refuse: ({ reason }) => ({ refusedReason: reason ?? null }),
}

type LockedCode = { code: CodeRow; facts: CodeFacts }

/** A code held until the transaction ends, and what its moves are judged by; unseen it does not exist. */
async function lockCode(tx: Tx, actor: Actor, id: string): Promise<LockedCode> {
  if (!isId(id)) refuse('not-found')
  const [found] = await tx
    .select({ code: codes, limit: { kind: agencies.benefitKind, value: agencies.benefitValue } })
    .from(codes)
    .innerJoin(agencies, eq(agencies.id, codes.agencyId))
    .where(and(eq(codes.id, id), codesVisibleTo(actor)))
    .for('update', { of: codes })
  if (!found) return refuse('not-found')
  return { code: found.code, facts: factsOfCode(found.code, benefitFrom(found.limit)) }
}

/** What the rules ask about a stored code. */
export const factsOfCode = (
  code: Pick<
    CodeRow,
    'state' | 'ownerId' | 'agencyId' | 'endsOn' | 'uses' | 'maxUses' | 'benefitKind' | 'benefitValue'
  >,
  limit: CodeFacts['limit'],
): CodeFacts => ({
  ...{ state: code.state, ownerId: code.ownerId, agencyId: code.agencyId, endsOn: code.endsOn },
  ...{ uses: code.uses, maxUses: code.maxUses, limit },
  benefit: benefitFrom({ kind: code.benefitKind, value: code.benefitValue }),
})

const letters = { ask: 'code_to_approve', approve: 'code_approved', refuse: 'code_refused' } as const

async function writeCode(
  tx: Tx,
  actor: Actor,
  { code, facts }: LockedCode,
  name: CodeMoveName,
  now: Date,
  set: Partial<CodeRow> = {},
): Promise<CodeRow> {
  const state = codeMachine.next(name, actor, facts, now)
  const [moved] = await tx
    .update(codes)
    .set({ ...set, state, version: sql`${codes.version} + 1` })
    .where(eq(codes.id, code.id))
    .returning()
  await trace(tx, actor, moved!, name, facts.state)
  if (name === 'ask') await enqueue(tx, 'letter', { letter: letters.ask, codeId: code.id, to: 'managers' })
  if (name === 'approve' || name === 'refuse')
    await enqueue(tx, 'letter', { letter: letters[name], codeId: code.id, to: 'person' })
  return moved!
}

const trace = (tx: Tx, actor: Actor, code: CodeRow, name: string, fromState: string | null) =>
  record(tx, {
    ...{ entity: 'code', entityId: code.id, actorId: actor.id, name, fromState, toState: code.state },
    ...{ reason: code.refusedReason, data: { code: code.code } },
  })

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: () => none,
  gester: () => none,
  // A colleague's too, so that nobody makes the same twice.
  alliate: ({ agencyId }) => (agencyId ? eq(codes.agencyId, agencyId) : none),
}

/** The codes an actor may see. For everyone else they do not exist. */
export const codesVisibleTo = (actor: Actor): SQL | undefined =>
  actor.kind ? seenByStaff[actor.kind](actor) : none
