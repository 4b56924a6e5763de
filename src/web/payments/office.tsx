import { type PaymentPart, paymentParts } from '../../domain/payments/payment.ts'
import { formWithFiles } from '../documents/form-with-files.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { demandModule } from '../lib/module.ts'
import { forms } from '../lib/submit.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import type { Route } from './+types/office.ts'
import { bankAction } from './bank-action.ts'
import { BankPart } from './bank-part.tsx'
import { Book } from './book.tsx'
import { proofForms } from './forms.ts'
import { loadOffice } from './office-loader.ts'
import { officePath, partPath } from './office-path.ts'
import { ProofQueue } from './proof-queue.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

/** The house's money: proofs to review, every payment, and what the bank says. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    demandModule(context, 'payments')
    return loadOffice({ context, url })
  })

const answerProof = forms(({ context }: Route.ActionArgs) => proofForms(context, officePath))

export const action = async (args: Route.ActionArgs) => {
  demandModule(args.context, 'payments')
  const sent = await formWithFiles(args.request)
  return sent.intent.endsWith('-proof') ? answerProof(args) : bankAction(sent, args.context)
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
      {queue && <ProofQueue queue={queue} now={now} />}
      {book && <Book {...book} />}
      {bank && <BankPart {...bank} now={now} result={actionData} />}
    </>
  )
}
