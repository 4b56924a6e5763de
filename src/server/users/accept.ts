import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { activeStates } from '../../domain/appointments/appointment.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { closedInvitation, invitationState, roleOf } from '../../domain/users/user.ts'
import { hashOf } from '../accounts/code.ts'
import { stateIn } from '../appointments/visible.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { invitations, users } from '../platform/database/schema/account-schema.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdingAllStaffing } from '../scheduling/choose.ts'
import { writeAccess } from './access.ts'
import { type Held, holdPerson } from './hold.ts'
import { holdInvitation } from './invitations.ts'

/** How somebody shows that an invitation is theirs: the code of its letter. */
export type Claim = { code: string | null; sessionId: string | undefined; now: Date }

/** A complete account accepts its invitation: role and kind apply at once, and only this session goes on. */
export async function acceptInvitation(db: Db, actor: Actor, claim: Claim): Promise<void> {
  const accepting = async (tx: Tx) => applyInvitation(tx, await holdPerson(tx, actor.id), claim)
  await transaction(db, accepting, holdingAllStaffing)
  announce(db, { people: [actor.id] })
}

/**
 * Gives a held person what their invitation says, once: of two at the same time the second finds it used. The transaction
 * began with `holdingAllStaffing`, as every change of people does.
 */
export async function applyInvitation(tx: Tx, person: Held, claim: Claim): Promise<void> {
  const invitation = await holdClaimed(tx, person, claim)
  if (await hasAppointments(tx, person))
    refuse('failed-precondition', 'Tienes citas por atender. Pide a la gerencia que cambie tu rol.')
  await tx
    .update(invitations)
    .set({ acceptedAt: claim.now, acceptedBy: person.id, version: sql`${invitations.version} + 1` })
    .where(eq(invitations.id, invitation.id))
  await record(tx, {
    ...{ entity: 'invitation', entityId: invitation.id, actorId: person.id },
    ...{ name: 'accept', toState: invitation.kind },
  })
  // Only the mailbox received the code.
  if (!person.emailVerified)
    await tx.update(users).set({ emailVerified: true }).where(eq(users.id, person.id))
  const { agencyId, kind } = invitation
  await writeAccess(
    tx,
    { ...person, emailVerified: true },
    { ...roleOf(kind), agencyId },
    {
      actorId: person.id,
      now: claim.now,
      confirmed: true,
      ...(claim.sessionId && { keepSession: claim.sessionId }),
    },
  )
}

/** The open invitation that is this person's; what is wrong with any other is said. */
async function holdClaimed(tx: Tx, person: Held, { code, now }: Claim) {
  if (code === null)
    refuse(
      'failed-precondition',
      'Abre el enlace de la invitación que llegó a tu correo y acéptala desde ahí.',
    )
  const row = await holdInvitation(tx, eq(invitations.codeHash, hashOf(code)))
  if (!row) refuseClosed('unknown')
  if (row.email !== person.email)
    refuse('permission-denied', 'Esta invitación es para otro correo. Cierra sesión y entra con el suyo.')
  const state = invitationState(row, now)
  if (state !== 'open') refuseClosed(state)
  return row
}

/** Whether appointments wait for a member of staff: who gets them is the manager's to say. */
async function hasAppointments(tx: Tx, { id, role }: Held): Promise<boolean> {
  if (role !== 'staff') return false
  const theirs = and(eq(appointments.assigneeId, id), stateIn(activeStates))
  return (await tx.select({ id: appointments.id }).from(appointments).where(theirs).limit(1)).length > 0
}

function refuseClosed(state: keyof typeof closedInvitation): never {
  throw new Refusal('failed-precondition', closedInvitation[state])
}
