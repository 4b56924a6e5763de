import { randomUUID } from 'node:crypto'
import { Contact, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { data, type RouterContextProvider } from 'react-router'
import { type ClientFilters, inviteLink } from '../../domain/agencies/clients.ts'
import { benefitFrom, benefitWords } from '../../domain/agencies/codes.ts'
import { clientInput, invitationInput } from '../../domain/agencies/referral-schema.ts'
import { thousands } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { renewInvitation, withdrawClientInvitation } from '../../server/agencies/invite.ts'
import {
  type ClientOptions,
  type ClientPage,
  clientFor,
  clientOptions,
  codesToGive,
  listClients,
  registerAtCounter,
} from '../../server/agencies/list.ts'
import { calendarSource, caller, db, site } from '../../server/app/context.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { ExportLink, listQuery, pageLinks, readFilters } from '../lib/lists.tsx'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { form, forms } from '../lib/submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Form, OrphanedFormError, useFormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { useLastActionData } from '../ui/use-last-action-data.ts'
import type { Route } from './+types/clients.ts'
import { ClientScreen, type Invited, InvitePanel } from './client-detail.tsx'
import { ClientFilterBar, ClientTable } from './client-table.tsx'
import { clientFilters, clientPath, clientsPath, registerPath } from './list-query.ts'

type Context = Readonly<RouterContextProvider>

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(() => loadClients({ context, url }))

/** What the address asks for: the list of the agency's clients, one of them, or the form that registers somebody. */
async function loadClients({ context, url }: Pick<Route.LoaderArgs, 'context' | 'url'>) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const agencyId = actor.agencyId ?? refuse('not-found')
  const id = url.searchParams.get('cliente')
  if (id !== null) {
    const client = (await clientFor(database, actor, id, now)) ?? refuse('not-found')
    return { list: null, form: null, client, now }
  }
  if (url.searchParams.has('registrar')) {
    const codes = await codesToGive(database, actor, now)
    const form = { codes, requestKey: randomUUID(), privacyUrl: context.get(site).privacyUrl }
    return { list: null, form, client: null, now }
  }
  const { after, filters } = readFilters(clientFilters, url)
  const [{ next, ...page }, options] = await Promise.all([
    listClients(database, actor, agencyId, { ...filters, ...(after && { after }) }, now),
    clientOptions(database, actor, agencyId),
  ])
  const list = { ...page, filters, options, now, ...pageLinks(filters, after, next) }
  return { list, form: null, client: null, now }
}

export const action = forms(({ context, url }: Route.ActionArgs) => {
  const id = url.searchParams.get('cliente')
  return id === null ? registerForms(context) : invitationForms(context, id)
})

function registerForms(context: Context) {
  const now = new Date()
  return {
    register: form(clientInput(now), async ({ client, requestKey }) => {
      const wish = { client, requestKey, consentVersion: context.get(caller).termsVersion }
      const { id, token } = await registerAtCounter(context.get(db), requireActor(context), wish, now)
      const { code, email, name, phone } = client
      return shownOnce(context, { id, token, code, name, phone, letter: email !== null })
    }),
  }
}

function invitationForms(context: Context, id: string) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  return {
    invite: form(invitationInput.invite, async () =>
      shownOnce(context, await renewInvitation(database, actor, id, now)),
    ),
    withdraw: form(invitationInput.withdraw, async () => {
      await withdrawClientInvitation(database, actor, id, now)
      return redirectWithToast(
        clientsPath,
        'Retiraste la invitación',
        'Su enlace ya no sirve y borramos sus datos.',
      )
    }),
  }
}

type Sent = { id: string; token: string; code: string | null } & Pick<Invited, 'name' | 'phone' | 'letter'>

function shownOnce(context: Context, { code, id, letter, name, phone, token }: Sent) {
  const address = context.get(calendarSource).baseUrl + inviteLink(token, code)
  return data({ invited: { clientId: id, name, phone, address, letter } satisfies Invited })
}

export default function Clients({ loaderData, actionData }: Route.ComponentProps) {
  const { client, form, list, now } = loaderData
  const invited = useLastActionData(actionData && 'invited' in actionData ? actionData.invited : undefined)
  if (form && invited) return <Registered invited={invited} />
  return (
    <>
      <OrphanedFormError />
      {form && <RegisterForm {...form} />}
      {client && <ClientScreen client={client} invited={invited} now={now} />}
      {list && <ClientList {...list} />}
    </>
  )
}

/** Somebody was registered: what is left is to send them their link. */
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

type ShownList = ClientPage & {
  filters: ClientFilters
  options: ClientOptions
  first: string | null
  now: Date
}

/** The clients of an ally's agency, with their filters and pages. */
function ClientList({ filters, first, next, now, options, rows, total }: ShownList) {
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Clientes"
        subtitle={`${thousands(total)} ${total === 1 ? 'cliente' : 'clientes'}`}
        // Where there is nobody yet, the sentence that says so has the one thing to do.
        actions={(total > 0 || isNarrowed) && <Actions query={listQuery(filters)} />}
      />
      {(rows.length > 0 || isNarrowed) && (
        <ClientFilterBar path={clientsPath} filters={filters} options={options} />
      )}
      {rows.length > 0 ? (
        <ClientTable rows={rows} now={now} pathOf={({ id }) => clientPath(id)} />
      ) : (
        <Nothing isNarrowed={isNarrowed} />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}

const Actions = ({ query }: { query: string }) => (
  <>
    <LinkButton to={registerPath}>
      <UserPlus aria-hidden className="size-5" />
      <span className="whitespace-nowrap">Registrar cliente</span>
    </LinkButton>
    <ExportLink to={`${clientsPath}.csv${query}`}>
      <span>
        <span className="max-sm:sr-only">Exportar </span>CSV
      </span>
    </ExportLink>
  </>
)

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={Contact}
    action={
      isNarrowed ? (
        <LinkButton variant="ghost" to={clientsPath}>
          Ver todos
        </LinkButton>
      ) : (
        <LinkButton to={registerPath}>Registrar cliente</LinkButton>
      )
    }
  >
    {isNarrowed
      ? 'No hay clientes con estos filtros.'
      : 'Todavía no hay clientes. Registra a quien esté en tu mostrador, o comparte el enlace de tu código: aquí verás en qué va cada uno.'}
  </EmptyState>
)

type Registering = {
  codes: Awaited<ReturnType<typeof codesToGive>>
  requestKey: string
  privacyUrl: string
}

/** Somebody at the counter, registered in a minute: who they are, their car, and that they agree. */
function RegisterForm({ codes, privacyUrl, requestKey }: Registering) {
  const result = useFormResult('register')
  // The screen may refresh by itself: the form goes on being the one that was begun.
  const [key] = useState(requestKey)
  return (
    <>
      <PageHeader
        title="Registrar cliente"
        subtitle="Le mandas un enlace y crea su cuenta desde su teléfono."
        back={{ to: clientsPath, label: 'Clientes' }}
      />
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
        </Card>
        <Card title="Su auto">
          <div className="grid gap-5 sm:grid-cols-3">
            <Field label="Marca" name="vehicleBrand" autoComplete="off" optional />
            <Field label="Modelo" name="vehicleModel" autoComplete="off" optional />
            <Field label="Año" name="vehicleYear" inputMode="numeric" autoComplete="off" optional />
          </div>
          {/* Also where the last one stopped serving meanwhile: that is said under it. */}
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
