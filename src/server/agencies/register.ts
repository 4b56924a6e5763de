import { and, eq, isNull, sql } from 'drizzle-orm'
import { clientInviteDays, mailboxOf, unknownCode, whyNotOpen } from '../../domain/agencies/clients.ts'
import type { Vehicle } from '../../domain/projects/equipment.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { countTry, newCode } from '../accounts/limits.ts'
import { cancelChargeRows, syncCharges } from '../payments/apply-ledger.ts'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { agencies, projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'

/** Who registers somebody: an ally at the counter, or their agency's own system, which is no person. */
export type Registrar = {
  agencyId: string
  /** Who brought them; null where the code's owner did. */
  allyId: string | null
  source: 'counter' | 'api'
  actorId: string | null
  /** The privacy notice that was in force. */
  consentVersion: string
}

/** What was told of them, with their consent. */
export type NewClient = {
  name: string
  lastname: string | null
  phone: string
  email: string | null
  vehicle: Vehicle | null
  /** The text of a code of the agency. */
  code: string | null
}

const day = 24 * 60 * 60 * 1000

/** When an invitation made now ends. */
export const inviteEnd = (now: Date) => new Date(now.getTime() + clientInviteDays * day)

/**
 * Registers somebody who agreed to it, and answers the token of their invitation, of which only the hash is kept. Whether
 * they have an account already is neither asked nor told. The same request key is the same client, with a new token.
 */
export async function registerWithin(
  tx: Tx,
  who: Registrar,
  { code, ...person }: NewClient,
  now: Date,
  requestKey: string | null = null,
): Promise<{ id: string; token: string }> {
  await holdAgency(tx, who.agencyId)
  const named = code === null ? null : await codeOf(tx, who.agencyId, code, now)
  const { code: token, hash } = newCode()
  const invited = { inviteHash: hash, inviteExpiresAt: inviteEnd(now) }
  const [row] = await tx
    .insert(clients)
    .values({
      ...{ ...person, ...invited, requestKey, agencyId: who.agencyId, source: who.source },
      ...{ codeId: named?.id ?? null, allyId: who.allyId ?? named?.ownerId ?? null },
      ...{ registeredBy: who.actorId, consentAt: now, consentVersion: who.consentVersion },
      ...{ waitingOn: 'customer', standingSince: now, createdAt: now },
    })
    .onConflictDoUpdate({
      target: clients.requestKey,
      set: invited,
      setWhere: sql`${clients.agencyId} = ${who.agencyId} and ${clients.customerId} is null and ${clients.endedAt} is null`,
    })
    .returning({ id: clients.id, isNew: sql<boolean>`xmax = 0` })
  const { id, isNew } = row ?? refuse('aborted')
  if (isNew)
    await record(tx, {
      ...{ entity: 'client', entityId: id, actorId: who.actorId, name: 'register', toState: 'invited' },
    })
  if (person.email) {
    // Counted for each agency by itself: no other learns by it whom one invited.
    await countTry(tx, 'invitation letters by mailbox', `${who.agencyId} ${mailboxOf(person.email)}`, now)
    await enqueue(tx, 'letter', { letter: 'client_invitation', clientId: id, token, to: 'client' })
  }
  return { id, token }
}

/** An agency that is switched off takes nobody. */
async function holdAgency(tx: Tx, id: string): Promise<void> {
  const [agency] = await tx
    .select({ active: agencies.active })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('share')
  if (!agency?.active) refuse('failed-precondition', 'Tu concesionaria está inactiva.')
}

/** Whether a code is one that may be given to people today. */
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

/** The agency takes clients, and whose code it is still works there: with either of them its codes stop. */
const isStaffed = sql<boolean>`exists (
  select from agencies join users on users.agency_id = agencies.id
  where agencies.id = codes.agency_id and agencies.active
    and users.id = codes.owner_id and users.active and users.kind = 'alliate')`

/** A code that can be used now, or why it can't, in words. Of what a code lacks, no more is said than its holder has to know. */
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
 * Takes one use of a code, the last of which exhausts it, or says why there is none. One statement: of any number at once
 * exactly as many pass as uses are left. Its row is held from here on, so whose it is stays so.
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
    // Handed over while its row was waited for: its new owner was none of whom the statement had read.
    return tries > 1 ? takeUse(tx, code, actorId, now, tries - 1) : { refused: unknownCode }
  }
  if (taken.state === 'exhausted') await trace(tx, taken.id, actorId, 'exhaust', 'active', 'exhausted')
  return taken
}

/** Gives back a use that came to nothing; a code that had no other is open again until its last day. */
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

/** Whether its customer's code makes the visits of a project free; what a code gives is for one project. */
export async function hasFreeVisit(db: Queryable, projectId: string): Promise<boolean> {
  const isElsewhere = sql`exists (select from clients other where other.customer_id = ${projects.customerId}
    and other.benefit_project_id is not null and other.benefit_project_id <> ${projects.id})`
  const [given] = await db
    .select({ id: clients.id })
    .from(projects)
    .innerJoin(clients, and(eq(clients.customerId, projects.customerId), isNull(clients.endedAt)))
    .innerJoin(codes, eq(codes.id, clients.codeId))
    .where(and(eq(projects.id, projectId), eq(codes.benefitKind, 'free_visit'), sql`not ${isElsewhere}`))
  return given !== undefined
}

/** Asks no more for visits' fees that were not paid, of projects that are held: a code made them free. */
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
