import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { type Actor, allyAgencyOf } from '../access/rules/actor.ts'
import { counterOf, countTry, newCode, refuseBraked } from '../accounts/limits.ts'
import { cancelChargeRows, syncCharges } from '../payments/apply-ledger.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Vehicle } from '../projects/rules/equipment.ts'
import { editedSettings } from '../settings/queries.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { isTypedBy } from './client-rows.ts'
import { clientInviteDays, mailboxOf, unknownCode, whyNotOpen } from './rules/clients.ts'
import { codeMachine } from './rules/codes.ts'

/** The registrar of a client: an ally at the counter, or the agency's own system, which is no user. */
export type Registrar = {
  agencyId: string
  /** The ally who brought them; null for the code's owner. */
  allyId: string | null
  source: 'counter' | 'api'
  actorId: string | null
  /** The version of the privacy notice in force. */
  consentVersion: string
}

/** Their data, given with their consent. */
export type NewClient = {
  name: string
  lastname: string | null
  phone: string
  email: string | null
  vehicle: Vehicle | null
  /** What the agency's own system calls them. */
  reference: string | null
  /** The text of a code of the agency. */
  code: string | null
}

const day = 24 * 60 * 60 * 1000

/** When an invitation made now ends. */
export const inviteEnd = (now: Date) => new Date(now.getTime() + clientInviteDays * day)

/**
 * Registers a client who agreed to it, and returns the token of their invitation, of which only the hash is stored.
 * Whether they already have an account is neither checked nor disclosed. The same request key gives the same client,
 * with a new token.
 */
export async function registerWithin(
  tx: Tx,
  who: Registrar,
  { code, ...person }: NewClient,
  now: Date,
  requestKey: string | null = null,
): Promise<{ id: string; token: string; reference: string | null }> {
  await holdAgency(tx, who.agencyId)
  if (who.actorId) await refuseBraked(tx, who.actorId)
  const named = code === null ? null : await codeOf(tx, who.agencyId, code, now)
  const { code: token, hash } = newCode()
  const invited = { inviteHash: hash, inviteExpiresAt: inviteEnd(now) }
  const [row] = await tx
    .insert(clients)
    .values({
      ...person,
      ...invited,
      requestKey,
      agencyId: who.agencyId,
      source: who.source,
      codeId: named?.id ?? null,
      allyId: who.allyId ?? named?.ownerId ?? null,
      registeredBy: who.actorId,
      consentAt: now,
      consentVersion: who.consentVersion,
      waitingOn: 'customer',
      standingSince: now,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: clients.requestKey,
      set: { ...invited, ...(person.reference && { reference: person.reference }) },
      setWhere: sql`${clients.agencyId} = ${who.agencyId} and ${clients.customerId} is null and ${clients.endedAt} is null`,
    })
    .returning({ id: clients.id, reference: clients.reference, isNew: sql<boolean>`xmax = 0` })
  const { id, isNew, reference } = row ?? refuse('aborted')
  if (isNew)
    await record(tx, {
      entity: 'client',
      entityId: id,
      actorId: who.actorId,
      name: 'register',
      toState: 'invited',
    })
  if (person.email) {
    // Counted for each agency separately, so that no agency learns of another's invitations.
    const { outward } = (await editedSettings(tx)).settings
    const { left } = await counterOf(
      tx,
      'invitations by agency',
      who.agencyId,
      now,
      outward.invitationsPerDay,
    )
    if (left < 0)
      refuse(
        'resource-exhausted',
        `Hoy tu concesionaria ya envió todas sus invitaciones (${outward.invitationsPerDay}). Mañana puedes seguir.`,
      )
    await countTry(tx, 'invitation letters by mailbox', `${who.agencyId} ${mailboxOf(person.email)}`, now)
    await enqueue(tx, 'letter', { letter: 'client_invitation', clientId: id, token, to: 'client' })
  }
  return { id, token, reference }
}

/** An inactive agency registers no clients. */
async function holdAgency(tx: Tx, id: string): Promise<void> {
  const [agency] = await tx
    .select({ active: agencies.active })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('share')
  if (!agency?.active) refuse('failed-precondition', 'Tu concesionaria está inactiva.')
}

/** Whether a code may be given to clients today. */
export function isGiven(now: Date) {
  const today = localDate(toMinutes(now))
  return sql`${codes.state} = 'active' and ${codes.startsOn} <= ${today} and coalesce(${codes.endsOn} >= ${today}, true)
    and ${isStaffed}`
}

