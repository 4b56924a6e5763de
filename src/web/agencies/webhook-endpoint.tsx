import { bothSecretsHours, stopLabels } from '../../domain/agencies/integrations.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { ShownWebhooks } from '../../server/integrations/webhooks/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type Endpoint = ShownWebhooks['endpoints'][number]

/** An address that an agency's events go to, how it stands, and what can be done with it. */
export function WebhookEndpoint({ endpoint }: { endpoint: Endpoint }) {
  const { active, id, url, version } = endpoint
  const isRenewing = useFormResult('webhooks.renew', { endpointId: id }) !== undefined
  const isStopping = useFormResult('webhooks.off', { endpointId: id }) !== undefined
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
            <Dialog
              key={`renew ${version}`}
              trigger="Cambiar secreto"
              variant="ghost"
              title="¿Cambiar el secreto?"
              description={`Verás el nuevo una sola vez. Durante ${bothSecretsHours} horas firmamos con los dos, para que alcancen a cambiarlo.`}
              defaultOpen={isRenewing}
            >
              <Move intent="webhooks.renew" endpoint={endpoint} variant="primary">
                Sí, cambiarlo
              </Move>
            </Dialog>
            <Dialog
              key={`off ${version}`}
              trigger="Apagar"
              variant="ghost"
              title="¿Apagar este destino?"
              description="No le mandamos nada más. Lo que esté en camino se queda sin entregar, y puedes enviarlo después."
              defaultOpen={isStopping}
            >
              <Move intent="webhooks.off" endpoint={endpoint} variant="destructive">
                Sí, apagar
              </Move>
            </Dialog>
          </>
        ) : (
          <Move intent="webhooks.on" endpoint={endpoint}>
            Encender
          </Move>
        )}
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
