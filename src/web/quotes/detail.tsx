import { refuse } from '../../domain/refusal.ts'
import { db } from '../../server/context.ts'
import { quoteFor } from '../../server/quotes/detail.ts'
import { afterRefusal } from '../after-refusal.ts'
import { formWithFiles } from '../documents/form-with-files.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import type { Route } from './+types/detail.ts'
import { quoteDeskAction } from './desk-action.ts'
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
    return { quote }
  })

/** Each noun of the screen answers its own forms. */
export const action = async ({ request, context, params: { id } }: Route.ActionArgs) => {
  const sent = await formWithFiles(request)
  const here = `/admin/cotizations/detail-quote/${id}`
  return quoteDeskAction(sent.form, context, { id, here })
}

export default function QuoteDetailScreen({ loaderData: { quote }, actionData }: Route.ComponentProps) {
  return (
    <>
      <QuoteHeader quote={quote} />
      {quote.reads === 'all' ? <QuoteDesk quote={quote} result={actionData} /> : <QuoteScope quote={quote} />}
    </>
  )
}
