import { eq } from 'drizzle-orm'
import { dueDatesOf, turnOf } from '../../domain/cfe/case.ts'
import { owedByCustomer } from '../../domain/cfe/papers.ts'
import type { Tx } from '../platform/database/database.ts'
import { cfeCases } from '../platform/database/schema/cfe-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { type CaseRow, type HeldCase, neededOf } from './rows.ts'

/** What else has to be told, although the turn is the same: something was given back. `by` knows already. */
type Told = { by: string | null; again?: boolean }

/**
 * Works out whose turn it is after a change of a held case, and since when. Whoever's it becomes gets a letter; the customer
 * of every change of turn, since nobody likes to ask how paperwork goes.
 */
export async function followCase(tx: Tx, { papers, row }: HeldCase, now: Date, told: Told): Promise<CaseRow> {
  const turn = turnOf({ ...row, customerOwes: owedByCustomer(neededOf(row, papers)).length > 0 })
  const changed = turn !== row.waitingOn
  const since = changed ? now : row.waitingSince
  const dueOn = dueDatesOf(turn, row.state, since)?.late ?? null
  if (!changed && dueOn === row.dueOn && !told.again) return row
  const [followed] = await tx
    .update(cfeCases)
    .set({ waitingOn: turn, waitingSince: since, dueOn })
    .where(eq(cfeCases.id, row.id))
    .returning()
  if (changed || told.again) await tell(tx, followed!, told.by)
  return followed!
}

/** Written from how the case stands when the letter is, and left out once the turn is another. */
async function tell(tx: Tx, { gesterId, id: caseId, waitingOn, waitingSince }: CaseRow, by: string | null) {
  const since = waitingSince.toISOString()
  await enqueue(tx, 'letter', { letter: 'case_turn', caseId, since, to: 'customer' })
  if (waitingOn === 'gester' && by !== gesterId)
    await enqueue(tx, 'letter', { letter: 'case_turn', caseId, since, to: 'gester' })
}
