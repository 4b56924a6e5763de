import { type Actor, isAlly, isManager, isSystem } from '../../access/rules/actor.ts'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import { dayIn } from '../../shared/format.ts'
import { machine, type StateFacts } from '../../shared/state-machine.ts'
import type { CommissionTermKind as TermsKind } from './agency.ts'

export const commissionStateFacts = {
  pending: { label: 'Pendiente', plural: 'Pendientes de aprobar', tone: 'wait' },
  approved: { label: 'Aprobada', plural: 'Aprobadas, por pagar', tone: 'info' },
  paid: { label: 'Pagada', plural: 'Pagadas', tone: 'ok' },
} as const satisfies Record<string, StateFacts & { plural: string }>
export type CommissionState = keyof typeof commissionStateFacts
export const commissionStates = Object.keys(commissionStateFacts) as CommissionState[]

/** The kind of a commission row: earned by an installation, or deducted from one. */
export const commissionKindLabels = { commission: 'Comisión', adjustment: 'Ajuste' } as const
export type CommissionKind = keyof typeof commissionKindLabels

/**
 * The terms agreed with an agency: hundredths of a percent of the price without IVA, or centavos for each installation.
 */
export type CommissionTerms = { kind: TermsKind; value: number }

/** The commission in centavos on a price without IVA, half-up. */
export function commissionOf({ kind, value }: CommissionTerms, net: number): number {
  if (kind === 'amount') return value
  const product = BigInt(net) * BigInt(value)
  return Number((2n * product + 10_000n) / 20_000n)
}

/** Days after an installation in which its customer may still report a fault before it counts as sold. */
export const daysUntilApproved = 15

/** The first local day on which the commission of an installation that was finished at an instant may be approved. */
export const approvableFrom = (finishedAt: Date) =>
  addDays(localDate(toMinutes(finishedAt)), daysUntilApproved)

/** The facts that a commission's approval depends on. */
export type ApprovalFacts = {
  finishedAt: Date
  /** Centavos still owed in its project's ledger. */
  owed: number
  /** Whether the quote it was calculated from is still accepted. */
  stands: boolean
}

/** Why a commission is not approved yet; null when it can be. */
export function notYetApproved({ finishedAt, owed, stands }: ApprovalFacts, now: Date) {
  if (!stands) return 'cancelled'
  if (owed > 0) return 'owed'
  return localDate(toMinutes(now)) < approvableFrom(finishedAt) ? 'early' : null
}

/** By which both sides name a row ("C-9F3A21BC"): it says nothing of the installation. */
export const commissionFolio = (id: string) => `C-${id.slice(-8).toUpperCase()}`

type Reconciled = { kind: CommissionKind; state: CommissionState; earnedAt: Date }
const unpaidWords = { pending: 'Por aprobar', approved: 'Por pagar' }

/** How far a row is, as its agency reads it, by the same states as the sums; `note` says when it may be approved. */
export function agencyState({ kind, state, earnedAt }: Reconciled, now: Date) {
  const { label, tone } = commissionStateFacts[state]
  const words = state === 'paid' ? label : unpaidWords[state]
  if (state !== 'pending' || kind === 'adjustment') return { words, tone, note: '' }
  const from = approvableFrom(earnedAt)
  const since = from > localDate(toMinutes(now)) ? `A partir del ${dayIn(from, now)}, c` : 'C'
  return { words, tone, note: `${since}uando su cliente termine de pagar` }
}

/** Only the manager settles with agencies and sees single lines: a percentage of one price would reveal the price. */
export const settlesCommissions = isManager

/** An ally sees the monthly sums of their agency, and its rows, with amounts of a fixed sum only; a manager all of every agency. */
export const seesCommissionSums = (actor: Pick<Actor, 'kind'>) => isManager(actor) || isAlly(actor)

const alreadyWords: Record<CommissionState, string> = {
  pending: 'Una de estas comisiones todavía no se aprueba.',
  approved: 'Esta comisión ya está aprobada.',
  paid: 'Una de estas comisiones ya se pagó. Revisa los pagos de la lista.',
}

/** The whole life of a row once it is written. */
export const commissionMachine = /* @__PURE__ */ machine<{ state: CommissionState }>()(
  {
    approve: { from: ['pending'], to: 'approved', by: isSystem },
    pay: { from: ['approved'], to: 'paid', by: settlesCommissions },
  },
  (state) => alreadyWords[state],
)

/** The state of a new adjustment: its commission's; where that is paid, the next payout deducts it. */
export const stateOfAdjustment = (of: CommissionState): CommissionState => (of === 'paid' ? 'approved' : of)

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

/** The balance of a commission after its adjustments, which are negative: no adjustment exceeds it. */
export const commissionBalance = (amount: number, adjustments: readonly number[]) => amount + sum(adjustments)

/** A row as the sums use it; `on` is the local day of its installation, or of the adjustment. */
export type SummedRow = { kind: CommissionKind; state: CommissionState; amount: number; on: string }
/** A payout to an agency; `on` is a local day. */
export type SummedPayout = { amount: number; on: string }

/** The sums of rows by state, and their total, in centavos. */
export type CommissionSums = Record<CommissionState, number> & { total: number }

export function sumsOf(rows: readonly Pick<SummedRow, 'amount' | 'state'>[]): CommissionSums {
  const of = (state: CommissionState) =>
    sum(rows.filter((row) => row.state === state).map(({ amount }) => amount))
  return {
    pending: of('pending'),
    approved: of('approved'),
    paid: of('paid'),
    total: sum(rows.map(({ amount }) => amount)),
  }
}

/** A month as addresses name it: "2026-11". */
export const monthPattern = /^20\d{2}-(0[1-9]|1[0-2])$/
/** The month of a local day: "2026-11". */
export const monthOf = (day: string) => day.slice(0, 7)

/** The sums of rows by month, the newest first; months without rows are left out. */
export function sumsByMonth(rows: readonly SummedRow[]): (CommissionSums & { month: string })[] {
  const months = Map.groupBy(rows, ({ on }) => monthOf(on))
  return [...months]
    .map(([month, of]) => ({ month, ...sumsOf(of) }))
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
}

/**
 * The statement of one month: the balance owed at its start, what it added, what was paid, and the balance at its end.
 */
export type Statement = {
  opening: number
  earned: number
  /** Zero or negative. */
  adjusted: number
  /** Paid to the agency in that month, for any month. */
  transferred: number
  closing: number
}

/** The statement of a month. The closing of one month is the opening of the next. */
export function statementOf(
  rows: readonly SummedRow[],
  payouts: readonly SummedPayout[],
  month: string,
): Statement {
  const before = <One extends { on: string; amount: number }>(all: readonly One[]) =>
    sum(all.filter(({ on }) => monthOf(on) < month).map(({ amount }) => amount))
  const within = rows.filter(({ on }) => monthOf(on) === month)
  const of = (kind: CommissionKind) =>
    sum(within.filter((row) => row.kind === kind).map(({ amount }) => amount))
  const opening = before(rows) - before(payouts)
  const earned = of('commission')
  const adjusted = of('adjustment')
  const transferred = sum(payouts.filter(({ on }) => monthOf(on) === month).map(({ amount }) => amount))
  return { opening, earned, adjusted, transferred, closing: opening + earned + adjusted - transferred }
}

/** The name of a payable line's box; its value is the line's amount as shown. */
export const lineName = (id: string) => `line.${id}`
