import { eq } from 'drizzle-orm'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { closedInvitation } from '../../domain/users/user.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { invitationOfCode } from './invitations.ts'

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
