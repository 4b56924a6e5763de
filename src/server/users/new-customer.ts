import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Caller } from '../../domain/appointments/schema.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { wouldBeClaimed } from '../accounts/email-change.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'

/**
 * Makes an account for somebody who calls, and has the letter sent by which its owner claims it. The same person sent
 * twice is one; a known e-mail under another name is refused. Answers the customer's id.
 */
export async function createCustomer(db: Db, actor: Actor, caller: Caller, now: Date): Promise<string> {
  if (!managesPeople(actor)) refuse('permission-denied')
  return transaction(db, async (tx) => {
    const stamps = { signedUpAt: now, createdAt: now, updatedAt: now }
    const [made] = await tx
      .insert(users)
      .values({ ...caller, ...stamps })
      .onConflictDoNothing()
      .returning({ id: users.id })
    if (made) {
      await record(tx, { entity: 'user', entityId: made.id, actorId: actor.id, name: 'create_for_caller' })
      await enqueue(tx, 'account-letter', { letter: 'claim_account', userId: made.id })
      return made.id
    }
    const [known] = await tx.select().from(users).where(eq(users.email, caller.email))
    const isSame = known?.role === 'customer' && known.active && known.phone === caller.phone
    return isSame && known.name === caller.name && known.lastname === caller.lastname
      ? known.id
      : taken(known, known !== undefined && (await wouldBeClaimed(tx, known)))
  })
}

type Known = Pick<typeof users.$inferSelect, 'active' | 'role'>

function taken(known: Known | undefined, isAnybodys: boolean): never {
  const errors = { email: `Ya hay una cuenta con este correo. ${whatNow(known, isAnybodys)}` }
  throw new Refusal('already-exists', {
    title: 'Ya tiene cuenta',
    description: errors.email,
    details: { errors },
  })
}

/** The search finds active customers only. */
function whatNow(known: Known | undefined, isAnybodys: boolean): string {
  if (known?.role === 'staff') return 'Es de alguien del equipo: pide otro correo.'
  if (known?.active === false) return 'Está desactivada: actívala en Usuarios.'
  return isAnybodys
    ? 'Nadie ha confirmado ese correo: búscala arriba, y al guardar la pasamos a quien llama.'
    : 'Búscala arriba.'
}
