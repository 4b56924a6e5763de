import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { assertCustomer } from '../access/rules/actor.ts'
import type { OperationCaller } from '../accounts/auth.ts'
import { signUp } from '../accounts/entry.ts'
import { countTry, giveTryBack } from '../accounts/limits.ts'
import type { SignUp } from '../accounts/rules/schema.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { syncBenefit } from '../quotes/benefit.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { type CodeRow, cancelFees, openCode, takeUse } from './client-invitations.ts'
import {
  type AccountRef,
  activeAttribution,
  type ClientRow,
  isOwnReferral,
  joinInvitation,
  joinRow,
  lockCustomer,
  openInvitation,
} from './join.ts'
import { type Redeemed, redemptionOf } from './rules/clients.ts'
import { benefitFrom } from './rules/codes.ts'

/** How a code was entered: from the link that the customer followed, or typed; `address` is the network's. */
type How = {
  source: 'link' | 'code'
  address: string
  /** The token of a counter invitation's link. */
  invitation?: string | null
  /** A phone that their profile does not have yet. */
  phone?: string
}

/**
 * A customer redeems a code: one use of it, the attribution to its ally, and its benefit for pending visits and quotes,
 * all at once or not at all. Redeemed again, nothing changes. A wrong code is reported under the field `codigo`, and
 * counts against the account and its address.
 */
export async function redeemCode(
  db: Db,
  actor: AccountRef,
  code: string,
  how: How,
  now: Date,
): Promise<Redeemed> {
  assertCustomer(actor)
  const { redeemed, people } = await counted(db, { account: actor.id, address: how.address }, now, () =>
    transaction(db, (tx) => redeem(tx, actor, code, how, now)),
  )
  announce(db, { people })
  return redeemed
}

/** Whether a code could be used now, before there is an account to use it. A wrong one counts against the address. */
async function checkCode(db: Db, code: string, address: string, now: Date): Promise<void> {
  await counted(db, { address }, now, async () => open(await openCode(db, code, now)))
}

/**
 * What a link's code gives, for its reader before they have an account; null for one that can't be used. Unknown ones
 * count against the address, which then reads of no code.
 */
