import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { type Actor, allyAgencyOf, type StaffKind } from '../access/rules/actor.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import {
  contains,
  countedBefore,
  keyset,
  listPage,
  literals,
  type Page,
  record,
} from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import {
  approvesCodes,
  awaitsApproval,
  type Benefit,
  benefitFrom,
  benefitWords,
  type CodeFacts,
  type CodeFilters,
  type CodeMoveName,
  type CodeState,
  codeMachine,
  codeStateBy,
  endedCodeStates,
  endingStates,
} from './rules/codes.ts'
import type { CodeInput } from './rules/referral-schema.ts'

type CodeRow = typeof codes.$inferSelect

/**
 * Creates an ally's code, and activates it at once where they ask for it. A code above the agency's limit stays a draft,
 * and the manager is asked. The same form sent twice creates one.
 */
export async function createCode(
  db: Db,
  actor: Actor,
  input: CodeInput & { activate: boolean },
  now: Date,
): Promise<CodeRow> {
  const agencyId = allyAgencyOf(actor) ?? refuse('permission-denied')
  const { activate, codeText: code, ...rest } = input
  const values = { ...rest, code, agencyId, ownerId: actor.id }
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

/** A form that was sent twice finds the code it created; any other code with this text is taken. */
async function sameAs(tx: Tx, input: Partial<CodeRow> & { code: string }): Promise<CodeRow> {
  const [there] = await tx.select().from(codes).where(eq(codes.code, input.code))
  const isTheSame = there && Object.entries(input).every(([name, value]) => there[name as 'code'] === value)
  if (isTheSame) return there
  const errors = { codeText: 'Ese código ya existe. Escribe otro.' }
  return refuse('already-exists', errors.codeText, { errors })
}

type Moving = { version: number; reason?: string }

/** Makes a transition of a code, or refuses it; the same form sent twice is one change. */
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
    await assertVersion(tx, actor, 'code', held.code, version)
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

/**
 * A code locked until the transaction ends, with the facts for its transitions; it does not exist for actors who may
 * not see it.
 */
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

/** The facts of a stored code for the rules. */
const factsOfCode = (
  code: Pick<
    CodeRow,
    'state' | 'ownerId' | 'agencyId' | 'endsOn' | 'uses' | 'maxUses' | 'benefitKind' | 'benefitValue'
  >,
  limit: CodeFacts['limit'],
): CodeFacts => ({
  state: code.state,
  ownerId: code.ownerId,
  agencyId: code.agencyId,
  endsOn: code.endsOn,
  uses: code.uses,
  maxUses: code.maxUses,
  limit,
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
    entity: 'code',
    entityId: code.id,
    actorId: actor.id,
    name,
    fromState,
    toState: code.state,
    reason: code.refusedReason,
    data: { code: code.code },
  })

const none = sql`false`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: () => none,
  gester: () => none,
  // A colleague's too, so that the same code is not created twice.
  alliate: ({ agencyId }) => (agencyId ? eq(codes.agencyId, agencyId) : none),
}

/** The codes an actor may see. For all other actors they do not exist. */
export const codesVisibleTo = (actor: Actor): SQL | undefined =>
  actor.kind ? seenByStaff[actor.kind](actor) : none

const limit = { kind: agencies.benefitKind, value: agencies.benefitValue }

/** The current clients that a code brought to the agency. */
const clientsOf = sql<number>`(select count(*)::int from clients where clients.code_id = codes.id and clients.ended_at is null)`

const selected = {
  code: codes,
  limit,
  owner: { name: users.name, active: users.active },
  clients: clientsOf,
}

const rows = (db: Db) =>
  db
    .select(selected)
    .from(codes)
    .innerJoin(agencies, eq(agencies.id, codes.agencyId))
    .innerJoin(users, eq(users.id, codes.ownerId))

type Row = Awaited<ReturnType<typeof rows>>[number]

/** The limit of an agency's codes without approval. */
export async function limitOf(db: Db, agencyId: string): Promise<Benefit> {
  const [row] = await db.select(limit).from(agencies).where(eq(agencies.id, agencyId))
  return benefitFrom(row ?? { kind: 'none', value: 0 })
}

/** The transitions that the buttons of a code's row offer, as its rules allow. */
const askable = ['activate', 'ask', 'pause', 'resume', 'revoke'] as const satisfies readonly CodeMoveName[]
export type AskableMove = (typeof askable)[number]

/** A code as listed: its state by the clock, its benefit in words, and the actor's allowed transitions. */
function listed({ clients, code, limit, owner }: Row, actor: Actor, now: Date) {
  const facts = factsOfCode(code, benefitFrom(limit))
  const state: CodeState = codeStateBy(code, now)
  return {
    id: code.id,
    text: code.code,
    label: code.label,
    version: code.version,
    state,
    clients,
    startsOn: code.startsOn,
    endsOn: code.endsOn,
    uses: code.uses,
    maxUses: code.maxUses,
    benefit: benefitWords(facts.benefit),
    owner: owner.name ?? '',
    isMine: code.ownerId === actor.id,
    isEarly: state === 'active' && code.startsOn > localDate(toMinutes(now)),
    awaits: awaitsApproval({ ...facts, state }) && code.askedAt !== null,
    refusedReason: code.refusedReason,
    moves: askable.filter((name) => codeMachine.can(name, actor, facts, now)),
  }
}
export type ListedCode = ReturnType<typeof listed>

