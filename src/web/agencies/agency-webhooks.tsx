import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { Submit } from '../ui/submit.tsx'
import { type ShownAgency, useSecret } from './agency-part.ts'
import type { loadWebhooks } from './load-webhooks.ts'
import { ShownSecret } from './shown-secret.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookEndpoint } from './webhook-endpoint.tsx'

type AgencyWebhooksProps = Awaited<ReturnType<typeof loadWebhooks>> & { agency: ShownAgency }

/** Where an agency's events go, and how each of them went. */
export function AgencyWebhooks({ endpoints, deliveries, first, next }: AgencyWebhooksProps) {
  const secret = useSecret('webhooks.')
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
