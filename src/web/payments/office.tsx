import { type PaymentPart, paymentParts } from '../../domain/payment-list.ts'
import { afterRefusal } from '../after-refusal.ts'
import { formWithFiles } from '../documents/form-with-files.ts'
import { load } from '../load.ts'
import { demandModule } from '../module.ts'
import { bankAction } from '../reconciliation/bank-action.ts'
import { BankPart } from '../reconciliation/bank-part.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import type { Route } from './+types/office.ts'
import { Book } from './book.tsx'
import { isOfficePayment } from './office-action.ts'
import { loadOffice } from './office-loader.ts'
import { officePath, partPath } from './office-path.ts'
import { ProofQueue } from './proof-queue.tsx'
import { reviewAction } from './review-action.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

/** The house's money: proofs to review, every payment, and what the bank says. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    demandModule(context, 'payments')
    return loadOffice({ context, url })
  })

export const action = async ({ request, context }: Route.ActionArgs) => {
  demandModule(context, 'payments')
  const sent = await formWithFiles(request)
  return isOfficePayment(sent.intent) ? reviewAction(sent, context, officePath) : bankAction(sent, context)
}

const tabs = (Object.keys(paymentParts) as PaymentPart[]).map((name) => ({
  ...{ name, label: paymentParts[name], to: partPath(name) },
}))

export default function OfficePayments({ loaderData, actionData }: Route.ComponentProps) {
  const { bank, book, now, part, queue } = loaderData
  return (
    <>
      <PageHeader title="Pagos" />
      <TabLinks label="Partes de pagos" tabs={tabs} current={part} />
      {queue && <ProofQueue queue={queue} now={now} result={actionData} />}
      {book && <Book {...book} />}
      {bank && <BankPart {...bank} now={now} result={actionData} />}
    </>
  )
}