export async function greetedCode(
  db: Db,
  code: string,
  address: string,
  now: Date,
): Promise<Redeemed | null> {
  const limit = 'unknown codes greeted by address'
  try {
    await countTry(db, limit, address, now)
    const found = open(await openCode(db, code, now))
    await giveTryBack(db, limit, address)
    return redeemedOf(found)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/**
 * A try counts before it is checked, so that of many at once no more are checked than allowed; a successful one is
 * uncounted.
 */
async function counted<Result>(
  db: Db,
  { account, address }: { account?: string; address: string },
  now: Date,
  run: () => Promise<Result>,
): Promise<Result> {
  const tries = [
    ...(account ? [['wrong codes by account', account] as const] : []),
    ['wrong codes by address', address] as const,
  ]
  const made: typeof tries = []
  try {
    for (const [limit, who] of tries) {
      await countTry(db, limit, who, now)
      made.push([limit, who])
    }
  } catch (error) {
    for (const [limit, who] of made) await giveTryBack(db, limit, who)
    throw underField(error)
  }
  const result = await run().catch((error) => {
    throw underField(error)
  })
  for (const [limit, who] of made) await giveTryBack(db, limit, who)
  return result
}

/** Reports a refusal of a code under its field. */
function underField(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.details) return error
  const { code, description } = error
  const title = code === 'resource-exhausted' ? error.title : 'No pudimos usar tu código'
  return new Refusal(code, { title, description, details: { errors: { codigo: description } } })
}

const open = (code: CodeRow | { refused: string }): CodeRow =>
  'refused' in code ? refuse('failed-precondition', code.refused) : code

async function redeem(tx: Tx, customer: AccountRef, typed: string, how: How, now: Date) {
  const { projectIds } = await lockCustomer(tx, customer.id)
  const living = await activeAttribution(tx, customer.id)
  const own = living?.codeId ? await ownCode(tx, customer.id) : null
  if (own?.code === typed) return { redeemed: own, people: [] }
  const code = open(await takeUse(tx, typed, customer.id, now))
  const redemption = redemptionOf({
    code,
    living,
    accepted: await hasAccepted(tx, customer.id),
    isOwnReferral: await isOwnReferral(tx, customer.id, code.agencyId, how.phone),
  })
  // The use that was taken is rolled back with the rest of the transaction.
  if (typeof redemption === 'object') refuse('failed-precondition', redemption.refused)
  if (living) await addCode(tx, customer, living, code)
  else {
    const invitation = await openInvitation(tx, how.invitation ?? null, now)
    const invited = invitation?.agencyId === code.agencyId ? invitation : null
    await joinRow(tx, customer, { code, invited, source: how.source }, now)
  }
  if (code.benefitKind === 'free_visit') await cancelFees(tx, projectIds, now)
  await syncBenefit(tx, customer.id, now)
  return { redeemed: redeemedOf(code), people: [customer.id, code.agencyId] }
}

const redeemedOf = ({ benefitKind, benefitValue, code }: CodeRow): Redeemed => ({
  code,
  benefit: benefitFrom({ kind: benefitKind, value: benefitValue }),
})

async function addCode(tx: Tx, customer: AccountRef, living: ClientRow, code: CodeRow): Promise<void> {
  const [added] = await tx
    .update(clients)
    .set({ codeId: code.id, version: living.version + 1 })
    .where(and(eq(clients.id, living.id), isNull(clients.codeId), isNull(clients.endedAt)))
    .returning({ id: clients.id })
  if (!added) refuse('aborted')
  await record(tx, {
    entity: 'client',
    entityId: living.id,
    actorId: customer.id,
    name: 'addCode',
    data: { code: code.code },
  })
}

/** The code that a customer uses, with its benefit; null without one. */
export async function ownCode(db: Queryable, customerId: string): Promise<Redeemed | null> {
  const [row] = await db
    .select({ code: codes.code, kind: codes.benefitKind, value: codes.benefitValue })
    .from(clients)
    .innerJoin(codes, eq(codes.id, clients.codeId))
    .where(and(eq(clients.customerId, customerId), isNull(clients.endedAt)))
  return row ? { code: row.code, benefit: benefitFrom(row) } : null
}

/** Whether a customer has accepted the quote of an installation that is not over: a code comes too late. */
export async function hasAccepted(db: Queryable, customerId: string): Promise<boolean> {
  const open = db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
  const accepted = and(
    inArray(quotes.projectId, open),
    eq(quotes.kind, 'installation'),
    eq(quotes.state, 'accepted'),
  )
  const [found] = await db.select({ one: sql`1` }).from(quotes).where(accepted).limit(1)
  return found !== undefined
}

/**
 * How a customer came: the code of their form, whether it came from the link they followed, and a counter invitation's
 * token.
 */
type Brought = { code: string | null; isFromLink: boolean; invitation: string | null }

/** The result: the code that is theirs now, or the reason why not. */
export type Welcome = { redeemed: Redeemed | null; refused: string | null }

/**
 * Creates an account with a code. A wrong code is reported before there is an account; one that was exhausted meanwhile
 * does not prevent the account.
 */
export async function signUpWith(caller: OperationCaller, input: SignUp, brought: Brought) {
  const { address, db, now } = caller
  if (brought.code) await checkCode(db, brought.code, address, now)
  const { headers } = await signUp(caller, input)
  const [user] = await db
    .select({ id: users.id, role: users.role })
    .from(users)
    .where(eq(users.email, input.email))
  const welcome = await welcomed(() => redeemOnSignUp(db, user!, brought, { address, now }))
  return { headers, ...welcome }
}

/** Applies how a customer came: their code, or else the invitation alone. */
export async function redeemOnSignUp(
  db: Db,
  customer: AccountRef,
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
