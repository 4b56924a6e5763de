import { UserPlus } from 'lucide-react'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { LinkButton } from '../ui/button.tsx'
import type { FormResult } from '../ui/form.tsx'
import { useLastAnswer } from '../ui/last-answer.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Unheard } from '../ui/unheard.tsx'
import type { Route } from './+types/clients.ts'
import { ClientScreen } from './client-detail.tsx'
import { ClientList } from './client-list.tsx'
import { clientsAction } from './clients-action.ts'
import { loadClients } from './clients-loader.ts'
import { type Invited, InvitePanel } from './invite-panel.tsx'
import { clientPath, listPath, registerPath } from './list-query.ts'
import { RegisterForm } from './register-form.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, url }: Route.LoaderArgs) => load(() => loadClients({ context, url }))

export const action = ({ request, context, url }: Route.ActionArgs) =>
  load(() => clientsAction({ request, context, url }))

export default function Clients({ loaderData, actionData }: Route.ComponentProps) {
  const { client, form, list, now } = loaderData
  const invited = useLastAnswer(actionData && 'invited' in actionData ? actionData.invited : undefined)
  const result: FormResult | undefined = actionData && 'errors' in actionData ? actionData : undefined
  if (form) return invited ? <Registered invited={invited} /> : <RegisterForm {...form} result={result} />
  if (client) {
    const stands = client.typed !== null
    return (
      <>
        {!stands && <Unheard result={result} />}
        <ClientScreen {...{ client, invited, now }} result={stands ? result : undefined} />
      </>
    )
  }
  return list && <ClientList {...list} />
}

/** Somebody was registered: what is left is to send them their link. */
const Registered = ({ invited }: { invited: Invited }) => (
  <>
    <PageHeader
      title={`${invited.name} quedó en tu lista`}
      subtitle="Falta que reciba su enlace."
      back={{ to: listPath, label: 'Clientes' }}
    />
    <div className="grid max-w-2xl gap-4">
      <InvitePanel invited={invited} />
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <LinkButton variant="ghost" to={registerPath} reloadDocument>
          <UserPlus aria-hidden className="size-5" />
          Registrar a alguien más
        </LinkButton>
        <LinkButton variant="ghost" to={clientPath(invited.clientId)}>
          Ver en qué va
        </LinkButton>
      </div>
    </div>
  </>
)
