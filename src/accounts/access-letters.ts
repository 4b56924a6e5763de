import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Queryable, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import type { users } from '../platform/database/schema/accounts.ts'
import type { AccountEmailJob } from '../platform/jobs/emails.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { hasMailbox } from '../shared/mailbox.ts'
import { refuse } from '../shared/refusal.ts'
import { wouldBeClaimed } from './email-change.ts'
import { codeLink, makeClaimLink } from './letter-codes.ts'
import { countTry } from './limits.ts'
import { customerToActFor } from './people.ts'

/** The letter by which a customer gets into their account: claims it, verifies its mailbox, or chooses a password. */
export type AccessLetter = Extract<
  AccountEmailJob['letter'],
  'claim_account' | 'verify_email' | 'reset_password'
>

/** Which of these letters a customer needs now; `takenOver` says that somebody entered the account without proving it. */
export function accessLetterOf(owner: { emailVerified: boolean; takenOver: boolean }): AccessLetter {
  if (owner.emailVerified) return 'reset_password'
  return owner.takenOver ? 'verify_email' : 'claim_account'
}

type Owner = Pick<typeof users.$inferSelect, 'id' | 'emailVerified'>

const accessLetterFor = async (db: Queryable, owner: Owner) =>
  accessLetterOf({ ...owner, takenOver: await wouldBeClaimed(db, owner) })

/** The customer, who signs in by the mailbox: without one there is no way in. */
async function customerToEnter(db: Db, actor: Actor, customerId: string) {
  const customer = await customerToActFor(db, actor, customerId)
  if (!hasMailbox(customer.email))
    refuse('failed-precondition', 'No tiene correo, y se entra con él: escribe antes su correo.')
  return customer
}

/** The manager has a customer's access letter sent again; returns which. */
export async function resendAccess(
  db: Db,
  actor: Actor,
  customerId: string,
  now: Date,
): Promise<AccessLetter> {
  const customer = await customerToEnter(db, actor, customerId)
  await countTry(db, 'letters by account', customerId, now)
  return transaction(db, async (tx) => {
    const letter = await accessLetterFor(tx, customer)
    await record(tx, { ...by(actor, customerId), name: 'resend_access' })
    await enqueue(tx, 'account-letter', { letter, userId: customerId })
    return letter
  })
}

/**
 * A link for the manager to hand over, by which the owner of an account that the office opened chooses a password. It
 * does not prove the mailbox. Accounts that somebody entered have none: they sign in.
 */
export async function makeAccessLink(
  db: Db,
  actor: Actor,
  customerId: string,
  baseUrl: string,
  now: Date,
): Promise<string> {
  const customer = await customerToEnter(db, actor, customerId)
  if ((await accessLetterFor(db, customer)) !== 'claim_account')
    refuse('failed-precondition', 'Ya entró a su cuenta: comparte la dirección para iniciar sesión.')
  await countTry(db, 'letters by account', customerId, now)
  return transaction(db, async (tx) => {
    const { code } = await makeClaimLink(tx, customerId, now)
    await record(tx, { ...by(actor, customerId), name: 'make_access_link' })
    return codeLink(baseUrl, 'resetPassword', code)
  })
}

const by = (actor: Actor, customerId: string) => ({
  entity: 'user',
  entityId: customerId,
  actorId: actor.id,
})
