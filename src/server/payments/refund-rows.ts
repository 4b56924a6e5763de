import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { refunds } from '../platform/database/schema/money-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { RefundRow } from './propose.ts'
import { holdProject } from './rows.ts'
import { visibleRefunds } from './visible.ts'

/** Which refund, as the form was shown it. */
export type SeenRefund = { refundId: string; version: number }

/** A refund somebody may see; for everybody else it does not exist. */
export async function seenRefund(db: Db, actor: Actor, id: string): Promise<RefundRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await db
    .select()
    .from(refunds)
    .where(and(eq(refunds.id, id), visibleRefunds(actor)))
  return row ?? refuse('not-found')
}

/** Changes a refund that somebody may see, its project's row held before its own. */
export async function changeRefund(
  db: Db,
  actor: Actor,
  id: string,
  change: (tx: Tx, held: RefundRow) => Promise<void>,
): Promise<void> {
  const { customerId, projectId } = await seenRefund(db, actor, id)
  await transaction(db, async (tx) => {
    await holdProject(tx, projectId)
    const [held] = await tx.select().from(refunds).where(eq(refunds.id, id)).for('update')
    await change(tx, held ?? refuse('not-found'))
  })
  announce(db, { people: [customerId, projectId] })
}

/** Writes on a held refund, its version with it. */
export const writeRefund = (tx: Tx, { id, version }: RefundRow, set: Partial<typeof refunds.$inferInsert>) =>
  tx
    .update(refunds)
    .set({ ...set, version: version + 1 })
    .where(eq(refunds.id, id))

/** Writes to its customer that a refund goes to another account: by letter, since a stolen session sees no mailbox. */
export const tellOfAccount = (tx: Tx, { id }: Pick<RefundRow, 'id'>) =>
  enqueue(tx, 'letter', { letter: 'refund_account', refundId: id, to: 'customer' })

/** Leaves a step of a refund in the history. */
export const traceRefund = (
  tx: Tx,
  actor: Actor,
  { id, state: fromState }: RefundRow,
  name: string,
  toState: RefundRow['state'],
  data: object,
  reason?: string,
) =>
  record(tx, {
    ...{ entity: 'refund', entityId: id, actorId: actor.id, name, fromState, toState, data },
    ...(reason && { reason }),
  })
