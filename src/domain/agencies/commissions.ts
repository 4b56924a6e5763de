import { type Actor, isManager, isSystem } from '../access/actor.ts'
import { addDays, localDate, toMinutes } from '../shared/calendar.ts'
import { machine, type StateFacts } from '../shared/state-machine.ts'
import type { CommissionTermKind as TermsKind } from './agency.ts'

export const commissionStateFacts = {
  pending: { label: 'Pendiente', plural: 'Pendientes de aprobar', tone: 'wait' },
  approved: { label: 'Aprobada', plural: 'Aprobadas, por pagar', tone: 'info' },
  paid: { label: 'Pagada', plural: 'Pagadas', tone: 'ok' },
} as const satisfies Record<string, StateFacts & { plural: string }>
export type CommissionState = keyof typeof commissionStateFacts
export const commissionStates = Object.keys(commissionStateFacts) as CommissionState[]

/** What a row of commissions is: earned by an installation, or taken off one. */
export const commissionKindLabels = { commission: 'Comisión', adjustment: 'Ajuste' } as const
export type CommissionKind = keyof typeof commissionKindLabels

/** What was agreed with an agency: hundredths of a percent of the price without IVA, or centavos for each installation. */
export type CommissionTerms = { kind: TermsKind; value: number }

/** Centavos that terms give on a price without IVA, half-up. */
export function commissionOf({ kind, value }: CommissionTerms, net: number): number {
  if (kind === 'amount') return value
  const product = BigInt(net) * BigInt(value)
  return Number((2n * product + 10_000n) / 20_000n)
}

/** How long after an installation its customer may still find fault with it before it counts as sold. */
export const daysUntilApproved = 15

/** The first local day on which the commission of an installation that was finished at an instant may be approved. */
export const approvableFrom = (finishedAt: Date) =>
  addDays(localDate(toMinutes(finishedAt)), daysUntilApproved)

/** What a commission's approval depends on. */
export type ApprovalFacts = {
  finishedAt: Date
  /** Centavos that its project's ledger still owes. */
  owed: number
  /** Whether the quote it was counted on is still accepted. */
  stands: boolean
}

/** Why a commission is not approved yet; null when it is time. */
export function notYetApproved({ finishedAt, owed, stands }: ApprovalFacts, now: Date) {
  if (!stands) return 'cancelled'
  if (owed > 0) return 'owed'
  return localDate(toMinutes(now)) < approvableFrom(finishedAt) ? 'early' : null
}

/** The manager settles with agencies. Nobody else sees a line of it: a percentage of one price would tell the price. */
export const settlesCommissions = isManager

/** An ally sees what their agency's months come to; a manager those of every agency. */
export const seesCommissionSums = (actor: Pick<Actor, 'kind'>) => isManager(actor) || actor.kind === 'alliate'

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

/** An adjustment of a commission waits as it does; of one that was paid it is taken off the next payout. */
export const stateOfAdjustment = (of: CommissionState): CommissionState => (of === 'paid' ? 'approved' : of)

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

/** What of a commission stands after its adjustments, which are negative: no adjustment takes more than that. */
export const commissionBalance = (amount: number, adjustments: readonly number[]) => amount + sum(adjustments)

/** A row as the sums see it; `on` is the local day of its installation, or the one it was adjusted on. */
export type SummedRow = { kind: CommissionKind; state: CommissionState; amount: number; on: string }
/** Money that went to an agency, `on` a local day. */
export type SummedPayout = { amount: number; on: string }

/** What rows come to by their state, and in all, in centavos. */
export type CommissionSums = Record<CommissionState, number> & { total: number }

/** What rows come to. */
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

/** What rows come to month by month, the last first; months without any are left out. */
export function sumsByMonth(rows: readonly SummedRow[]): (CommissionSums & { month: string })[] {
  const months = Map.groupBy(rows, ({ on }) => monthOf(on))
  return [...months]
    .map(([month, of]) => ({ month, ...sumsOf(of) }))
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
}

/** The account of one month: what was owed when it began, what it added, what was paid, and what is owed after it. */
export type Statement = {
  opening: number
  earned: number
  /** Not positive. */
  adjusted: number
  /** What went to the agency in that month, for whichever month it was. */
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
  const [earned, adjusted] = [of('commission'), of('adjustment')]
  const transferred = sum(payouts.filter(({ on }) => monthOf(on) === month).map(({ amount }) => amount))
  return { opening, earned, adjusted, transferred, closing: opening + earned + adjusted - transferred }
}

/** The name of the box of a line to pay; its value is what the line came to when it was shown. */
export const lineName = (id: string) => `line.${id}`
