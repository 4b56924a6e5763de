import { and, eq, isNull } from 'drizzle-orm'
import { type Redeemed, redemptionOf } from '../../domain/agencies/clients.ts'
import { benefitFrom } from '../../domain/agencies/codes.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { countTry, giveTryBack } from '../accounts/limits.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { announce } from '../platform/live/announcements.ts'
import { followBenefit } from '../quotes/benefit.ts'
import { type CodeRow, openCode, takeUse } from './code-use.ts'
import { cancelFees } from './free-visit.ts'
import { type ClientRow, holdCustomer } from './hold.ts'
import { joinRow, livingOf, openInvitation, type Whose } from './join.ts'
import { hasAccepted, ownCode } from './own-code.ts'
import { isOwnReferral } from './self-referral.ts'

/** Where a code comes from: the link that somebody followed, or their own hands; `address` is the network's. */
export type How = {
  source: 'link' | 'code'
  address: string
  /** The token of a counter invitation's link. */
  invitation?: string | null
  /** A phone that their profile does not have yet. */
  phone?: string
}

/**
 * A customer uses a code: one use of it, the tie to its ally, what it brings to visits and quotes that wait, all at once or
 * not at all. Given again, it is theirs as it was. A wrong one is said under the field `codigo`, and counts against the account
 * and its address.
 */
export async function redeemCode(db: Db, actor: Whose, code: string, how: How, now: Date): Promise<Redeemed> {
  if (actor.role !== 'customer') refuse('permission-denied')
  const { redeemed, people } = await counted(db, { account: actor.id, address: how.address }, now, () =>
    transaction(db, (tx) => redeem(tx, actor, code, how, now)),
  )
  announce(db, { people })
  return redeemed
}

/** Whether a code could be used now, before there is an account that uses it. A wrong one counts against the address. */
export async function checkCode(db: Db, code: string, address: string, now: Date): Promise<void> {
  await counted(db, { address }, now, async () => open(await openCode(db, code, now)))
}

/** A try counts before it is judged, so that of many at once no more are judged than may be; what was right is given back. */
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

/** A refusal of a code stands under its field. */
function underField(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.details) return error
  const { code, description } = error
  const title = code === 'resource-exhausted' ? error.title : 'No pudimos usar tu código'
  return new Refusal(code, { title, description, details: { errors: { codigo: description } } })
}

const open = (code: CodeRow | { refused: string }): CodeRow =>
  'refused' in code ? refuse('failed-precondition', code.refused) : code

async function redeem(tx: Tx, customer: Whose, typed: string, how: How, now: Date) {
  const { projectIds } = await holdCustomer(tx, customer.id)
  const living = await livingOf(tx, customer.id)
  const own = living?.codeId ? await ownCode(tx, customer.id) : null
  if (own?.code === typed) return { redeemed: own, people: [] }
  const code = open(await takeUse(tx, typed, customer.id, now))
  const redemption = redemptionOf({
    ...{ code, living },
    accepted: await hasAccepted(tx, customer.id),
    isOwnReferral: await isOwnReferral(tx, customer.id, code.agencyId, how.phone),
  })
  // The use that was taken goes back with everything else of the transaction.
  if (typeof redemption === 'object') refuse('failed-precondition', redemption.refused)
  if (living) await addCode(tx, customer, living, code)
  else {
    const invitation = await openInvitation(tx, how.invitation ?? null, now)
    const invited = invitation?.agencyId === code.agencyId ? invitation : null
    await joinRow(tx, customer, { code, invited, source: how.source }, now)
  }
  if (code.benefitKind === 'free_visit') await cancelFees(tx, projectIds, now)
  await followBenefit(tx, customer.id, now)
  return { redeemed: redeemedOf(code), people: [customer.id, code.agencyId] }
}

const redeemedOf = ({ benefitKind, benefitValue, code }: CodeRow): Redeemed => ({
  code,
  benefit: benefitFrom({ kind: benefitKind, value: benefitValue }),
})

async function addCode(tx: Tx, customer: Whose, living: ClientRow, code: CodeRow): Promise<void> {
  const [added] = await tx
    .update(clients)
    .set({ codeId: code.id, version: living.version + 1 })
    .where(and(eq(clients.id, living.id), isNull(clients.codeId), isNull(clients.endedAt)))
    .returning({ id: clients.id })
  if (!added) refuse('aborted')
  await record(tx, {
    ...{ entity: 'client', entityId: living.id, actorId: customer.id, name: 'addCode' },
    data: { code: code.code },
  })
}
