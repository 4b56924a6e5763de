import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type BankLineMove, bankLineMachine } from '../../domain/payments/bank-matching.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { bankLines } from '../platform/database/schema/reconciliation-schema.ts'

export type LineRow = typeof bankLines.$inferSelect

/** A movement's row, held until the transaction ends; after the project's and the payment's, where these are held too. */
export async function holdLine(tx: Tx, id: string): Promise<LineRow> {
  if (!isId(id)) refuse('not-found')
  const [row] = await tx.select().from(bankLines).where(eq(bankLines.id, id)).for('update')
  return row ?? refuse('not-found')
}

/** Carries out a move of a held movement, and leaves its trace. */
export async function moveLine(
  tx: Tx,
  actor: Actor,
  line: LineRow,
  move: BankLineMove,
  { paymentId = null, reason = null }: { paymentId?: string | null; reason?: string | null },
  now: Date,
): Promise<void> {
  const state = bankLineMachine.next(move, actor, line)
  const decided =
    state === 'open' ? { decidedBy: null, decidedAt: null } : { decidedBy: actor.id, decidedAt: now }
  await tx
    .update(bankLines)
    .set({ state, paymentId, reason, ...decided, version: line.version + 1 })
    .where(eq(bankLines.id, line.id))
  await record(tx, {
    ...{ entity: 'bank_line', entityId: line.id, actorId: actor.id, name: move, reason },
    ...{ fromState: line.state, toState: state, data: paymentId && { paymentId } },
  })
}
