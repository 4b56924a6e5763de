import { refuse } from '../../domain/shared/refusal.ts'
import { isId } from '../../server/platform/database/client.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/project-account.ts'
import { officeAccount, officePaymentForms } from './forms.ts'
import { PaymentsPanel } from './payments-panel.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

/** The account of a project without a quote: the fee of its visit. Not found for users who may not see payments. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    return { account: (await officeAccount(context, params.id)) ?? refuse('not-found') }
  })

export const action = forms(({ context, params: { id } }: Route.ActionArgs) =>
  officePaymentForms({
    context,
    of: async () => (isId(id) ? id : null),
    here: `/admin/cotizations/cobros/${id}`,
  }),
)

export default function ProjectAccount({ loaderData }: Route.ComponentProps) {
  const { account } = loaderData
  return (
    <div className="grid max-w-3xl gap-6">
      <PageHeader
        title={`Cobros de ${account.payer}`}
        back={{ to: '/admin/cotizations', label: 'Cotizaciones' }}
      />
      <OrphanedFormError />
      <PaymentsPanel account={account} />
    </div>
  )
}
