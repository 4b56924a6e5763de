import { type CommissionState, commissionStateFacts } from '../../domain/agencies/commissions.ts'
import { money, percent } from '../../domain/shared/format.ts'
import type { ListedCommission } from '../../server/agencies/queries.ts'
import { Badge } from '../ui/badge.tsx'

/** The state of a commission. */
export function CommissionBadge({ state }: { state: CommissionState }) {
  const { label, tone } = commissionStateFacts[state]
  return <Badge tone={tone}>{label}</Badge>
}

/** An amount that stands under others. */
export const amount = (centavos: number) => (
  <span className="whitespace-nowrap tabular-nums">{money(centavos)}</span>
)

type Agreed = Pick<ListedCommission, 'basis' | 'termsKind' | 'termsValue'>
/** "10 % de $12,345.67", "$1,500.00 por instalación" */
export const agreedWords = ({ basis, termsKind, termsValue }: Agreed) =>
  termsKind === 'percent'
    ? `${percent(termsValue)} de ${money(basis)}`
    : `${money(termsValue)} por instalación`
