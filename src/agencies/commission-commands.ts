import { and, asc, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { attach, keepPapers, paperMissing, takeBusinessDocument } from '../documents/documents.ts'
import { ledgerFactsOf } from '../payments/rows.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { clients, commissionPayouts, commissions } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { agencies, projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { lockProject } from '../projects/open-project.ts'
import { optionOf } from '../quotes/rules/content.ts'
import { totalsOfOption } from '../quotes/rules/totals.ts'
import { money } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import {
  commissionBalance,
  commissionMachine,
  commissionOf,
  daysUntilApproved,
  notYetApproved,
  settlesCommissions,
  stateOfAdjustment,
} from './rules/commissions.ts'

type Adjusting = {
  commissionId: string
  /** Centavos to deduct. */
  amount: number
  reason: string
  /** The commission's balance when the form was shown. */
  standing: number
  /** Created with the form: sent twice, it is one adjustment. */
  requestKey: string
}

/** The manager deducts from a commission, with a reason: a negative row, never larger than the balance. */
export async function adjustCommission(
  db: Db,
  actor: Actor,
  agencyId: string,
  input: Adjusting,
  now: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockAgency(tx, actor, agencyId)
    const held = await lockCommissions(tx, agencyId, or(...namedOrAdjusting([input.commissionId])))
    if (held.some((row) => isSame(row, input))) return
    const of = held.find(({ kind }) => kind === 'commission') ?? refuse('not-found')
    assertWithin(of, held, input)
    const state = stateOfAdjustment(of.state)
    const { allyId, appointmentId, projectId, quoteId, termsKind, termsValue } = of
    const [made] = await tx
      .insert(commissions)
      .values({
        kind: 'adjustment',
        state,
        agencyId,
        allyId,
        projectId,
        quoteId,
        appointmentId,
        termsKind,
        termsValue,
        adjustsId: of.id,
        amount: -input.amount,
        reason: input.reason,
        earnedAt: now,
        approvedAt: state === 'pending' ? null : now,
        madeBy: actor.id,
        requestKey: input.requestKey,
      })
      .returning({ id: commissions.id })
    await record(tx, {
      entity: 'commission',
      entityId: made!.id,
      actorId: actor.id,
      name: 'adjust',
      toState: state,
      reason: input.reason,
      data: { agencyId, amount: -input.amount, adjusts: of.id },
    })
  })
  announce(db, { people: [agencyId], desk: false })
}

const isSame = ({ amount, reason, requestKey }: CommissionRow, input: Adjusting) =>
  requestKey === input.requestKey && amount === -input.amount && reason === input.reason

function assertWithin(of: CommissionRow, held: readonly CommissionRow[], input: Adjusting): void {
  const adjustments = held.filter(({ kind }) => kind === 'adjustment')
  const standing = commissionBalance(
    of.amount,
    adjustments.map(({ amount }) => amount),
  )
  if (standing !== input.standing)
    refuse('aborted', `Mientras tanto se ajustó: ahora quedan ${money(standing)}.`)
  if (input.amount <= standing) return
  const most = standing === 0 ? 'Ya no queda nada de esta comisión.' : `Quita como máximo ${money(standing)}.`
  refuse('invalid-argument', undefined, { errors: { amount: most } })
}

type CommissionRow = typeof commissions.$inferSelect

/** Locks an agency for a settlement: adjustments and payouts run one after the other. */
async function lockAgency(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!settlesCommissions(actor)) refuse('permission-denied')
  if (!isId(id)) refuse('not-found')
  const [agency] = await tx
    .select({ id: agencies.id })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('no key update')
  if (!agency) refuse('not-found')
}

/** Locks commission rows of an agency, always in the same order. */
const lockCommissions = (tx: Tx, agencyId: string, within: SQL | undefined): Promise<CommissionRow[]> =>
  tx
    .select()
    .from(commissions)
    .where(and(eq(commissions.agencyId, agencyId), within))
    .orderBy(asc(commissions.id))
    .for('update')

