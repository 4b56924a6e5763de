import { Store } from 'lucide-react'
import { editsAgencies } from '../../domain/agencies/agency.ts'
import { agencyInput } from '../../domain/agencies/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { addAgency } from '../../server/agencies/agency-commands.ts'
import { db } from '../../server/app/context.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { submit } from '../lib/submit.ts'
import { ActionBar, LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/add-agency.ts'
import { AgencyFields } from './agency-fields.tsx'

export const loader = ({ context }: Route.LoaderArgs) => ({ canEdit: editsAgencies(requireActor(context)) })

export const action = ({ request, context }: Route.ActionArgs) =>
  refusalsAsResponses(async () => {
    const actor = requireActor(context)
    // Checked before the form is read.
    if (!editsAgencies(actor)) refuse('permission-denied')
    return submit(request, agencyInput, async (details) => {
      const id = await addAgency(context.get(db), actor, details)
      return redirectWithToast(`/admin/agency/${id}`, 'Concesionaria registrada', details.name)
    })
  })

const back = { to: '/admin/agencies', label: 'Consecionarias' }

export default function AddAgency({ loaderData: { canEdit }, actionData }: Route.ComponentProps) {
  if (!canEdit) return <NotYours />
  return (
    <>
      <PageHeader title="Nueva concesionaria" back={back} />
      <Form result={actionData} className="max-w-3xl">
        <AgencyFields agency={null} />
        <ActionBar>
          <Submit>Registrar concesionaria</Submit>
        </ActionBar>
      </Form>
    </>
  )
}

function NotYours() {
  return (
    <>
      <PageHeader title="Nueva concesionaria" back={back} />
      <EmptyState
        icon={Store}
        action={
          <LinkButton variant="ghost" to="/admin/agencies">
            Ver concesionarias
          </LinkButton>
        }
      >
        Solo la gerencia da de alta concesionarias
      </EmptyState>
    </>
  )
}
