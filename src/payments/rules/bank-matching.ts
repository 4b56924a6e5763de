import { refuse } from '../../shared/refusal.ts'
import { machine, type TransitionOf } from '../../shared/state-machine.ts'
import { type PaymentState, reviewsPayments } from './payment.ts'

/** The states of a bank movement. */
export const bankLineStates = {
  open: 'Sin identificar',
  settled: 'Pago registrado',
  recorded: 'Ya estaba registrado',
  ignored: 'No es un pago',
} as const
export type BankLineState = keyof typeof bankLineStates

/** Who reconciles the bank with the payments: those who review payments. */
export const reconciles = reviewsPayments

const alreadyWords: Record<BankLineState, string> = {
  open: 'Ese movimiento vuelve a estar sin identificar.',
  settled: 'Con ese movimiento ya se registró un pago.',
  recorded: 'Ese movimiento ya tiene su pago.',
  ignored: 'Alguien ya dijo que ese movimiento no es un pago.',
}

/** The transitions of a movement: it settles a payment, matches a recorded one, or is ignored; all can be undone. */
export const bankLineMachine = /* @__PURE__ */ machine<{ state: BankLineState }>()(
  {
    settle: { from: ['open'], to: 'settled', by: reconciles },
    tie: { from: ['open'], to: 'recorded', by: reconciles },
    ignore: { from: ['open'], to: 'ignored', by: reconciles },
    reopen: { from: ['ignored'], to: 'open', by: reconciles },
    /** Its payment was reversed: the movement is matched again. */
    free: { from: ['settled'], to: 'open', by: reconciles },
    untie: { from: ['recorded'], to: 'open', by: reconciles },
  },
  (state) => alreadyWords[state],
)
export type BankLineMove = TransitionOf<typeof bankLineMachine>

/** A file may be removed as long as none of its movements is decided. */
export function assertUndecided(states: readonly BankLineState[]): void {
  if (states.some((state) => state === 'settled' || state === 'recorded'))
    refuse(
      'failed-precondition',
      'Un movimiento de este archivo ya es un pago: ya no se puede deshacer la importación.',
    )
  if (states.includes('ignored'))
    refuse(
      'failed-precondition',
      'Alguien quitó de la lista movimientos de este archivo. Regrésalos a ella y vuelve a intentarlo.',
    )
}

/** A movement without a match. */
export type OpenLine = {
  id: string
  bookedOn: string
  /** Centavos. */
  amount: number
  description: string
  reference: string
  trackingKey: string | null
}

/** A payment that may match: a pending one, or a recorded transfer without a movement. */
export type Candidate = {
  id: string
  folio: string
  state: PaymentState
  /** Of a recorded transfer all of it, with the part in a row of its own that exceeded what was asked for. */
  amount: number
  trackingKey: string | null
  /** The local day on which it was recorded as received; null for a pending payment. */
  paidOn: string | null
}

/** Why a movement and a payment are matched. */
export const matchReasons = {
  key: 'Misma clave de rastreo y misma cantidad',
  folio: 'Mismo folio y misma cantidad',
  other_amount: 'Misma clave de rastreo, con otra cantidad',
  folio_other_amount: 'El movimiento dice su folio, con otra cantidad',
  amount: 'Solo coincide la cantidad',
} as const
type MatchReason = keyof typeof matchReasons

export type Match<Payment extends Candidate = Candidate> = {
  lineId: string
  payment: Payment
  reason: MatchReason
  /** Whether it needs no review: the reference and the amount agree. */
  sure: boolean
}

/** The reasons of matches that can be confirmed together. */
const sureReasons: readonly MatchReason[] = ['key', 'folio']

/** The words of a movement that may identify a payment: in capitals, without punctuation. */
export const wordsIn = ({ description, reference, trackingKey }: OpenLine) =>
  new Set(
    [trackingKey ?? '', ...`${description} ${reference}`.toUpperCase().split(/[^A-Z0-9]+/)].filter(
      (word) => word.length > 0,
    ),
  )

/** The folios of payments that a movement names, as they are stored: "pag 2026 12" does not, "PAG2026-00012" does. */
export const foliosIn = ({ description, reference, trackingKey }: OpenLine): ReadonlySet<string> =>
  new Set(
    [...`${description} ${reference} ${trackingKey ?? ''}`.matchAll(namedFolio)].map(
      ([, year, number]) => `PAG-${year}-${number}`,
    ),
  )
const namedFolio = /pag[^a-z0-9]{0,3}(20\d\d)[^a-z0-9]{0,3}(\d{5,7})(?!\d)/gi

/** Proposes at most one payment for each movement, the surest first. Pure: nothing is written. */
export function matchesOf<Payment extends Candidate>(
  lines: readonly OpenLine[],
  payments: readonly Payment[],
): Match<Payment>[] {
  const told = lines.map((line) => ({ line, words: wordsIn(line), folios: foliosIn(line) }))
  const found = new Map<string, Match<Payment>>()
  const taken = new Set<string>()
  const pair = (line: OpenLine, payment: Payment | undefined, reason: MatchReason) => {
    if (!payment || found.has(line.id) || taken.has(payment.id)) return
    taken.add(payment.id)
    found.set(line.id, { lineId: line.id, payment, reason, sure: sureReasons.includes(reason) })
  }
  const free = (fits: (payment: Payment) => boolean) =>
    payments.find((payment) => !taken.has(payment.id) && fits(payment))
  for (const { line, words } of told)
    pair(
      line,
      free((one) => isNamed(one, words) && one.amount === line.amount),
      'key',
    )
  for (const { folios, line } of told)
    pair(
      line,
      free((one) => folios.has(one.folio) && one.amount === line.amount),
      'folio',
    )
  for (const { line, words } of told)
    pair(
      line,
      free((one) => one.state !== 'paid' && isNamed(one, words)),
      'other_amount',
    )
  for (const { folios, line } of told)
    pair(
      line,
      free((one) => one.state !== 'paid' && folios.has(one.folio)),
      'folio_other_amount',
    )
  for (const { line } of told) pair(line, onlyOf(line, lines, payments, found, taken), 'amount')
  return lines.flatMap(({ id }) => found.get(id) ?? [])
}

const isNamed = ({ trackingKey }: Candidate, words: ReadonlySet<string>) =>
  trackingKey !== null && words.has(trackingKey.toUpperCase())

/** How many days the bank's date may differ from the date that the customer gave. */
export const recordedWithinDays = 31

/**
 * The only payment of this amount, where this is also the only remaining movement of it. A transfer recorded around
 * that day without a movement counts as well, whatever its key: a mistyped key matches no movement.
 */
function onlyOf<Payment extends Candidate>(
  { amount, bookedOn }: OpenLine,
  lines: readonly OpenLine[],
  payments: readonly Payment[],
  found: ReadonlyMap<string, unknown>,
  taken: ReadonlySet<string>,
): Payment | undefined {
  const alike = lines.filter((line) => line.amount === amount && !found.has(line.id))
  const fit = payments.filter(
    (one) => one.amount === amount && !taken.has(one.id) && isAround(one.paidOn, bookedOn),
  )
  return alike.length === 1 && fit.length === 1 ? fit[0] : undefined
}

const isAround = (paidOn: string | null, bookedOn: string) =>
  paidOn === null ||
  Math.abs(Date.parse(paidOn) - Date.parse(bookedOn)) <= recordedWithinDays * 24 * 3_600_000