/** The named rows, and those that adjust one of them. */
const namedOrAdjusting = (ids: readonly string[]) => [
  inArray(commissions.id, [...ids]),
  inArray(commissions.adjustsId, [...ids]),
]

export type Paying = {
  /**
   * The paid lines, by the ids of commissions and of adjustments of commissions paid before, each with its amount as
   * shown.
   */
  lines: ReadonlyMap<string, number>
  /** Centavos, as on the bank's receipt. */
  amount: number
  /** A local date. */
  paidOn: string
  reference: string
  file: File | null
  /** Created with the form: sent twice, it is one payout. */
  requestKey: string
}

/**
 * Records the manager's transfer of the chosen lines, with the bank's receipt: one payout of exactly their sum. A
 * commission includes its pending adjustments. Returns the payout's id; sent again, it is the same one.
 */
export async function payCommissions(
  db: Db,
  drive: Drive,
  actor: Actor,
  agencyId: string,
  input: Paying,
): Promise<string> {
  if (!settlesCommissions(actor)) refuse('permission-denied')
  const known = await knownPayout(db, agencyId, input)
  if (known) return known
  if (input.lines.size === 0) wrong('lines', 'Elige al menos una comisión.')
  // Checked before the file is stored, and again with the rows locked.
  await transaction(db, (tx) => toPay(tx, actor, agencyId, input))
  const file = input.file ?? paperMissing('commission_proof')
  const taken = await takeBusinessDocument(db, drive, actor, { file, agencyId })
  const change = () =>
    transaction(db, async (tx) => {
      const due = await toPay(tx, actor, agencyId, input)
      if ('already' in due) return due.already
      return write(tx, actor, agencyId, due.rows, { ...input, proofId: await attach(tx, taken) })
    })
  const id = await keepPapers({ db, drive }, [taken], new Date(), change)
  announce(db, { people: [agencyId], desk: false })
  return id
}

/** The rows to be paid, locked; or the payout that this form already created. */
async function toPay(tx: Tx, actor: Actor, agencyId: string, input: Paying) {
  await lockAgency(tx, actor, agencyId)
  const already = await knownPayout(tx, agencyId, input)
  return already ? { already } : { rows: await chosen(tx, actor, agencyId, input) }
}

const wrong = (field: string, message: string) =>
  refuse('invalid-argument', field === 'lines' ? message : undefined, { errors: { [field]: message } })

/**
 * The payout that this very form created before. A form that was reopened and changed is refused: it has to be begun
 * again.
 */
async function knownPayout(db: Queryable, agencyId: string, input: Paying): Promise<string | null> {
  const [row] = await db
    .select()
    .from(commissionPayouts)
    .where(eq(commissionPayouts.requestKey, input.requestKey))
  if (!row) return null
  const isSame = [row.agencyId === agencyId, row.amount === input.amount, row.reference === input.reference]
  if (!isSame.every(Boolean))
    refuse(
      'already-exists',
      'Con este formulario ya registraste otro pago. Ábrelo de nuevo para registrar más.',
    )
  return row.id
}

/** The rows to be paid, locked, all of them as they were shown. */
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
    entity: 'commission_payout',
    entityId: payoutId,
    actorId: paidBy,
    name: 'pay',
    toState: 'paid',
    data: { agencyId, amount, rows: rows.length },
  })
  await enqueue(tx, 'letter', { letter: 'commission_paid', payoutId, to: 'allies' })
  return payoutId
}

/**
 * Creates an agency's commission for an installation that was just finished, in the transaction that finishes it: by
 * the current terms, on the accepted quote without IVA. None without an agency, an accepted quote or terms, nor a
 * second one for the same installation or quote. Returns whether it created one.
 */
