import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import type { PastEvent } from '../../platform/database/lists.ts'
import { dateTime, formatPhone, telLink, thousands } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { ActionBar } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { benefitLabels } from '../rules/agency.ts'
import { AgencyFields, type EditedAgency, typedTerm } from './agency-fields.tsx'
import type { loadDetails } from './agency-server.ts'

type AgencyDetailsProps = Awaited<ReturnType<typeof loadDetails>>

/** The profile of an agency: its editors write it, the others read it. */
export function AgencyProfile({ agency, allies, canEdit, events, signedIn }: AgencyDetailsProps) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {canEdit ? (
        <Form intent="edit" version={agency.version} className="gap-4">
          <AgencyFields agency={agency} />
          <ActionBar>
            <Submit>Guardar</Submit>
          </ActionBar>
        </Form>
      ) : (
        <AgencyFacts agency={agency} />
      )}
      <div className="grid gap-4">
        <AgencyAllies allies={allies} />
        {canEdit && <AgencySwitch agency={agency} signedIn={signedIn} />}
        {canEdit && events.length > 0 && <AgencyHistory events={events} />}
      </div>
    </div>
  )
}

/** What those who don't edit an agency read of it; its terms are not among that. */
function AgencyFacts({ agency }: { agency: EditedAgency }) {
  const { name, brand, contact, phone, email, address, municipality } = agency
  return (
    <Card title="Datos">
      <DefinitionList
        items={[
          { term: 'Nombre', value: name },
          { term: 'Marca', value: brand },
          { term: 'Persona de contacto', value: contact },
          { term: 'Teléfono', value: phone && <a href={telLink(phone)}>{formatPhone(phone)}</a> },
          { term: 'Correo electrónico', value: email && <a href={`mailto:${email}`}>{email}</a> },
          { term: 'Domicilio', value: address },
          { term: 'Alcaldía o municipio', value: municipality && municipalityLabel(municipality) },
        ]}
      />
    </Card>
  )
}

type AgencySwitchProps = {
  agency: EditedAgency
  /** How many of its allies have a session open. */
  signedIn: number
}

/** Deactivates an agency, after saying the effects, or activates it again. */
function AgencySwitch({ agency: { active, name, version }, signedIn }: AgencySwitchProps) {
  const result = useFormResult('switch')
  const form = (
    <Form intent="switch">
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="active" value={active ? 'no' : 'yes'} />
      <Submit variant={active ? 'destructive' : 'ghost'}>
        {active ? 'Sí, desactivar' : 'Activar concesionaria'}
      </Submit>
    </Form>
  )
  if (!active)
    return (
      <Card title="Está inactiva">
        <p className="text-[0.9375rem] text-mute">Sus aliados no pueden entrar y sus códigos no sirven.</p>
        {form}
      </Card>
    )
  return (
    <Card title="Está activa">
      <p className="text-[0.9375rem] text-mute">Sus aliados entran y sus códigos sirven.</p>
      <Dialog
        key={version}
        trigger="Desactivar"
        variant="ghost"
        title={`¿Desactivar ${name}?`}
        description={`${whoIsIn(signedIn)} Mientras esté inactiva, sus aliados no pueden entrar y sus códigos no sirven.`}
        defaultOpen={result !== undefined}
      >
        {form}
      </Dialog>
    </Card>
  )
}

function whoIsIn(count: number): string {
  if (count === 0) return 'Ninguno de sus aliados tiene la sesión abierta.'
  if (count === 1) return 'La sesión de 1 aliado se cierra en este momento.'
  return `Las sesiones de ${thousands(count)} aliados se cierran en este momento.`
}

type Ally = { id: string; name: string; active: boolean }

/** Who sells for an agency. */
export function AgencyAllies({ allies }: { allies: readonly Ally[] }) {
  return (
    <Card title="Aliados">
      {allies.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">Nadie tiene cuenta de esta concesionaria.</p>
      ) : (
        <ul className="grid gap-1">
          {allies.map(({ id, name, active }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-3">
              <Link
                to={`/admin/users/${id}`}
                className="flex min-h-11 min-w-0 items-center font-semibold wrap-anywhere text-brand underline underline-offset-2"
              >
                {name}
              </Link>
              {!active && <span className="text-sm text-mute">Inactiva</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const happened: Record<string, string> = {
  create: 'Alta',
  update: 'Cambio de datos',
  activate: 'Activada',
  deactivate: 'Desactivada',
  add_webhook: 'Nuevo destino de avisos',
  hand_over: 'Clientes y códigos pasados a otra persona',
  make_api_key: 'Llave nueva',
  revoke_api_key: 'Llave revocada',
  renew_webhook_secret: 'Secreto de avisos cambiado',
  start_webhook: 'Destino de avisos encendido',
  stop_webhook: 'Destino de avisos apagado',
}

type Shown = { label: string; words?: (value: unknown) => string }
const plain = String
const fields: Record<string, Shown> = {
  name: { label: 'Nombre' },
  brand: { label: 'Marca' },
  contact: { label: 'Contacto' },
  phone: { label: 'Teléfono', words: (value) => formatPhone(plain(value)) },
  email: { label: 'Correo' },
  address: { label: 'Domicilio' },
  municipality: { label: 'Alcaldía o municipio', words: (value) => municipalityLabel(plain(value)) },
  notes: { label: 'Notas' },
  commission: { label: 'Comisión', words: termWords },
  benefit: { label: 'Límite de los códigos', words: termWords },
}

function termWords(term: unknown): string {
  const { kind, value } = term as { kind: string; value: number }
  return typedTerm(kind, value) || (kind === 'free_visit' ? benefitLabels.free_visit : 'nada')
}

/** Who changed what of an agency, and when. */
function AgencyHistory({ events }: { events: readonly PastEvent[] }) {
  return (
    <Card title="Historial">
      <Timeline
        items={events.map(({ id, name, at, actor, data }) => ({
          key: id,
          title: happened[name] ?? name,
          note: `${dateTime(at)}, ${actor ?? 'el sistema'}`,
          children: <Changes data={data} />,
        }))}
      />
    </Card>
  )
}

type Change = { from: unknown; to: unknown }

function Changes({ data }: { data: unknown }) {
  const { changes, host } = (data ?? {}) as { changes?: Record<string, Change>; host?: string }
  if (!changes) return host ? <p className="wrap-anywhere">{host}</p> : null
  return (
    <ul className="grid gap-0.5">
      {Object.entries(changes).map(([field, { from, to }]) => (
        <li key={field} className="wrap-anywhere">
          {fields[field]?.label ?? field}: <span className="text-mute">{said(field, from)}</span> →{' '}
          {said(field, to)}
        </li>
      ))}
    </ul>
  )
}

function said(field: string, value: unknown): string {
  if (value === null || value === '') return 'nada'
  return (fields[field]?.words ?? plain)(value)
}
