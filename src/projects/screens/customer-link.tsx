import { Link } from '../../ui/link.tsx'
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
