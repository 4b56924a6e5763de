import { Link } from '../../ui/link.tsx'
import { PhoneLine } from '../../ui/phone-line.tsx'
import { customerPath } from '../rules/pipeline.ts'

type CustomerLinkProps = {
  /** Null for a user who may not open the customer's page. */
  id: string | null
  children: string
}

/** A customer's name, which leads to their page; above the link of a whole row. */
export const CustomerLink = ({ children, id }: CustomerLinkProps) =>
  id ? (
    <Link
      to={customerPath(id)}
      prefetch="intent"
      discover="none"
      title={children}
      className="relative z-1 inline-flex min-h-6 items-center"
    >
      {children}
    </Link>
  ) : (
    children
  )

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
