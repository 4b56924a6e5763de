import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { commissionMachine, settlesCommissions } from '../../domain/agencies/commissions.ts'
import { money } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { attach, keepPapers, takeAgencyDocument } from '../documents/intake.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { commissionPayouts, commissions } from '../platform/database/schema/agencies.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { type CommissionRow, lockAgency, lockCommissions, namedOrAdjusting } from './adjust.ts'

export type Paying = {
  /** What is paid, by the ids of commissions and of adjustments of commissions paid before, each with what it came to when it was shown. */
  lines: ReadonlyMap<string, number>
  /** Centavos, as the bank's paper says. */
  amount: number
  /** A local date. */
  paidOn: string
  reference: string
  file: File | null
  /** Made with the form: sent twice, it is one payout. */
  requestKey: string
}

/**
 * The manager transferred what was chosen, with the bank's paper: one payout of exactly what its rows come to. A commission
 * goes with the adjustments that wait as it does. Answers the payout's id; sent again, it is the same one.
 */
export async function payCommissions(
  db: Db,
  drive: Drive,
  actor: Actor,
  agencyId: string,
  wish: Paying,
): Promise<string> {
  if (!settlesCommissions(actor)) refuse('permission-denied')
  const known = await knownPayout(db, agencyId, wish)
  if (known) return known
  if (wish.lines.size === 0) wrong('lines', 'Elige al menos una comisión.')
  const file = wish.file ?? wrong('file', 'Elige el comprobante de la transferencia.')
  // Asked before its bytes are kept, and again with the rows held.
  await transaction(db, (tx) => toPay(tx, actor, agencyId, wish))
  const taken = await takeAgencyDocument(db, drive, actor, { file, agencyId })
  const change = () =>
    transaction(db, async (tx) => {
      const due = await toPay(tx, actor, agencyId, wish)
      if ('already' in due) return due.already
      return write(tx, actor, agencyId, due.rows, { ...wish, proofId: await attach(tx, taken) })
    })
  const id = await keepPapers({ db, drive }, [taken], new Date(), change)
  announce(db, { people: [agencyId], desk: false })
  return id
}

/** The rows to be paid, held; or the payout that this form made meanwhile. */
async function toPay(tx: Tx, actor: Actor, agencyId: string, wish: Paying) {
  await lockAgency(tx, actor, agencyId)
  const already = await knownPayout(tx, agencyId, wish)
  return already ? { already } : { rows: await chosen(tx, actor, agencyId, wish) }
}

const wrong = (field: string, message: string) =>
  refuse('invalid-argument', field === 'lines' ? message : undefined, { errors: { [field]: message } })

/** The payout that this very form made before. A form that was gone back to, and changed, is another: it has to be begun anew. */
async function knownPayout(db: Queryable, agencyId: string, wish: Paying): Promise<string | null> {
  const [row] = await db
    .select()
    .from(commissionPayouts)
    .where(eq(commissionPayouts.requestKey, wish.requestKey))
  if (!row) return null
  const isSame = [row.agencyId === agencyId, row.amount === wish.amount, row.reference === wish.reference]
  if (!isSame.every(Boolean))
    refuse(
      'already-exists',
      'Con este formulario ya registraste otro pago. Ábrelo de nuevo para registrar más.',
    )
  return row.id
}

/** The rows to be paid, held, all of them still as they were shown. */
async function chosen(tx: Tx, actor: Actor, agencyId: string, { amount, lines }: Paying) {
  const ids = [...lines.keys()]
  const [named, adjusting] = namedOrAdjusting(ids)
  const waits = eq(commissions.state, 'approved')
  const rows = await lockCommissions(tx, agencyId, or(named, and(adjusting, waits)))
  for (const id of ids) {
    const row = rows.find((one) => one.id === id) ?? refuse('not-found')
    commissionMachine.next('pay', actor, row)
    if (lineAmount(row, rows) !== lines.get(id))
      refuse('aborted', 'Una de estas comisiones se ajustó mientras tanto. Revisa la suma.')
  }
  const total = rows.reduce((sum, row) => sum + row.amount, 0)
  if (total <= 0) wrong('lines', `Lo elegido suma ${money(total)}: no hay nada que transferir.`)
  if (total !== amount) wrong('amount', `Lo elegido suma ${money(total)}. Revisa la cantidad o lo elegido.`)
  return rows
}

const lineAmount = (row: CommissionRow, rows: readonly CommissionRow[]) =>
  rows
    .filter(({ adjustsId, id }) => id === row.id || adjustsId === row.id)
    .reduce((sum, { amount }) => sum + amount, 0)

async function write(
  tx: Tx,
  { id: paidBy }: Actor,
  agencyId: string,
  rows: readonly CommissionRow[],
  { amount, paidOn, proofId, reference, requestKey }: Paying & { proofId: string },
): Promise<string> {
  const [payout] = await tx
    .insert(commissionPayouts)
    .values({ agencyId, amount, paidOn, reference, proofId, paidBy, requestKey })
    .returning({ id: commissionPayouts.id })
  const payoutId = payout!.id
  const ids = rows.map(({ id }) => id)
  await tx
    .update(commissions)
    .set({ state: 'paid', payoutId, version: sql`${commissions.version} + 1` })
    .where(inArray(commissions.id, ids))
  await record(tx, {
    ...{ entity: 'commission_payout', entityId: payoutId, actorId: paidBy, name: 'pay', toState: 'paid' },
    data: { agencyId, amount, rows: rows.length },
  })
  await enqueue(tx, 'letter', { letter: 'commission_paid', payoutId, to: 'allies' })
  return payoutId
}
