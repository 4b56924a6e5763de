import { refuse } from '../../domain/refusal.ts'
import { db } from '../../server/context.ts'
import { isId } from '../../server/database/ids.ts'
import { payerOf } from '../../server/payments/queries.ts'
import { afterRefusal } from '../after-refusal.ts'
import { formWithFiles } from '../documents/form-with-files.ts'
import { guardedAs } from '../layouts/guarded.ts'
import { load } from '../load.ts'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/project-account.ts'
import { officeAccount } from './office-account.ts'
import { officePaymentAction } from './office-action.ts'
import { PaymentsPanel } from './payments-panel.tsx'

export const handle = { announcesUpdates: true }

export const middleware = [guardedAs('/admin/cotizations')]

export const shouldRevalidate = afterRefusal

/** The account of a project that has no quote yet: the fee of its visit. Who may not see payments finds nothing. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const account = (await officeAccount(context, params.id)) ?? refuse('not-found')
    return { account, payer: await payerOf(context.get(db), params.id) }
  })

export const action = async ({ request, context, params }: Route.ActionArgs) =>
  officePaymentAction({
    ...{ sent: await formWithFiles(request), context, of: async () => (isId(params.id) ? params.id : null) },
    here: `/admin/cotizations/cobros/${params.id}`,
  })

export default function ProjectAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { account, payer } = loaderData
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader title={`Cobros de ${payer}`} back={{ to: '/admin/cotizations', label: 'Cotizaciones' }} />
      <PaymentsPanel account={account} result={actionData} />
    </div>
  )
}
