import { Store } from 'lucide-react'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { submit } from '../../kit/submit.ts'
import { refuse } from '../../shared/refusal.ts'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { addAgency } from '../agency-commands.ts'
import { editsAgencies } from '../rules/agency.ts'
import { agencyInput } from '../rules/schema.ts'
import type { Route } from './+types/add-agency.ts'
import { AgencyFields } from './agency-fields.tsx'

export const loader = ({ context }: Route.LoaderArgs) => ({ canEdit: editsAgencies(signedIn(context).actor) })

export const action = ({ request, context }: Route.ActionArgs) =>
  refusalsAsResponses(async () => {
    const { actor, db } = signedIn(context)
    // Checked before the form is read.
    if (!editsAgencies(actor)) refuse('permission-denied')
    return submit(request, agencyInput, async (details) => {
      const id = await addAgency(db, actor, details)
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
