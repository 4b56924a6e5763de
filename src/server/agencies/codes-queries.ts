import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  awaitsApproval,
  type Benefit,
  benefitFrom,
  benefitWords,
  type CodeFilters,
  type CodeMoveName,
  type CodeState,
  codeMachine,
  codeStateBy,
  endingStates,
} from '../../domain/agencies/codes.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { contains, keyset, listPage, literals, type Page } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { codesVisibleTo, factsOfCode } from './changes.ts'

const limit = { kind: agencies.benefitKind, value: agencies.benefitValue }
/** Whom it tied to the agency and who are so still. */
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

/** What an agency's codes may give without asking. */
export async function limitOf(db: Db, agencyId: string): Promise<Benefit> {
  const [row] = await db.select(limit).from(agencies).where(eq(agencies.id, agencyId))
  return benefitFrom(row ?? { kind: 'none', value: 0 })
}

/** What the buttons of a code's row ask for, as its rules allow. */
const askable = ['activate', 'ask', 'pause', 'resume', 'revoke'] as const satisfies readonly CodeMoveName[]
export type AskableMove = (typeof askable)[number]

/** A code as it is listed: how it stands by the clock, what it gives in words, and what whoever looks may do with it. */
function listed({ clients, code, limit, owner }: Row, actor: Actor, now: Date) {
  const facts = factsOfCode(code, benefitFrom(limit))
  const state: CodeState = codeStateBy(code, now)
  return {
    ...{ id: code.id, text: code.code, label: code.label, version: code.version, state, clients },
    ...{ startsOn: code.startsOn, endsOn: code.endsOn, uses: code.uses, maxUses: code.maxUses },
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

/** The codes of an agency that an actor may see, newest first, with how often each was used and whom it brought. */
export async function listCodes(
  db: Db,
  actor: Actor,
  agencyId: string,
  filters: CodeFilters & { after?: string },
  now: Date,
): Promise<Page<ListedCode> & { total: number }> {
  if (!isId(agencyId)) return { rows: [], total: 0, next: null }
  const within = and(codesVisibleTo(actor), eq(codes.agencyId, agencyId), ...narrowedBy(filters, now))
  const read = async (after: SQL | undefined, limit: number) => {
    const found = await rows(db)
      .where(and(within, after))
      .orderBy(...newestFirst.orderBy)
      .limit(limit)
    return found.map((row) => listed(row, actor, now))
  }
  const [page, total] = await Promise.all([
    listPage(read, newestFirst, filters.after),
    db.$count(codes, within),
  ])
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

const narrowedBy = ({ state, text }: CodeFilters, now: Date): SQL[] => [
  ...(state ? [stands(state, localDate(toMinutes(now)))] : []),
  ...(text ? [contains(sql`concat_ws(' ', ${codes.code}, ${codes.label})`, text)] : []),
]

/** As `codeStateBy` says: what ends with its last day is over from then on. */
function stands(state: CodeState, today: string): SQL {
  const ended = sql`${codes.state} in (${sql.raw(literals(endingStates))}) and coalesce(${codes.endsOn} < ${today}, false)`
  return state === 'expired'
    ? sql`(${codes.state} = 'expired' or ${ended})`
    : sql`${codes.state} = ${state} and not (${ended})`
}

/** An id of another agency's is as good as none's. */
const newestFirst = keyset(codes, {
  direction: 'desc',
  key: (of) => [of.createdAt, of.id],
  id: codes.id,
  within: (last) => eq(last.agencyId, codes.agencyId),
})
