import { refuse } from '../../domain/refusal.ts'
import { movableHome } from '../../server/addresses/approve-home.ts'
import { db } from '../../server/context.ts'
import { fiscalOfQuote } from '../../server/fiscal/queries.ts'
import { invoiceDeskOfQuote } from '../../server/invoices/queries.ts'
import { quoteFor } from '../../server/quotes/detail.ts'
import { afterRefusal } from '../after-refusal.ts'
import { formWithFiles } from '../documents/form-with-files.ts'
import { fiscalReviewAction, isFiscalReview } from '../fiscal/fiscal-action.ts'
import { invoiceAction, isAboutInvoices } from '../invoices/invoice-action.ts'
import { load } from '../load.ts'
import { useStepFocus } from '../navigation-focus.ts'
import { accountOfQuote } from '../payments/office-account.ts'
import { isOfficePayment, officePaymentAction, projectOfQuote } from '../payments/office-action.ts'
import { someone } from '../someone.ts'
import type { Route } from './+types/detail.ts'
import { approveHomeAction, quoteDeskAction } from './desk-action.ts'
import { QuoteDesk } from './quote-desk.tsx'
import { QuoteHeader } from './quote-header.tsx'
import { QuoteScope } from './quote-scope.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

/** A quote as each kind of staff may read it; what hangs on it is loaded for those who read all of it. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const quote = (await quoteFor(database, actor, params.id, now)) ?? refuse('not-found')
    const readsAll = quote.reads === 'all'
    return {
      quote,
      fiscal: readsAll ? await fiscalOfQuote(database, actor, params.id) : null,
      invoicing: readsAll ? await invoiceDeskOfQuote(database, actor, params.id) : null,
      account: readsAll ? await accountOfQuote(context, params.id) : null,
      home: readsAll ? await movableHome(database, actor, params.id) : null,
    }
  })

/** Each noun of the screen answers its own forms. */
export const action = async ({ request, context, params: { id } }: Route.ActionArgs) => {
  const sent = await formWithFiles(request)
  const here = `/admin/cotizations/detail-quote/${id}`
  if (isOfficePayment(sent.intent))
    return officePaymentAction({ sent, context, here, of: projectOfQuote(id) })
  if (isFiscalReview(sent.intent)) return fiscalReviewAction(sent.form, context, { id, here })
  if (isAboutInvoices(sent.intent)) return invoiceAction(sent, context, here)
  if (sent.intent === 'approve-home') return load(() => approveHomeAction(sent.form, context, { id, here }))
  return quoteDeskAction(sent.form, context, { id, here })
}

export default function QuoteDetailScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { account, fiscal, home, invoicing, quote } = loaderData
  useStepFocus([quote, fiscal, ...(account?.payments ?? [])].map((one) => one?.state).join())
  return (
    <>
      <QuoteHeader quote={quote} />
      {quote.reads === 'all' ? (
        <QuoteDesk {...{ quote, fiscal, home, invoicing, account }} result={actionData} />
      ) : (
        <QuoteScope quote={quote} />
      )}
    </>
  )
}
