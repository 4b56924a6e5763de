/** What a row of commissions is: earned by an installation, or taken off one. */
export type CommissionKind = 'commission' | 'adjustment'

export const commissionStates = {
  pending: 'Pendiente',
  approved: 'Aprobada',
  paid: 'Pagada',
} as const
export type CommissionState = keyof typeof commissionStates