async function codeOf(tx: Tx, agencyId: string, text: string, now: Date) {
  const [code] = await tx
    .select({ id: codes.id, ownerId: codes.ownerId })
    .from(codes)
    .where(and(eq(codes.code, text), eq(codes.agencyId, agencyId), isGiven(now)))
  if (code) return code
  const error = 'Ese código no está activo en tu concesionaria.'
  return refuse('failed-precondition', error, { errors: { code: error } })
}

export type CodeRow = typeof codes.$inferSelect

/** The agency is active, and the code's owner still works there: otherwise its codes stop working. */
const isStaffed = sql<boolean>`exists (
  select from agencies join users on users.agency_id = agencies.id
  where agencies.id = codes.agency_id and agencies.active
    and users.id = codes.owner_id and users.active and users.kind = 'alliate')`

/**
 * A code that can be used now, or the reason why not, in words. The reason says no more than its holder needs to know.
 */
export async function openCode(
  db: Queryable,
  code: string,
  now: Date,
): Promise<CodeRow | { refused: string }> {
  const [found] = await db
    .select({ row: codes, isStaffed: isStaffed.mapWith(Boolean) })
    .from(codes)
    .where(eq(codes.code, code))
  if (!found?.isStaffed) return { refused: unknownCode }
  const refused = whyNotOpen(found.row, now)
  return refused ? { refused } : found.row
}

/**
 * Takes one use of a code, the last of which exhausts it, or returns why there is none. One statement: of any number at
 * once exactly as many pass as uses are left. Its row is locked from here on, so its owner stays the same.
 */
export async function takeUse(
  tx: Tx,
  code: string,
  actorId: string,
  now: Date,
  tries = 3,
): Promise<CodeRow | { refused: string }> {
  const today = localDate(toMinutes(now))
  const [taken] = await tx
    .update(codes)
    .set({
      uses: sql`${codes.uses} + 1`,
      state: sql`case when ${codes.uses} + 1 >= ${codes.maxUses} then 'exhausted' else ${codes.state} end`,
    })
    .where(
      sql`${codes.code} = ${code} and ${codes.state} = 'active' and ${codes.uses} < ${codes.maxUses}
        and ${codes.startsOn} <= ${today} and (${codes.endsOn} is null or ${codes.endsOn} >= ${today}) and ${isStaffed}`,
    )
    .returning()
  if (!taken) {
    const why = await openCode(tx, code, now)
    if ('refused' in why) return why
    // The code was transferred while this waited for its row: the statement had not read its new owner.
    return tries > 1 ? takeUse(tx, code, actorId, now, tries - 1) : { refused: unknownCode }
  }
  if (taken.state === 'exhausted') await trace(tx, taken.id, actorId, 'exhaust', 'active', 'exhausted')
  return taken
}

/** Returns a use that did not count; a code exhausted by it is active again until its last day. */
export async function giveBackUse(tx: Tx, codeId: string, now: Date): Promise<void> {
  const today = localDate(toMinutes(now))
  const [before] = await tx.select().from(codes).where(eq(codes.id, codeId)).for('no key update')
  if (!before || before.uses === 0) return
  const isOver = before.endsOn !== null && before.endsOn < today
  const state = before.state !== 'exhausted' ? before.state : isOver ? 'expired' : 'active'
  await tx
    .update(codes)
    .set({ uses: before.uses - 1, state })
    .where(eq(codes.id, codeId))
  await trace(tx, codeId, null, 'giveBack', before.state, state)
}

const trace = (
  tx: Tx,
  entityId: string,
  actorId: string | null,
  name: string,
  fromState: string,
  toState: string,
) => record(tx, { entity: 'code', entityId, actorId, name, fromState, toState })

/** Cancels unpaid visit fees of locked projects: a code made the visits free. */
export async function cancelFees(tx: Tx, projectIds: readonly string[], now: Date): Promise<void> {
  for (const projectId of projectIds) {
    const unpaid = and(
      eq(payments.projectId, projectId),
      eq(payments.concept, 'visit_fee'),
      eq(payments.state, 'pending'),
    )
    if ((await tx.$count(payments, unpaid)) === 0) continue
    await cancelChargeRows(tx, unpaid, 'Tu código incluye la visita.', now)
    await syncCharges(tx, projectId, { reason: 'Tu código incluye la visita.' }, now)
  }
}

/** The data for sending an invitation. */
type SentInvitation = {
  id: string
  token: string
  name: string
  phone: string
  code: string | null
  letter: boolean
}

/**
 * A new link for a client who has no account yet, and a letter with it where their e-mail is known; the previous link
 * stops working.
 */