/** The codes of an agency that an actor may see, those that can be used first, with the number of uses and the clients of each. */
export async function listCodes(
  db: Db,
  actor: Actor,
  agencyId: string,
  filters: CodeFilters & { after?: string },
  now: Date,
): Promise<Page<ListedCode> & { total: number }> {
  if (!isId(agencyId)) return { rows: [], total: 0, next: null }
  const within = and(codesVisibleTo(actor), eq(codes.agencyId, agencyId), ...narrowedBy(filters, now))
  const order = usableFirst(localDate(toMinutes(now)))
  const read = async (after: SQL | undefined, limit: number) => {
    const found = await rows(db)
      .where(and(within, after))
      .orderBy(...order.orderBy)
      .limit(limit)
    return found.map((row) => listed(row, actor, now))
  }
  const [page, total] = await Promise.all([listPage(read, order, filters.after), db.$count(codes, within)])
  return { ...page, total }
}

/** Codes of an agency that give more than its limit and wait for the manager, the longest first. */
export async function codesToApprove(
  db: Db,
  actor: Actor,
  agencyId: string,
  now: Date,
): Promise<ListedCode[]> {
  const found = await rows(db)
    .where(
      and(
        codesVisibleTo(actor),
        eq(codes.agencyId, agencyId),
        sql`${codes.state} = 'draft' and ${codes.askedAt} is not null`,
      ),
    )
    .orderBy(codes.askedAt)
  return found.map((row) => listed(row, actor, now)).filter(({ awaits }) => awaits)
}

/** The code of this text in capitals, as far as the actor may see it. */
export async function codesByText(db: Db, actor: Actor, text: string) {
  const found = await db
    .select({ code: codes, agency: agencies.name, owner: users.fullName })
    .from(codes)
    .innerJoin(agencies, eq(agencies.id, codes.agencyId))
    .innerJoin(users, eq(users.id, codes.ownerId))
    .where(and(codesVisibleTo(actor), eq(codes.code, text)))
  return found.map(({ agency, code, owner }) => ({
    id: code.id,
    agencyId: code.agencyId,
    text: code.code,
    benefit: benefitWords(benefitFrom({ kind: code.benefitKind, value: code.benefitValue })),
    state: code.state,
    agency,
    owner,
  }))
}

/** The codes of all agencies that wait for the manager, the longest first; none for others. */
export async function codesAtDesk(db: Db, actor: Actor, now: Date, most = SHOWN_AT_DESK) {
  if (!approvesCodes(actor)) return []
  const { agencyId, askedAt, endsOn, id } = codes
  const found = await db
    .select({ code: codes, limit, agency: agencies.name, owner: users.name, counted: countedBefore })
    .from(codes)
    .innerJoin(agencies, eq(agencies.id, agencyId))
    .innerJoin(users, eq(users.id, codes.ownerId))
    .where(
      sql`${codes.state} = 'draft' and ${askedAt} is not null
        and coalesce(${endsOn} >= ${localDate(toMinutes(now))}, true)`,
    )
    .orderBy(asc(askedAt), asc(id))
    .limit(most)
  return found
    .map(({ agency, code, counted, limit, owner }) => ({
      agency,
      code,
      counted,
      owner,
      facts: factsOfCode(code, benefitFrom(limit)),
    }))
    .filter(({ facts }) => awaitsApproval(facts))
    .map(({ agency, code, counted, facts, owner }) => ({
      id: code.id,
      counted,
      agencyId: code.agencyId,
      version: code.version,
      text: code.code,
      askedAt: code.askedAt ?? now,
      benefit: benefitWords(facts.benefit),
      agency,
      owner: owner ?? '',
    }))
}

const SHOWN_AT_DESK = 20

const narrowedBy = ({ state, text }: CodeFilters, now: Date): SQL[] => [
  ...(state ? [stands(state, localDate(toMinutes(now)))] : []),
  ...(text ? [contains(sql`concat_ws(' ', ${codes.code}, ${codes.label})`, text)] : []),
]

/** As `codeStateBy` says: a code past its last day counts as expired. */
function stands(state: CodeState, today: string): SQL {
  const ended = sql`${codes.state} in (${sql.raw(literals(endingStates))}) and coalesce(${codes.endsOn} < ${today}, false)`
  return state === 'expired'
    ? sql`(${codes.state} = 'expired' or ${ended})`
    : sql`${codes.state} = ${state} and not (${ended})`
}

/** Those that can be used come first, those that never can again last, and the newest first of each. An id of another agency's is treated as unknown. */
const usableFirst = (today: string) =>
  keyset(codes, {
    direction: 'desc',
    key: (of) => [
      sql`(${of.state} = 'active' and coalesce(${of.endsOn} >= ${today}, true))`,
      sql`not (${of.state} in (${sql.raw(literals(endedCodeStates))})
        or ${of.state} in (${sql.raw(literals(endingStates))}) and coalesce(${of.endsOn} < ${today}, false))`,
      of.createdAt,
      of.id,
    ],
    id: codes.id,
    within: (last) => eq(last.agencyId, codes.agencyId),
  })