export async function commissionFor(tx: Tx, { appointmentId }: { appointmentId: string }): Promise<boolean> {
  const [earned] = await tx
    .select({
      agencyId: agencies.id,
      allyId: clients.allyId,
      projectId: projects.id,
      quote: { id: quotes.id, content: quotes.content },
      option: sql<string>`coalesce(${quotes.acceptedOption}, '')`,
      addOns: quotes.acceptedAddOns,
      termsKind: agencies.commissionKind,
      termsValue: agencies.commissionValue,
      earnedAt: sql`${appointments.finishedAt}`.mapWith(appointments.finishedAt),
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(agencies, eq(agencies.id, projects.agencyId))
    .innerJoin(quotes, and(eq(quotes.projectId, projects.id), isAcceptedInstallation))
    .leftJoin(clients, and(eq(clients.customerId, projects.customerId), isNull(clients.endedAt)))
    .where(and(eq(appointments.id, appointmentId), isDone))
  if (!earned) return false
  const { addOns, option, quote, ...row } = earned
  const accepted = optionOf(quote.content, option)
  const basis = accepted ? totalsOfOption(accepted, addOns).net : 0
  const amount = commissionOf({ kind: row.termsKind, value: row.termsValue }, basis)
  if (amount === 0) return false
  const [written] = await tx
    .insert(commissions)
    .values({ ...row, kind: 'commission', appointmentId, quoteId: quote.id, basis, amount })
    .onConflictDoNothing()
    .returning({ id: commissions.id })
  if (!written) return false
  const data = { agencyId: row.agencyId, amount }
  await record(tx, { ...entityOf(written.id), actorId: null, name: 'earn', toState: 'pending', data })
  return true
}

const isDone = and(
  eq(appointments.service, 'installation'),
  eq(appointments.state, 'done'),
  eq(appointments.outcome, 'completed'),
)
const isAcceptedInstallation = and(eq(quotes.kind, 'installation'), eq(quotes.state, 'accepted'))
const entityOf = (entityId: string) => ({ entity: 'commission', entityId })

/** Approves the commissions whose waiting days are over and whose customers owe nothing; returns how many. */
export async function syncCommissions(db: Db, now: Date): Promise<number> {
  const { agencyId, earnedAt, id, projectId } = commissions
  // Days are counted by the calendar, so this may be some hours early: the rule checks each.
  const since = new Date(now.getTime() - (daysUntilApproved - 1) * 24 * 3_600_000)
  const waiting = await db
    .select({ agencyId, id, projectId })
    .from(commissions)
    .where(and(eq(commissions.kind, 'commission'), eq(commissions.state, 'pending'), lte(earnedAt, since)))
    .orderBy(asc(earnedAt), asc(id))
  const approved: string[] = []
  for (const one of waiting)
    if (await transaction(db, (tx) => approve(tx, one, now))) approved.push(one.agencyId)
  if (approved.length > 0) announce(db, { people: [...new Set(approved)], desk: false })
  return approved.length
}

/** With its adjustments, which wait with it. The amount owed comes from the project's ledger, its row locked. */
async function approve(
  tx: Tx,
  { agencyId, id, projectId }: { agencyId: string; id: string; projectId: string },
  now: Date,
): Promise<boolean> {
  await lockProject(tx, projectId)
  const [held] = await tx.select().from(commissions).where(eq(commissions.id, id)).for('update')
  if (held?.state !== 'pending') return false
  const { accepted, ledger } = await ledgerFactsOf(tx, projectId)
  const stands = accepted.some((quote) => quote.id === held.quoteId)
  if (notYetApproved({ finishedAt: held.earnedAt, owed: ledger.owed, stands }, now)) return false
  const state = commissionMachine.next('approve', 'system', held)
  const adjusting = tx.select({ id: commissions.id }).from(commissions).where(eq(commissions.adjustsId, id))
  for (const which of [eq(commissions.id, id), inArray(commissions.id, adjusting)])
    await tx
      .update(commissions)
      .set({ state, approvedAt: now, version: sql`${commissions.version} + 1` })
      .where(and(which, eq(commissions.state, 'pending')))
  const moved = { fromState: held.state, toState: state, data: { agencyId, amount: held.amount } }
  await record(tx, { ...entityOf(id), actorId: null, name: 'approve', ...moved })
  return true
}
