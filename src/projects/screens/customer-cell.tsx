import { PhoneLine } from '../../ui/phone-line.tsx'
import { CustomerLink } from './customer-link.tsx'

type CustomerCellProps = {
  row: { customer: string; customerId: string | null; home?: string | null; phone?: string | null }
}

/** Who a row of a list is about: by phone and home too, since names repeat. */
export const CustomerCell = ({ row: { customer, customerId, ...row } }: CustomerCellProps) => (
  <>
    <CustomerLink id={customerId}>{customer}</CustomerLink>
    <PhoneLine {...row} />
  </>
)
