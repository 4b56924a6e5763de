import { Outlet, useLocation } from 'react-router'
import { type PaymentPart, paymentParts } from '../../domain/payments/payment.ts'
import { movedFromQuery } from '../lib/moved-from-query.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import { paymentPartPath } from './office-path.ts'

export const handle = { announcesUpdates: true }

export const middleware = [
  movedFromQuery('parte', (part) =>
    Object.hasOwn(paymentParts, part) ? paymentPartPath(part as PaymentPart) : null,
  ),
]

const parts = Object.keys(paymentParts) as PaymentPart[]
const tabs = parts.map((name) => ({ name, label: paymentParts[name], to: paymentPartPath(name) }))

/** The house's money: proofs to review, every payment, and what the bank says. */
export default function OfficePayments() {
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1)
  return (
    <>
      <PageHeader title="Pagos" />
      <TabLinks
        label="Partes de pagos"
        tabs={tabs}
        current={parts.find((part) => part === last) ?? 'revision'}
      />
      <Outlet />
    </>
  )
}
