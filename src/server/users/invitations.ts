import { and, asc, eq, isNull, type SQL } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { type InvitationState, invitationState, managesPeople } from '../../domain/users/user.ts'
import { hashOf } from '../accounts/code.ts'
import type { Queryable, Tx } from '../platform/database/database.ts'
import { invitations } from '../platform/database/schema/account-schema.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'

export type Invitation = {
  id: string
  email: string
  kind: StaffKind
  agencyId: string | null
  agency: string | null
  invitedBy: string | null
  expiresAt: Date
  state: InvitationState
}

/** Neither accepted nor withdrawn: it can be accepted, or sent again once it has expired. */
export const isPending = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt))

/** The invitations that nobody has answered, the first to end first. Only the manager sees them. */
export async function pendingInvitations(db: Queryable, actor: Actor, now: Date): Promise<Invitation[]> {
  return managesPeople(actor) ? read(db, isPending, now) : []
}

/** The invitation of a link; null when no link ever carried that code, or a newer one does. */
export async function invitationOfCode(db: Queryable, code: string, now: Date): Promise<Invitation | null> {
  return (await read(db, eq(invitations.codeHash, hashOf(code)), now))[0] ?? null
}

/**
 * The open invitation that somebody holds: to their e-mail, with the code of its letter. That they proved the e-mail is not
 * enough, since they may have done so by somebody else's hand.
 */
export async function heldInvitation(
  db: Queryable,
  { email }: Pick<Actor, 'email'>,
  { code, now }: { code: string | null; now: Date },
): Promise<Invitation | null> {
  const byCode = code === null ? null : await invitationOfCode(db, code, now)
  return byCode?.state === 'open' && byCode.email === email ? byCode : null
}

/** The open invitation to an e-mail: that there is one may be told to its owner, and gives them nothing. */
export async function openInvitationTo(db: Queryable, email: string, now: Date): Promise<Invitation | null> {
  const [found] = await read(db, and(eq(invitations.email, email), isPending), now)
  return found?.state === 'open' ? found : null
}

/** The row of an invitation, held until the transaction ends. */
export async function holdInvitation(tx: Tx, which: SQL | undefined) {
  const [row] = await tx.select().from(invitations).where(which).for('update')
  return row
}

async function read(db: Queryable, which: SQL | undefined, now: Date): Promise<Invitation[]> {
  const rows = await db
    .select({ invitation: invitations, agency: agencies.name })
    .from(invitations)
    .leftJoin(agencies, eq(agencies.id, invitations.agencyId))
    .where(which)
    .orderBy(asc(invitations.expiresAt), asc(invitations.id))
  return rows.map(({ invitation: { id, email, kind, agencyId, invitedBy, expiresAt, ...life }, agency }) => ({
    ...{ id, email, kind, agencyId, agency, invitedBy, expiresAt },
    state: invitationState({ ...life, expiresAt }, now),
  }))
}
