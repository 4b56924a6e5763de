import { randomUUID } from 'node:crypto'
import { monthPattern, settlesCommissions } from '../../domain/agencies/commissions.ts'
import { localDay } from '../../domain/shared/format.ts'
import { commissionsOfMonth, payableCommissions, payoutsOf } from '../../server/agencies/queries.ts'
import { commissionMonths } from '../../server/agencies/sums.ts'
import type { PartAsked } from './agency-part.ts'

/** What ?seccion=comisiones shows: the sums of each month, and to whoever settles them one month's rows (?mes=2026-11). */
export async function loadCommissions(asked: PartAsked) {
  const { actor, agency, db } = asked
  const { months, sums } = await commissionMonths(db, actor, agency.id)
  const desk = settlesCommissions(actor) ? await deskOf(asked, months[0]?.month) : null
  return { months, sums, desk }
}

async function deskOf({ actor, agency, db, now, url }: PartAsked, last: string | undefined) {
  const wanted = url.searchParams.get('mes') ?? ''
  const month = monthPattern.test(wanted) ? wanted : (last ?? localDay(now).slice(0, 7))
  const [rows, payable, payouts] = await Promise.all([
    commissionsOfMonth(db, actor, agency.id, month),
    payableCommissions(db, actor, agency.id),
    payoutsOf(db, actor, agency.id),
  ])
  // Each form has a key of its own: sent twice, it is one change.
  const lines = rows.map((row) => ({ ...row, requestKey: randomUUID() }))
  return { month, lines, payable, payouts, today: localDay(now), requestKey: randomUUID() }
}

/** What whoever settles an agency's commissions sees of them. */
export type CommissionDesk = NonNullable<Awaited<ReturnType<typeof loadCommissions>>['desk']>
