import { benefitLabels } from '../../domain/agencies/agency.ts'
import { dateTime, formatPhone } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { PastEvent } from '../../server/platform/database/queries.ts'
import { Card } from '../ui/card.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { typedTerm } from './agency-fields.tsx'

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
export function AgencyHistory({ events }: { events: readonly PastEvent[] }) {
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
