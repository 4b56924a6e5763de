import { eq } from 'drizzle-orm'
import type { SignUp } from '../../domain/accounts/schema.ts'
import type { Redeemed } from '../../domain/agencies/clients.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import type { Caller } from '../accounts/caller.ts'
import { signUp } from '../accounts/entry.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { joinInvitation, type Whose } from './join.ts'
import { checkCode, redeemCode } from './redeem.ts'

/** How somebody came: the code of their form, whether it is that of the link they followed, and a counter invitation's token. */
export type Brought = { code: string | null; isFromLink: boolean; invitation: string | null }
/** What came of it: the code that is theirs now, or why it is not. */
export type Welcome = { redeemed: Redeemed | null; refused: string | null }

/** Makes an account that begins with a code. A wrong one is said before there is an account; one that was used up meanwhile costs nobody theirs. */
export async function signUpWith(caller: Caller, input: SignUp, brought: Brought) {
  const { address, db, now } = caller
  if (brought.code) await checkCode(db, brought.code, address, now)
  const { headers } = await signUp(caller, input)
  const [user] = await db
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(eq(users.email, input.email))
  const welcome = await welcomed(() => bring(db, user!, brought, { address, now }))
  return { headers, ...welcome }
}

/** Applies how a customer came: their code, or else the invitation by itself. */
export async function bring(
  db: Db,
  customer: Whose,
  { code, invitation, isFromLink }: Brought,
  { address, now, phone }: { address: string; now: Date; phone?: string },
): Promise<Redeemed | null> {
  const known = phone === undefined ? {} : { phone }
  if (code) {
    const how = { source: isFromLink ? ('link' as const) : ('code' as const), address, invitation, ...known }
    return redeemCode(db, customer, code, how, now)
  }
  if (invitation) await joinInvitation(db, customer, invitation, now, phone)
  return null
}

async function welcomed(run: () => Promise<Redeemed | null>): Promise<Welcome> {
  try {
    return { redeemed: await run(), refused: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { redeemed: null, refused: error.description }
  }
}
