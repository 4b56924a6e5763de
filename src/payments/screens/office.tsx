import { Outlet, useLocation } from 'react-router'
import { movedFromQuery } from '../../kit/moved-from-query.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, signedIn } from '../../kit/request.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { type PaymentPart, paymentParts } from '../rules/payment.ts'
import { openSums } from '../sums.ts'
import type { Route } from './+types/office.ts'
import { paymentPartPath } from './office-path.ts'
import { OpenSums } from './open-sums.tsx'

export const handle = { announcesUpdates: true }

export const middleware = [
  movedFromQuery('parte', (part) =>
    Object.hasOwn(paymentParts, part) ? paymentPartPath(part as PaymentPart) : null,
  ),
]

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(() => {
    assertModule(context, 'payments')
    const { db, actor, now } = signedIn(context)
    return openSums(db, actor, now)
  })

const parts = Object.keys(paymentParts) as PaymentPart[]
const tabs = parts.map((name) => ({ name, label: paymentParts[name], to: paymentPartPath(name) }))

/** The company's money: what is open today, proofs to review, every payment, and what the bank says. */
export default function OfficePayments({ loaderData }: Route.ComponentProps) {
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1)
  return (
    <>
      <PageHeader title="Pagos" />
      <TabLinks
        label="Partes de pagos"
        tabs={tabs}
        current={parts.find((part) => part === last) ?? 'revision'}
      />
      {loaderData && <OpenSums sums={loaderData} />}
      <Outlet />
    </>
  )
}
