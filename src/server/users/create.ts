import { eq, sql } from 'drizzle-orm'
import { type Actor, hasName } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { NewUser } from '../../domain/users/schema.ts'
import { noteConsent } from '../accounts/consents.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdingAllStaffing } from '../scheduling/choose.ts'
import { applyInvitation, type Claim } from './accept.ts'
import { type Held, holdPerson } from './hold.ts'
import { heldInvitation } from './invitations.ts'
import { settled } from './settled.ts'

/** That a customer wants notices by WhatsApp, with the version of the privacy notice that said how. */
type Agreed = { version: string }

/**
 * Creates the user with profile data (specification §7): name, last name and phone, and createdAt by the database's own
 * clock, in one transaction. With an invitation, and only then, the role is its.
 */
export const createUser = (
  db: Db,
  actor: Actor,
  profile: NewUser,
  claim: Claim,
  agreed: Agreed | null = null,
) =>
  settled(async () => {
    const creating = (tx: Tx) => create(tx, actor, profile, claim, agreed)
    // Of somebody who stays a customer no roster speaks.
    const first = profile.role !== '' || actor.role === 'staff' ? holdingAllStaffing : ''
    await transaction(db, creating, first)
    announce(db, { people: [actor.id] })
  })

async function create(
  tx: Tx,
  actor: Actor,
  profile: NewUser,
  claim: Claim,
  agreed: Agreed | null,
): Promise<void> {
  const person = await holdPerson(tx, actor.id)
  if (hasName(person)) refuse('failed-precondition', 'Tu perfil ya estaba completo.')
  const invited = await wantsInvitation(tx, person, profile.role, claim)
  const { name, lastname, phone } = profile
  await tx
    .update(users)
    .set({ name, lastname, phone, createdAt: sql`now()`, version: sql`${users.version} + 1` })
    .where(eq(users.id, actor.id))
  await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'complete_profile' })
  if (invited) await applyInvitation(tx, person, claim)
  else if (agreed && actor.role === 'customer') await agreeToWhatsapp(tx, actor.id, agreed, claim.now)
}

async function agreeToWhatsapp(tx: Tx, userId: string, { version }: Agreed, now: Date): Promise<void> {
  await tx.update(users).set({ whatsappOptInAt: now }).where(eq(users.id, userId))
  noteConsent(tx, { userId, kind: 'whatsapp', given: true, version, source: 'completion' })
}

/** Whether a form's role is to be applied. Customer is everybody's; any other value must be the invitation's own. */
async function wantsInvitation(tx: Tx, person: Held, role: string, claim: Claim): Promise<boolean> {
  if (role === '' || role === 'customer') return false
  const invitation = await heldInvitation(tx, person, claim)
  return invitation?.kind === role || refuse('permission-denied', 'Ese rol solo lo da una invitación.')
}
