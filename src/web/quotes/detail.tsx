import { redirect } from 'react-router'
import { approvedHomeInput, quoteDeskInput } from '../../domain/quotes/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { invoiceDeskOfQuote } from '../../server/invoices/invoices-queries.ts'
import { fiscalOfQuote } from '../../server/invoices/queries.ts'
import { projectIdOfQuote } from '../../server/payments/payments-queries.ts'
import { approveHome, movableHome } from '../../server/projects/approve-home.ts'
import { placeOfCode } from '../../server/projects/postal-codes.ts'
import { cancelQuote } from '../../server/quotes/cancel.ts'
import { quoteFor } from '../../server/quotes/detail.ts'
import { openDraft } from '../../server/quotes/drafts.ts'
import { withdrawQuote } from '../../server/quotes/withdraw.ts'
import { fiscalReviewForms } from '../invoices/fiscal-forms.ts'
import { invoiceForms } from '../invoices/forms.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { load } from '../lib/load.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { someone } from '../lib/someone.ts'
import { form, forms } from '../lib/submit.ts'
import { officePaymentForms } from '../payments/forms.ts'
import { accountOfQuote } from '../payments/office-account.ts'
import type { Route } from './+types/detail.ts'
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
export const action = forms(({ context, params: { id } }: Route.ActionArgs) => {
  const here = `/admin/cotizations/detail-quote/${id}`
  return {
    ...quoteDeskForms(context, id, here),
    ...officePaymentForms({ context, here, of: (database) => projectIdOfQuote(database, id) }),
    ...fiscalReviewForms(context, id, here),
    ...invoiceForms(context, here),
  }
})

/** Begins the next version of a quote, withdraws or cancels it, or approves another home for it. */
function quoteDeskForms(context: Route.ActionArgs['context'], id: string, here: string) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const homeInput = approvedHomeInput((postalCode) => placeOfCode(database, postalCode))
  return {
    'revise-quote': form(quoteDeskInput['revise-quote'], async () => {
      const { appointmentId } = await openDraft(database, actor, id, now)
      return redirect(`/admin/cotizations/add-quote/${appointmentId}`, 303)
    }),
    'withdraw-quote': form(quoteDeskInput['withdraw-quote'], async (wish) => {
      await withdrawQuote(database, actor, id, wish, now)
      return toast(here, 'Retiraste la cotización', 'Le avisamos al cliente por correo.')
    }),
    'cancel-quote': form(quoteDeskInput['cancel-quote'], async (wish) => {
      await cancelQuote(database, actor, id, wish, now)
      return toast(here, 'La cotización quedó cancelada', 'Si pagó algo, revisa su reembolso.')
    }),
    'approve-home': form(homeInput, async ({ reason, stands, version, ...address }) => {
      await approveHome(database, actor, id, { address, reason, stands, version }, now)
      return toast(here, 'Aprobaste otro domicilio', 'Le avisamos al cliente por correo.')
    }),
  }
}

export default function QuoteDetailScreen({ loaderData }: Route.ComponentProps) {
  const { account, fiscal, quote } = loaderData
  useStepFocus([quote, fiscal, ...(account?.payments ?? [])].map((one) => one?.state).join())
  return (
    <>
      <QuoteHeader quote={quote} />
      {quote.reads === 'all' ? <QuoteDesk {...loaderData} quote={quote} /> : <QuoteScope quote={quote} />}
    </>
  )
}
