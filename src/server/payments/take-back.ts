import { asc, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { demandUndecided, reconciles } from '../../domain/payments/bank-matching.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { bankLines, bankStatements } from '../platform/database/schema/reconciliation-schema.ts'
import { announce } from '../platform/live/announcements.ts'

/**
 * Takes a file back that was read, with all of its movements, so that it can be read anew by other columns. Whoever decides
 * about one of them in the same moment comes first, and it stays, or finds it gone. Done twice, it is the same.
 */
export async function takeBackStatement(db: Db, actor: Actor, id: string): Promise<void> {
  if (!reconciles(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const [held] = await tx.select().from(bankStatements).where(eq(bankStatements.id, id)).for('update')
    if (!held) return
    if (held.readAt === null) refuse('not-found')
    const lines = await tx
      .select({ state: bankLines.state })
      .from(bankLines)
      .where(eq(bankLines.statementId, id))
      .orderBy(asc(bankLines.id))
      .for('update')
    demandUndecided(lines.map(({ state }) => state))
    await tx.delete(bankLines).where(eq(bankLines.statementId, id))
    await tx.delete(bankStatements).where(eq(bankStatements.id, id))
    const about = { entity: 'bank_statement', entityId: id, actorId: actor.id, name: 'take_back' }
    await record(tx, { ...about, data: { lines: lines.length, columns: held.columns } })
  })
  announce(db, { people: [] })
}
