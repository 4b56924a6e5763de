import { type ClientStage, clientStageLabels } from '../../domain/agencies/clients.ts'
import {
  type DeliveryState,
  deliveryLabels,
  eventLabels,
  faultLabels,
} from '../../domain/agencies/integrations.ts'
import { dateTime, thousands } from '../../domain/shared/format.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import type { ShownWebhooks } from '../../server/integrations/webhooks/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type Delivery = ShownWebhooks['deliveries'][number]

const toneOf: Record<DeliveryState, Tone> = { pending: 'wait', delivered: 'ok', dead: 'bad' }

const columns: readonly Column<Delivery>[] = [
  { header: 'Aviso', main: true, cell: (delivery) => <What {...delivery} /> },
  { header: 'Fecha', cell: ({ createdAt }) => dateTime(createdAt) },
  {
    header: 'Estado',
    cell: ({ state }) => <Badge tone={toneOf[state]}>{deliveryLabels[state]}</Badge>,
  },
  { header: 'Intentos', numeric: true, cell: ({ tries }) => thousands(tries) },
  { header: 'Respuesta', cell: (delivery) => <Answer {...delivery} /> },
  { header: 'Acción', cell: (delivery) => <Again {...delivery} /> },
]

/** How each message went, the newest first, and a way to send it again. */
export const WebhookDeliveries = ({ deliveries }: { deliveries: readonly Delivery[] }) => (
  <DataTable caption="Envíos a su sistema" columns={columns} rows={deliveries} rowKey={({ id }) => id} />
)

function What({ type, data, replayed, url }: Delivery) {
  const { from, to } = data as { from?: ClientStage; to?: ClientStage }
  return (
    <>
      <p>{from && to ? `${clientStageLabels[from]} → ${clientStageLabels[to]}` : eventLabels[type]}</p>
      <p className="text-sm font-normal text-mute">
        {new URL(url).host}
        {replayed && ', enviado otra vez'}
      </p>
    </>
  )
}

function Answer({ lastError, lastStatus, nextTryAt, state, tries }: Delivery) {
  const words = lastStatus ? `HTTP ${lastStatus}` : lastError ? faultLabels[lastError] : null
  return (
    <>
      {words && <p>{words}</p>}
      {state === 'pending' && nextTryAt && tries > 0 && (
        <p className="text-sm text-mute">Siguiente intento: {dateTime(nextTryAt)}</p>
      )}
    </>
  )
}

const Again = ({ endpointActive, id, state }: Delivery) =>
  state !== 'pending' &&
  endpointActive && (
    <Form intent="webhooks.replay" target={{ deliveryId: id }}>
      <Submit variant="ghost">Enviar de nuevo</Submit>
    </Form>
  )
