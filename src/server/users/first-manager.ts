import { and, eq } from 'drizzle-orm'
import { email as emailInput } from '../../domain/accounts/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { invitations, users } from '../platform/database/schema/account-schema.ts'
import { hasOpenProject } from './hold.ts'
import { isPending } from './invitations.ts'
import { writeInvitation } from './invite.ts'

/** The option of the command for a manager who lost phone and recovery codes. */
export const withoutSecondFactor = '--sin-segundo-factor'

/**
 * Invites a manager on behalf of whoever owns the server: answers the link, which serves once. It takes the place of any
 * invitation to that e-mail. Refused when the link could do nothing.
 */
export async function inviteManager(db: Db, given: string, baseUrl: string, now: Date): Promise<string> {
  const parsed = emailInput.safeParse(given)
  if (!parsed.success) refuse('invalid-argument', 'Escribe el correo: npm run manager -- correo@dominio')
  const email = parsed.data
  return transaction(db, async (tx) => {
    await refuseUseless(tx, email)
    await tx
      .update(invitations)
      .set({ withdrawnAt: now })
      .where(and(eq(invitations.email, email), isPending))
    const { code } = await writeInvitation(tx, { email, kind: 'manager', agencyId: null }, null, now)
    return `${baseUrl}/signup?invitacion=${code}`
  })
}

async function refuseUseless(tx: Tx, email: string): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.email, email))
  if (!user) return
  if (!user.active) refuse('failed-precondition', `La cuenta de ${email} está inactiva.`)
  if (user.kind === 'manager') {
    const way = user.twoFactorEnabled
      ? ` Si perdió su teléfono y sus códigos: npm run manager -- ${email} ${withoutSecondFactor}`
      : ''
    refuse('already-exists', `${email} ya es Manager.${way}`)
  }
  if (await hasOpenProject(tx, user.id))
    refuse('failed-precondition', `${email} es cliente y tiene un proyecto abierto: usa otro correo.`)
}
