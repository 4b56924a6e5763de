import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { OpenBlocked } from '../../domain/accounts/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { blockedAccounts, dataReads } from '../platform/database/schema/privacy-schema.ts'
import type { unsealed } from './block.ts'
import type { Holding, OwnData } from './own-data.ts'

/** Reads a sealed text; knows the secret, so that no screen has to. */
export type Unseal = (sealed: string | null) => ReturnType<typeof unsealed>

/** What was held of somebody, and what their pictures and papers are called. */
export type Opened = { customerId: string; data: OwnData; files: string[] }

/**
 * Opens a blocked account for the manager, and notes why in the same transaction: nothing is shown that left no row, and
 * each opening is a row of its own, however soon it comes after another.
 */
export async function openBlocked(
  db: Db,
  actor: Actor,
  { customerId, reason }: OpenBlocked,
  unseal: Unseal,
): Promise<Opened> {
  if (!managesPeople(actor)) refuse('permission-denied')
  return transaction(db, async (tx) => {
    const [account] = await tx
      .select({ sealed: blockedAccounts.sealed, files: blockedAccounts.files })
      .from(blockedAccounts)
      .where(and(eq(blockedAccounts.customerId, customerId), isNull(blockedAccounts.suppressedAt)))
      .for('share')
    if (!account) refuse('not-found', 'Esos datos ya se suprimieron, o nunca estuvieron bloqueados.')
    const held = unseal(account.sealed)
    if (!held)
      refuse(
        'failed-precondition',
        'Se selló con otra AUTH_SECRET. Quien administra el servidor tiene que poner la de entonces.',
      )
    await tx.insert(dataReads).values({
      ...{ readerId: actor.id, customerId, what: 'blocked', subjectId: customerId, reason },
      span: sql`clock_timestamp()`,
    })
    return { customerId, data: ownDataIn(held), files: account.files.map(({ name }) => name) }
  })
}

const ownDataIn = (held: Record<string, object[]>): OwnData =>
  Object.entries(held).map(([heading, holdings]) => ({ heading, holdings: holdings.map(withTimes) }))

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** JSON has no times: they were written as text. */
const withTimes = (holding: object): Holding =>
  Object.fromEntries(
    Object.entries(holding).map(([term, value]) => [
      term,
      typeof value === 'string' && time.test(value) ? new Date(value) : value,
    ]),
  )