export async function renewInvitation(db: Db, actor: Actor, id: string, now: Date): Promise<SentInvitation> {
  const sent = await transaction(db, async (tx) => {
    await refuseBraked(tx, actor.id)
    const { client, code } = await holdInvited(tx, actor, id, now)
    const { code: token, hash } = newCode()
    await tx
      .update(clients)
      .set({ inviteHash: hash, inviteExpiresAt: inviteEnd(now), version: sql`${clients.version} + 1` })
      .where(eq(clients.id, id))
    await traceInvitation(tx, actor, id, 'invite_again')
    const letter = client.email !== null
    if (letter) {
      await countTry(tx, 'invitation letters by client', id, now)
      await enqueue(tx, 'letter', { letter: 'client_invitation', clientId: id, token, to: 'client' })
    }
    return { id, token, name: client.name ?? '', phone: client.phone ?? '', code, letter }
  })
  announce(db, { people: [actor.agencyId ?? actor.id], desk: false })
  return sent
}

/** Withdraws an invitation: its link stops working, and the client's typed data are erased at once. */
export async function withdrawClientInvitation(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    await holdInvited(tx, actor, id, now)
    await tx
      .update(clients)
      .set({ ...forgotten, endedAt: now, endedReason: 'withdrawn', version: sql`${clients.version} + 1` })
      .where(eq(clients.id, id))
    await traceInvitation(tx, actor, id, 'withdraw')
  })
  announce(db, { people: [actor.agencyId ?? actor.id], desk: false })
}

/** What remains of a client who never signed up: only that there was one. */
const forgotten = {
  name: null,
  lastname: null,
  phone: null,
  email: null,
  vehicle: null,
  reference: null,
  inviteHash: null,
  requestKey: null,
}

/** Ends expired invitations and erases the typed data; returns how many. */
export async function forgetInvited(db: Db, now: Date): Promise<number> {
  const due = and(
    isNull(clients.customerId),
    isNull(clients.endedAt),
    sql`${clients.inviteExpiresAt} <= ${now}`,
  )
  const ended = await transaction(db, async (tx) => {
    const rows = await tx
      .update(clients)
      .set({ ...forgotten, endedAt: now, endedReason: 'expired', version: sql`${clients.version} + 1` })
      .where(due)
      .returning({ id: clients.id, agencyId: clients.agencyId })
    for (const { id } of rows)
      await record(tx, { entity: 'client', entityId: id, actorId: null, name: 'expire' })
    return rows
  })
  if (ended.length > 0)
    announce(db, { people: [...new Set(ended.map(({ agencyId }) => agencyId))], desk: false })
  return ended.length
}

/**
 * A client's invitation, locked, with its code where that is still valid; it exists only for the ally whose client they
 * are.
 */
async function holdInvited(tx: Tx, actor: Actor, id: string, now: Date) {
  const agencyId = allyAgencyOf(actor) ?? refuse('permission-denied')
  const mine = and(eq(clients.id, id), eq(clients.agencyId, agencyId), isNull(clients.endedAt))
  const [row] = isId(id)
    ? await tx
        .select({ client: clients, mine: sql<boolean>`${isTypedBy(actor.id)}`, code: codes.code })
        .from(clients)
        .leftJoin(codes, and(eq(codes.id, clients.codeId), isGiven(now)))
        .where(mine)
        .for('update', { of: clients })
    : []
  if (!row) return refuse('not-found')
  if (row.client.customerId) return refuse('failed-precondition', 'Esta persona ya creó su cuenta.')
  if (!row.mine) return refuse('not-found')
  return row
}

const traceInvitation = (tx: Tx, actor: Actor, entityId: string, name: string) =>
  record(tx, { entity: 'client', entityId, actorId: actor.id, name })

/** Marks codes past their last day as expired; returns how many. By the clock they stopped before. */
export async function expireCodes(db: Db, now: Date): Promise<number> {
  const { from, to } = codeMachine.transitions.expire
  const ended = await transaction(db, async (tx) => {
    const due = await tx
      .select({ id: codes.id, state: codes.state, code: codes.code, agencyId: codes.agencyId })
      .from(codes)
      .where(and(inArray(codes.state, [...from]), lt(codes.endsOn, localDate(toMinutes(now)))))
      .for('update', { skipLocked: true })
    if (due.length === 0) return due
    await tx
      .update(codes)
      .set({ state: to, version: sql`${codes.version} + 1` })
      .where(
        inArray(
          codes.id,
          due.map(({ id }) => id),
        ),
      )
    for (const { code, id, state } of due)
      await record(tx, {
        entity: 'code',
        entityId: id,
        actorId: null,
        name: 'expire',
        data: { code },
        fromState: state,
        toState: to,
      })
    return due
  })
  if (ended.length > 0) announce(db, { people: ended.map(({ agencyId }) => agencyId) })
  return ended.length
}
