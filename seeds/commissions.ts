import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { approvableFrom } from '../src/domain/agencies/commissions.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../src/domain/shared/calendar.ts'
import {
  adjustCommission,
  payCommissions,
  syncCommissions,
} from '../src/server/agencies/commission-commands.ts'
import { commissions } from '../src/server/platform/database/schema/agencies.ts'
import type { RootedDeal, Stage } from './deals.ts'
import { paperFile } from './paper.ts'
import type { Story } from './past.ts'

/**
 * By the customer's position in the list: the commissions paid by one transfer, and an earlier adjustment of one of
 * them.
 */
const paidOut: readonly number[] = [27, 21, 17]
const adjusted = { of: 21, amount: 150_00, reason: 'Se devolvió al cliente cable que no se usó.' }
const daysUntilPaid = 5
const day = 24 * 3_600_000

/** The first morning on which a commission may be approved; its installation ended at an epoch minute. */
const approvableAt = (end: number) => toDate(minuteAt(approvableFrom(toDate(end)), '09:00'))

/** A commission is approved as soon as possible; one is adjusted on the next day. */
export async function* approvalStory(
  { of, projectId }: RootedDeal,
  end: number,
  { manager, now, past: { db } }: Stage,
): Story {
  const approved = approvableAt(end)
  if (approved > now) return
  yield approved
  await syncCommissions(db, approved)
  if (of !== adjusted.of) return
  const at = new Date(approved.getTime() + day)
  yield at
  const [row] = await db.select().from(commissions).where(eq(commissions.projectId, projectId))
  const { agencyId, amount: standing, id: commissionId } = row!
  const { amount, reason } = adjusted
  const wish = { commissionId, amount, reason, standing, requestKey: randomUUID() }
  await adjustCommission(db, manager, agencyId, wish, at)
}

/** The transfer of approved commissions, days after the last approval. */
export async function* payoutStory(
  deals: readonly RootedDeal[],
  agencyId: string,
  { drive, manager, past: { db } }: Stage,
): Story {
  const paid = deals.filter(({ of }) => paidOut.includes(of))
  const last = Math.max(...paid.map(({ installation }) => toMinutes(approvableAt(installation!.end!))))
  const paidOn = addDays(localDate(last), daysUntilPaid)
  yield toDate(minuteAt(paidOn, '12:30'))
  const projects = paid.map(({ projectId }) => projectId)
  const rows = await db
    .select()
    .from(commissions)
    .where(and(eq(commissions.state, 'approved'), inArray(commissions.projectId, projects)))
  const sum = (some: typeof rows) => some.reduce((total, { amount }) => total + amount, 0)
  const lines = rows
    .filter(({ kind }) => kind === 'commission')
    .map(({ id }) => [id, sum(rows.filter((row) => row.id === id || row.adjustsId === id))] as const)
  const transfer = { paidOn, reference: 'DEMO COMISIONES', file: paperFile(), requestKey: randomUUID() }
  await payCommissions(db, drive, manager, agencyId, {
    lines: new Map(lines),
    amount: sum(rows),
    ...transfer,
  })
}
