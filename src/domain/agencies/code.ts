import { localDate, toMinutes } from '../shared/calendar.ts'
import { money, percent } from '../shared/format.ts'
import type { BenefitKind } from './agency.ts'

export const codeStates = {
  draft: 'Borrador',
  active: 'Activo',
  paused: 'En pausa',
  exhausted: 'Agotado',
  expired: 'Vencido',
  revoked: 'Revocado',
} as const
export type CodeState = keyof typeof codeStates

/** What a code gives: `value` in hundredths of a percent, or in centavos before IVA. */
export type Benefit =
  | { kind: Extract<BenefitKind, 'none' | 'free_visit'> }
  | { kind: Extract<BenefitKind, 'percent' | 'amount'>; value: number }

/** A benefit as its two columns hold it. */
export const benefitFrom = ({ kind, value }: { kind: BenefitKind; value: number }): Benefit =>
  kind === 'percent' || kind === 'amount' ? { kind, value } : { kind }

/** "10 % de descuento", "$1,000.00 de descuento antes de IVA", "Visita técnica gratis". */
export function benefitWords(benefit: Benefit): string {
  switch (benefit.kind) {
    case 'none':
      return 'Sin beneficio'
    case 'percent':
      return `${percent(benefit.value)} de descuento`
    case 'amount':
      return `${money(benefit.value)} de descuento antes de IVA`
    case 'free_visit':
      return 'Visita técnica gratis'
  }
}

/** Whether an agency's limit allows a benefit; only the manager gives more. A limit of one kind says nothing of another. */
export function isWithin(benefit: Benefit, limit: Benefit): boolean {
  if (benefit.kind === 'none') return true
  if (benefit.kind !== limit.kind) return false
  return 'value' in benefit && 'value' in limit ? benefit.value <= limit.value : true
}

/** The day of the moment, in Mexico City. */
const today = (now: Date) => localDate(toMinutes(now))

/** Whether a code's last day is over. */
export const isCodeOver = ({ endsOn }: { endsOn: string | null }, now: Date) =>
  endsOn !== null && endsOn < today(now)

/** The states that end with a code's last day. */
export const endingStates = ['draft', 'active', 'paused'] as const satisfies readonly CodeState[]

/** The states that end for good: nothing leaves them. */
export const endedCodeStates = ['expired', 'revoked'] as const satisfies readonly CodeState[]

/** How a code stands: one whose last day is over counts as expired, also before anything says so. */
export const codeStateBy = (
  { endsOn, state }: { state: CodeState; endsOn: string | null },
  now: Date,
): CodeState => (endingStates.some((one) => one === state) && isCodeOver({ endsOn }, now) ? 'expired' : state)
