import { customerOfProject } from '../../customers/queries.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { isId } from '../../platform/database/client.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import { refuse } from '../../shared/refusal.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { customersAccountPath, fromCustomer } from '../rules/paths.ts'
import type { Route } from './+types/project-account.ts'
import { officeAccount, officePaymentForms } from './forms.ts'
import { PaymentsPanel } from './payments-panel.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

/** The account of a project without a quote: the fee of its visit. Not found for users who may not see payments. */
export const loader = ({ context, params: { id }, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor } = signedIn(context)
    const [account, customerId] = await Promise.all([
      officeAccount(context, id),
      isFromCustomer(url) ? customerOfProject(db, actor, id) : null,
    ])
    return { account: account ?? refuse('not-found'), customerId }
  })

const isFromCustomer = (url: URL) => url.search === `?${fromCustomer}`

export const action = forms(({ context, params: { id }, url }: Route.ActionArgs) =>
  officePaymentForms({
    context,
    of: async () => (isId(id) ? id : null),
    here: isFromCustomer(url) ? customersAccountPath(id) : `/admin/cotizations/cobros/${id}`,
  }),
)

export default function ProjectAccount({ loaderData }: Route.ComponentProps) {
  const { account, customerId } = loaderData
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader
        title={`Cobros de ${account.payer}`}
        back={
          customerId
            ? { to: customerPath(customerId), label: account.payer }
            : { to: '/admin/cotizations', label: 'Cotizaciones' }
        }
      />
      <OrphanedFormError />
      <PaymentsPanel account={account} />
    </div>
  )
}
