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
