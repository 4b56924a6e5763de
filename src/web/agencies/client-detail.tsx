import { MessageCircle } from 'lucide-react'
import { clientSources, inviteMessage } from '../../domain/agencies/clients.ts'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { dateTime, formatPhone, shortDate, whatsappLink } from '../../domain/shared/format.ts'
import type { ClientDetail } from '../../server/agencies/list.ts'
import { StateBadge } from '../appointments/state-badge.tsx'
import { useSite } from '../lib/site.ts'
import { StageLine } from '../projects/stage-line.tsx'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import { calledIn, sinceOf, turnText } from './client-words.ts'
import { clientsPath } from './list-query.ts'
import { StageBadge } from './stage-badge.tsx'

type ClientScreenProps = {
  client: ClientDetail
  invited: Invited | undefined
  now: Date
}

/** One client as an ally may know them: how far, whose turn, and the appointments; of who was invited also the link. */
export function ClientScreen({ client, invited, now }: ClientScreenProps) {
  return (
    <>
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

const Standing = ({ client, now }: Pick<ClientScreenProps, 'client' | 'now'>) => (
  <Card title="En qué va">
    {client.stage !== 'invited' && <StageLine stage={client.stage} />}
    <DefinitionList
      items={[
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

/** A link that was just made, and how it reaches the person; it is shown this once. */
export type Invited = { clientId: string; name: string; phone: string; address: string; letter: boolean }

/** The ways an invitation's link reaches somebody: WhatsApp, the clipboard, and the letter that is on its way already. */
export function InvitePanel({ invited: { address, letter, name, phone } }: { invited: Invited }) {
  const brand = useSite()?.brand ?? ''
  return (
    <Card title={`El enlace de ${name}`}>
      <Alert tone="ok" title={letter ? 'También va por correo' : 'Envíaselo ahora'}>
        {letter
          ? 'Le escribimos con este mismo enlace. Si quieres, mándaselo además por WhatsApp.'
          : 'No lo volvemos a mostrar. Si se pierde, haz otro en su página.'}
      </Alert>
      <p className="rounded-card bg-hover p-4 font-mono text-[0.9375rem] break-all">{address}</p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <a
          className={buttonClass()}
          href={whatsappLink(phone, inviteMessage(brand, address))}
          target="_blank"
          rel="noreferrer"
        >
          <MessageCircle aria-hidden className="size-5 shrink-0" />
          Enviar por WhatsApp
        </a>
        <CopyButton text={address} label="Copiar enlace" />
      </div>
      <p className="text-sm text-mute">
        Sirve 90 días y es de una sola persona. Al crear su cuenta con él queda como cliente tuyo.
      </p>
    </Card>
  )
}
