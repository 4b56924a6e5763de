import { randomUUID } from 'node:crypto'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { codesToGive, registerAtCounter } from '../../customers/clients.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { refuse } from '../../shared/refusal.ts'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { agencyFor } from '../agency-queries.ts'
import { benefitFrom, benefitWords } from '../rules/codes.ts'
import { clientInput } from '../rules/referral-schema.ts'
import type { Route } from './+types/register-client.ts'
import { clientPath, clientsPath, registerPath } from './agency-paths.ts'
import { invitedAnswer, ownLinkOf } from './agency-server.ts'
import { type Invited, InvitePanel, type OwnLink, OwnLinkPanel } from './invite-panel.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, db, site } = signedIn(context)
    if (!actor.agencyId) refuse('not-found')
    const [codes, agency] = await Promise.all([
      codesToGive(db, actor, new Date()),
      agencyFor(db, actor, actor.agencyId),
    ])
    const link = ownLinkOf(context, codes[0], agency?.name ?? '')
    return { codes, link, requestKey: randomUUID(), privacyUrl: site.privacyUrl }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const now = new Date()
  return {
    register: form(clientInput(now), async ({ client, requestKey }) => {
      const { caller, db, actor } = signedIn(context)
      const input = { client, requestKey, consentVersion: caller.termsVersion }
      const { id, token } = await registerAtCounter(db, actor, input, now)
      const { code, email, name, phone } = client
      return invitedAnswer(context, { id, token, code, name, phone, letter: email !== null })
    }),
  }
})

export default function RegisterClient({ loaderData, actionData }: Route.ComponentProps) {
  const invited = useLastActionData(actionData && 'invited' in actionData ? actionData.invited : undefined)
  if (invited) return <Registered invited={invited} />
  return (
    <>
      <OrphanedFormError />
      <RegisterForm {...loaderData} />
    </>
  )
}

/** The client is registered: what remains is to send them their link. */
const Registered = ({ invited }: { invited: Invited }) => (
  <>
    <PageHeader
      title={`${invited.name} quedó en tu lista`}
      subtitle="Falta que reciba su enlace."
      back={{ to: clientsPath, label: 'Clientes' }}
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

type Registering = {
  codes: Awaited<ReturnType<typeof codesToGive>>
  link: OwnLink | null
  requestKey: string
  privacyUrl: string
}

/** Registers a client at the counter in a minute: who they are, their car, and their consent. */
function RegisterForm({ codes, link, privacyUrl, requestKey }: Registering) {
  const result = useFormResult('register')
  // The screen may refresh by itself: the form keeps its request key.
  const [key] = useState(requestKey)
  return (
    <>
      <PageHeader
        title="Registrar cliente"
        subtitle="Le mandas un enlace y crea su cuenta desde su teléfono."
        back={{ to: clientsPath, label: 'Clientes' }}
      />
      {link && (
        <Details summary="Que se registre desde su teléfono" className="max-w-2xl">
          <OwnLinkPanel link={link} />
        </Details>
      )}
      <Form intent="register" className="max-w-2xl">
        <input type="hidden" name="requestKey" value={result?.values.requestKey ?? key} />
        <Card title="Quién es">
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Nombre" name="name" autoComplete="off" autoCapitalize="words" enterKeyHint="next" />
            <Field
              label="Teléfono"
              name="phone"
              type="tel"
              inputMode="tel"
              autoComplete="off"
              enterKeyHint="next"
            />
          </div>
          <Field
            label="Correo electrónico"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            enterKeyHint="next"
            optional
            help="Si lo das, también le llega el enlace por correo."
          />
          <Field
            label="Referencia"
            name="reference"
            maxLength={64}
            autoComplete="off"
            optional
            help="Su número en tu sistema, para encontrarlo después."
          />
        </Card>
        <Card title="Su auto">
          <div className="grid gap-5 sm:grid-cols-3">
            <Field label="Marca" name="vehicleBrand" autoComplete="off" optional />
            <Field label="Modelo" name="vehicleModel" autoComplete="off" optional />
            <Field label="Año" name="vehicleYear" inputMode="numeric" autoComplete="off" optional />
          </div>
          {/* Also where the last code ended meanwhile: the field's error says so. */}
          {(codes.length > 0 || result?.errors.code) && <CodeSelect codes={codes} />}
        </Card>
        <Checkbox
          name="consent"
          value="yes"
          label="Está de acuerdo en que guardemos sus datos para enviarle su enlace"
        />
        <p className="text-sm text-mute">
          Muéstrale el{' '}
          <a href={privacyUrl} target="_blank" rel="noreferrer">
            aviso de privacidad
          </a>
          . Si no crea su cuenta en 90 días, borramos lo que escribiste.
        </p>
        <ActionBar>
          <Submit>Registrar y crear enlace</Submit>
        </ActionBar>
      </Form>
    </>
  )
}

const CodeSelect = ({ codes }: Pick<Registering, 'codes'>) => (
  <Select
    label="Código"
    name="code"
    placeholder="Sin código"
    optional
    options={codes.map(({ code, kind, value }) => ({
      value: code,
      label: `${code} · ${benefitWords(benefitFrom({ kind, value }))}`,
    }))}
    defaultValue={codes[0]?.code}
  />
)
