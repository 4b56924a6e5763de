import type { ComponentProps } from 'react'
import type { ShownWebhooks } from '../../integrations/webhooks/endpoints.ts'
import { Field } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { dateTime, thousands } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { type ClientStage, clientStageLabels } from '../rules/clients.ts'
import {
  bothSecretsHours,
  type DeliveryState,
  deliveryLabels,
  eventLabels,
  faultLabels,
  stopLabels,
} from '../rules/integrations.ts'
import { ShownSecret } from './agency-keys.tsx'

type AgencyWebhooksProps = Omit<ShownWebhooks, 'older'> & {
  first: string | null
  next: string | null
  secret: string | null
}

/** Where an agency's events go, and how each of them went. */
export function AgencyWebhooks({ endpoints, deliveries, first, next, secret }: AgencyWebhooksProps) {
  return (
    <>
      <Card title="Avisos a su sistema (webhooks)">
        <p className="text-[0.9375rem] text-mute">
          Cuando un cliente cambia de etapa, mandamos un mensaje firmado a estos destinos. No lleva nombres,
          teléfonos ni importes.{' '}
          <Link
            to="/api/v1#webhooks"
            reloadDocument
            className="font-semibold text-brand underline underline-offset-2"
          >
            Cómo recibirlos
          </Link>
        </p>
        {secret && (
          <ShownSecret title="Este es su secreto" secret={secret}>
            Con él comprueban que el mensaje es nuestro. Guárdalo ahora: no lo volvemos a mostrar.
          </ShownSecret>
        )}
        {endpoints.length > 0 && (
          <ul className="grid gap-4">
            {endpoints.map((endpoint) => (
              <WebhookEndpoint key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        )}
        {/* Emptied once its address is in the list. */}
        <Form key={endpoints.length} intent="webhooks.add" className="gap-3">
          <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start">
            <Field
              label="Nuevo destino"
              name="url"
              type="url"
              inputMode="url"
              autoComplete="off"
              maxLength={500}
              placeholder="https://"
              help="La dirección que da quien lleva el sistema de la concesionaria. Empieza con https."
            />
            <Submit className="sm:mt-7.5">Agregar</Submit>
          </div>
        </Form>
      </Card>
      {deliveries.length > 0 && (
        <section aria-labelledby="deliveries" className="grid gap-3">
          <h2 id="deliveries" className="font-semibold">
            Últimos envíos
          </h2>
          <WebhookDeliveries deliveries={deliveries} />
          <Pagination previous={first} next={next} />
        </section>
      )}
    </>
  )
}

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
const WebhookDeliveries = ({ deliveries }: { deliveries: readonly Delivery[] }) => (
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

type Endpoint = ShownWebhooks['endpoints'][number]

/** An address that an agency's events go to, its state, and its actions. */
function WebhookEndpoint({ endpoint }: { endpoint: Endpoint }) {
  const { active, url } = endpoint
  return (
    <li className="grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="grid min-w-0 gap-0.5">
          <p className="font-medium wrap-anywhere">{url}</p>
          <Standing {...endpoint} />
        </div>
        <EndpointBadge {...endpoint} />
      </div>
      <div className="flex flex-wrap gap-2">
        {active ? (
          <>
            <Move intent="webhooks.test" endpoint={endpoint}>
              Enviar prueba
            </Move>
            <AskedMove
              intent="webhooks.renew"
              endpoint={endpoint}
              variant="primary"
              trigger="Cambiar secreto"
              title="¿Cambiar el secreto?"
              description={`Verás el nuevo una sola vez. Durante ${bothSecretsHours} horas firmamos con los dos, para que alcancen a cambiarlo.`}
            >
              Sí, cambiarlo
            </AskedMove>
            <AskedMove
              intent="webhooks.off"
              endpoint={endpoint}
              variant="destructive"
              trigger="Apagar"
              title="¿Apagar este destino?"
              description="No le mandamos nada más. Lo que esté en camino se queda sin entregar, y puedes enviarlo después."
            >
              Sí, apagar
            </AskedMove>
          </>
        ) : (
          <Move intent="webhooks.on" endpoint={endpoint}>
            Encender
          </Move>
        )}
        <AskedMove
          intent="webhooks.remove"
          endpoint={endpoint}
          variant="destructive"
          trigger="Quitar"
          title="¿Quitar este destino?"
          description="Deja de estar en la lista, y con él los envíos que le hicimos. Si lo agregas otra vez, tendrá otro secreto."
        >
          Sí, quitar
        </AskedMove>
      </div>
    </li>
  )
}

type MoveProps = {
  intent: string
  endpoint: Pick<Endpoint, 'id' | 'version'>
  variant?: 'primary' | 'ghost' | 'destructive'
  children: string
}

const Move = ({ intent, endpoint, variant = 'ghost', children }: MoveProps) => (
  <Form intent={intent} target={{ endpointId: endpoint.id }} className="gap-3">
    <input type="hidden" name="version" value={endpoint.version} />
    <Submit variant={variant}>{children}</Submit>
  </Form>
)

/** A move that asks first; refused, it asks again with the reason. */
function AskedMove({
  title,
  trigger,
  description,
  ...move
}: MoveProps & Pick<ComponentProps<typeof Dialog>, 'title' | 'trigger' | 'description'>) {
  const { intent, endpoint } = move
  const isRefused = useFormResult(intent, { endpointId: endpoint.id }) !== undefined
  return (
    <Dialog
      key={endpoint.version}
      title={title}
      trigger={trigger}
      description={description}
      variant="ghost"
      defaultOpen={isRefused}
    >
      <Move {...move} />
    </Dialog>
  )
}

function EndpointBadge({ active, failingSince }: Endpoint) {
  if (!active) return <Badge tone="neutral">Apagado</Badge>
  return failingSince ? <Badge tone="bad">Falla</Badge> : <Badge tone="ok">Encendido</Badge>
}

function Standing({ createdAt, failingSince, previousUntil, stoppedAt, stoppedReason }: Endpoint) {
  const lines = [
    stoppedReason && stoppedAt && `${stopLabels[stoppedReason]}, ${dateTime(stoppedAt)}`,
    !stoppedAt && failingSince && `No recibe nada desde ${dateTime(failingSince)}`,
    !stoppedAt && !failingSince && `Agregado ${dateTime(createdAt)}`,
    previousUntil && `El secreto anterior sirve hasta ${dateTime(previousUntil)}`,
  ]
  return lines
    .filter((line) => typeof line === 'string')
    .map((line) => (
      <p key={line} className="text-sm text-mute">
        {line}
      </p>
    ))
}
