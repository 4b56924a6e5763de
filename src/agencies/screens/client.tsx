import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { StateBadge } from '../../appointments/screens/state-badge.tsx'
import { type ClientDetail, clientFor } from '../../customers/clients.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, FormDetails, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { StageLine } from '../../projects/screens/stage-line.tsx'
import { dateTime, formatPhone, shortDate } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { renewInvitation, withdrawClientInvitation } from '../client-invitations.ts'
import { clientSources } from '../rules/clients.ts'
import { invitationInput } from '../rules/referral-schema.ts'
import type { Route } from './+types/client.ts'
import { clientsPath } from './agency-paths.ts'
import { invitedAnswer } from './agency-server.ts'
import { StageBadge } from './badges.tsx'
import { calledIn, sinceOf, turnText } from './client-table.tsx'
import { InvitePanel } from './invite-panel.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, now, db } = signedIn(context)
    if (!actor.agencyId) refuse('not-found')
    const client = (await clientFor(db, actor, params.id, now)) ?? refuse('not-found')
    return { client, now }
  })

export const action = forms(({ context, params: { id } }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  return {
    invite: form(invitationInput.invite, async () =>
      invitedAnswer(context, await renewInvitation(db, actor, id, now)),
    ),
    withdraw: form(invitationInput.withdraw, async () => {
      await withdrawClientInvitation(db, actor, id, now)
      return redirectWithToast(
        clientsPath,
        'Retiraste la invitación',
        'Su enlace ya no sirve y borramos sus datos.',
      )
    }),
  }
})

/** One client as an ally may know them: progress, turn and appointments; of an invited client also the link. */
export default function Client({ actionData, loaderData: { client, now } }: Route.ComponentProps) {
  const invited = useLastActionData(actionData && 'invited' in actionData ? actionData.invited : undefined)
  return (
    <>
      <OrphanedFormError />
      <PageHeader
        title={calledIn(client)}
        subtitle={<StageBadge stage={client.stage} />}
        back={{ to: clientsPath, label: 'Clientes' }}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          {invited && <InvitePanel invited={invited} />}
          <Standing client={client} now={now} />
          {client.typed && <Invitation typed={client.typed} />}
        </div>
        <Appointments appointments={client.appointments} />
      </div>
    </>
  )
}

const Standing = ({ client, now }: { client: ClientDetail; now: Date }) => (
  <Card title="En qué va">
    {client.stage !== 'invited' && <StageLine stage={client.stage} />}
    <DefinitionList
      items={[
        { term: 'Referencia', value: client.reference },
        { term: 'Le toca a', value: turnText(client) },
        { term: 'Desde', value: sinceOf(client, now) },
        { term: 'Código', value: client.code && <span className="font-mono">{client.code}</span> },
        { term: 'Aliado', value: client.ally },
        { term: 'Llegó por', value: clientSources[client.source] },
        {
          term: client.stage === 'invited' ? 'Registrado' : 'Cliente desde',
          value: shortDate(client.createdAt),
        },
      ]}
    />
  </Card>
)

type InvitationProps = { typed: NonNullable<ClientDetail['typed']> }

/** What was typed at the counter, and what can still be done with the link. */
const Invitation = ({ typed: { email, endsAt, phone, vehicle } }: InvitationProps) => (
  <Card title="Su invitación">
    <DefinitionList
      items={[
        { term: 'Teléfono', value: phone && formatPhone(phone) },
        { term: 'Correo', value: email },
        { term: 'Auto', value: vehicle },
        { term: 'El enlace sirve hasta', value: shortDate(endsAt) },
      ]}
    />
    <p className="text-sm text-mute">
      Cada enlace nuevo sustituye al anterior. Cuando cree su cuenta, sus datos quedan solo en ella.
    </p>
    <Form intent="invite" className="sm:justify-items-start">
      <Submit>{email ? 'Reenviar invitación' : 'Hacer otro enlace'}</Submit>
    </Form>
    <FormDetails
      summary="Retirar invitación"
      intent="withdraw"
      intro={
        <p className="text-sm text-mute">
          Su enlace deja de servir, sale de tu lista y borramos sus datos. No se puede deshacer.
        </p>
      }
    >
      <Submit variant="ghost" className="justify-self-start">
        Retirar y borrar sus datos
      </Submit>
    </FormDetails>
  </Card>
)

const Appointments = ({ appointments }: Pick<ClientDetail, 'appointments'>) => (
  <Card title="Citas">
    {appointments.length === 0 && <p className="text-mute">Todavía no tiene citas.</p>}
    <ul className="grid gap-4">
      {appointments.map(({ service, startsAt, state }) => (
        <li
          key={`${service} ${startsAt.toISOString()} ${state}`}
          className="flex flex-wrap items-center justify-between gap-2 border-line not-first:border-t not-first:pt-4"
        >
          <span>
            {serviceFacts[service].label}
            <span className="block text-sm text-mute">{dateTime(startsAt)}</span>
          </span>
          <StateBadge state={state} service={service} />
        </li>
      ))}
    </ul>
  </Card>
)
