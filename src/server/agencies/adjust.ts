import { or } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { standingOfCommission, stateOfAdjustment } from '../../domain/agencies/commissions.ts'
import { money } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { commissions } from '../platform/database/schema/agencies.ts'
import { announce } from '../platform/live/announcements.ts'
import { type CommissionRow, holdAgency, holdCommissions, namedOrAdjusting } from './commissions-hold.ts'

export type Adjusting = {
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
    await holdAgency(tx, actor, agencyId)
    const held = await holdCommissions(tx, agencyId, or(...namedOrAdjusting([wish.commissionId])))
    if (held.some((row) => isSame(row, wish))) return
    const of = held.find(({ kind }) => kind === 'commission') ?? refuse('not-found')
    demandWithin(of, held, wish)
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

function demandWithin(of: CommissionRow, held: readonly CommissionRow[], wish: Adjusting): void {
  const adjustments = held.filter(({ kind }) => kind === 'adjustment')
  const standing = standingOfCommission(
    of.amount,
    adjustments.map(({ amount }) => amount),
  )
  if (standing !== wish.standing)
    refuse('aborted', `Mientras tanto se ajustó: ahora quedan ${money(standing)}.`)
  if (wish.amount <= standing) return
  const most = standing === 0 ? 'Ya no queda nada de esta comisión.' : `Quita como máximo ${money(standing)}.`
  refuse('invalid-argument', undefined, { errors: { amount: most } })
}
