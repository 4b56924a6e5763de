import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  commissionBalance,
  settlesCommissions,
  stateOfAdjustment,
} from '../../domain/agencies/commissions.ts'
import { money } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { commissions } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'

type Adjusting = {
  commissionId: string
  /** Centavos to take off. */
  amount: number
  reason: string
  /** What stood of the commission when the form was shown. */
  standing: number
  /** Made with the form: sent twice, it is one adjustment. */
  requestKey: string
}

/** The manager takes something off a commission, and says why: a negative row, never of more than what stands. */
export async function adjustCommission(
  db: Db,
  actor: Actor,
  agencyId: string,
  wish: Adjusting,
  now: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockAgency(tx, actor, agencyId)
    const held = await lockCommissions(tx, agencyId, or(...namedOrAdjusting([wish.commissionId])))
    if (held.some((row) => isSame(row, wish))) return
    const of = held.find(({ kind }) => kind === 'commission') ?? refuse('not-found')
    assertWithin(of, held, wish)
    const state = stateOfAdjustment(of.state)
    const { allyId, appointmentId, projectId, quoteId, termsKind, termsValue } = of
    const [made] = await tx
      .insert(commissions)
      .values({
        ...{ kind: 'adjustment', state, agencyId, allyId, projectId, quoteId, appointmentId },
        ...{ termsKind, termsValue, adjustsId: of.id, amount: -wish.amount, reason: wish.reason },
        ...{ earnedAt: now, approvedAt: state === 'pending' ? null : now },
        ...{ madeBy: actor.id, requestKey: wish.requestKey },
      })
      .returning({ id: commissions.id })
    await record(tx, {
      ...{ entity: 'commission', entityId: made!.id, actorId: actor.id, name: 'adjust' },
      ...{ toState: state, reason: wish.reason, data: { agencyId, amount: -wish.amount, adjusts: of.id } },
    })
  })
  announce(db, { people: [agencyId], desk: false })
}

const isSame = ({ amount, reason, requestKey }: CommissionRow, wish: Adjusting) =>
  requestKey === wish.requestKey && amount === -wish.amount && reason === wish.reason

function assertWithin(of: CommissionRow, held: readonly CommissionRow[], wish: Adjusting): void {
  const adjustments = held.filter(({ kind }) => kind === 'adjustment')
  const standing = commissionBalance(
    of.amount,
    adjustments.map(({ amount }) => amount),
  )
  if (standing !== wish.standing)
    refuse('aborted', `Mientras tanto se ajustó: ahora quedan ${money(standing)}.`)
  if (wish.amount <= standing) return
  const most = standing === 0 ? 'Ya no queda nada de esta comisión.' : `Quita como máximo ${money(standing)}.`
  refuse('invalid-argument', undefined, { errors: { amount: most } })
}

export type CommissionRow = typeof commissions.$inferSelect

/** Holds an agency for whoever settles with it: what is adjusted and what is paid come one after the other. */
export async function lockAgency(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!settlesCommissions(actor)) refuse('permission-denied')
  if (!isId(id)) refuse('not-found')
  const [agency] = await tx
    .select({ id: agencies.id })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('no key update')
  if (!agency) refuse('not-found')
}

/** Rows of an agency, held in one order whoever asks. */
export const lockCommissions = (
  tx: Tx,
  agencyId: string,
  within: SQL | undefined,
): Promise<CommissionRow[]> =>
  tx
    .select()
    .from(commissions)
    .where(and(eq(commissions.agencyId, agencyId), within))
    .orderBy(asc(commissions.id))
    .for('update')

/** The rows that are named, or that adjust one of them. */
export const namedOrAdjusting = (ids: readonly string[]) => [
  inArray(commissions.id, [...ids]),
  inArray(commissions.adjustsId, [...ids]),
]
