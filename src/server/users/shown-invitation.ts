import { eq } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { closedInvitation, type InvitationState } from '../../domain/users/user.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { type Invitation, invitationOfCode, lockedInvitation, openInvitationTo } from './invite.ts'

/** What a link's page tells of its invitation: whom it is for, or why it can't be accepted. */
type ShownInvitation =
  | { open: true; email: string; kind: StaffKind; agency: string | null }
  | { open: false; title: string; description: string }

const closed = (state: Exclude<InvitationState, 'open'> | 'unknown'): ShownInvitation => ({
  open: false,
  ...closedInvitation[state],
})

/** An invitation's link opened by somebody who is not signed in. Reading it changes nothing. */
export async function invitationOfLink(db: Db, code: string, now: Date): Promise<ShownInvitation> {
  const found = await invitationOfCode(db, code, now)
  if (!found) return closed('unknown')
  return found.state === 'open' ? shown(found) : closed(found.state)
}

const shown = ({ email, kind, agency }: Invitation) => ({ open: true as const, email, kind, agency })

/** What home tells somebody signed in: their own invitation, or what is wrong with the link they opened. */
export type InvitationAtHome =
  | { is: 'yours'; kind: StaffKind; agency: string | null }
  | { is: 'anothers'; email: string }
  | { is: 'in-the-mail'; email: string }
  | { is: 'closed'; title: string; description: string }

export async function invitationAtHome(
  db: Db,
  actor: Actor,
  code: string | null,
  now: Date,
): Promise<InvitationAtHome | null> {
  const held = await lockedInvitation(db, actor, { code, now })
  if (held) return { is: 'yours', kind: held.kind, agency: held.agency }
  if (code === null) {
    const sent = actor.emailVerified ? await openInvitationTo(db, actor.email, now) : null
    return sent && { is: 'in-the-mail', email: sent.email }
  }
  const link = await invitationOfLink(db, code, now)
  return link.open ? { is: 'anothers', email: link.email } : { is: 'closed', ...link }
}

type Invited = { code: string; email: string; now: Date }

/**
 * Makes an account by an invitation's link: for the invited e-mail and no other, which the code from its mailbox proves.
 * The invitation stays open: completing the profile accepts it.
 */
export async function signUpInvited<Entered>(
  db: Db,
  { code, email, now }: Invited,
  signUp: () => Promise<Entered>,
): Promise<Entered> {
  const invitation = await invitationOfCode(db, code, now)
  const state = invitation?.state ?? 'unknown'
  if (state !== 'open') throw new Refusal('failed-precondition', closedInvitation[state])
  if (invitation?.email !== email) refuse('permission-denied', 'Esta invitación es para otro correo.')
  const entered = await signUp()
  // It is a new account: for a known e-mail the sign-up was refused.
  await transaction(db, async (tx) => {
    await tx.update(users).set({ emailVerified: true }).where(eq(users.email, email))
  })
  return entered
}
