import { and, eq, sql } from 'drizzle-orm'
import { clientInviteDays, mailboxOf } from '../../domain/agencies/clients.ts'
import type { Vehicle } from '../../domain/projects/equipment.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { newCode } from '../accounts/code.ts'
import { countTry } from '../accounts/limits.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { isStaffed } from './code-use.ts'

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
