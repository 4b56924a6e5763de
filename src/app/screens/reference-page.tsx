import type { ReactNode } from 'react'
import { apiScopes } from '../../agencies/rules/integrations.ts'
import { problems } from '../../integrations/public-api/problems.ts'
import { apiDocument } from '../../integrations/public-api/routes.ts'
import { requestOf } from '../../kit/request.ts'
import { Card, Details } from '../../ui/card.tsx'
import { PageTitle } from '../../ui/page-header.tsx'
import type { Route } from './+types/reference-page.ts'
import { type FieldWords, type Operation, referenceOf } from './reference.ts'

export const handle = { wide: true }

// No path of the specification: the API of dealerships' own systems is below it, and this page documents it.
export const loader = ({ context }: Route.LoaderArgs) => ({
  ...referenceOf(apiDocument(requestOf(context).site.brand, requestOf(context).calendarSource.baseUrl)),
  refused: Object.entries(problems).map(([name, { status, message }]) => ({
    id: `problema-${name}`,
    name,
    facts: String(status),
    description: message,
  })),
})

/** The API for dealerships' own systems, for their developers. It uses the same document that programs read. */
export default function ReferencePage({
  loaderData: { base, operations, refused, title, webhook },
}: Route.ComponentProps) {
  const groups = Object.entries(Object.groupBy(operations, ({ tag }) => tag))
  const entries = [
    ['empezar', 'Empezar'],
    ...operations.map(({ id, summary }) => [id, summary]),
    ['webhooks', 'Recibir avisos'],
    ['errores', 'Errores'],
  ]
  return (
    <>
      <PageTitle>Documentación de la API</PageTitle>
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <header className="grid max-w-3xl gap-3 lg:col-start-2">
          <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>
          <p className="text-lg text-mute">
            {
              'Para que el sistema de tu concesionaria registre clientes, sepa en qué van y reciba un aviso cuando cambian de etapa.'
            }
          </p>
          <p>
            Tu programa puede leer{' '}
            <a href="/api/v1/openapi.json" className="font-semibold text-brand underline underline-offset-2">
              el documento OpenAPI 3.1
            </a>{' '}
            y generar con él un cliente. Esta página sale de ese mismo documento.
          </p>
        </header>
        <nav
          aria-label="Contenido"
          className="lg:sticky lg:top-6 lg:col-start-1 lg:row-span-2 lg:row-start-1"
        >
          <ul className="grid grid-cols-2 gap-x-4 sm:grid-cols-3 lg:grid-cols-1">
            {entries.map(([id, words]) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="flex min-h-11 items-center text-[0.9375rem] text-mute underline-offset-4 hover:text-ink hover:underline lg:min-h-9"
                >
                  {words}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 gap-12 lg:col-start-2">
          <FirstSteps base={base} />
          {groups.map(([tag, own = []]) => (
            <section key={tag} aria-label={tag} className="grid gap-6">
              <h2 className="text-xl font-semibold">{tag}</h2>
              {own.map((operation) => (
                <OperationCard key={operation.id} operation={operation} />
              ))}
            </section>
          ))}
          <WebhookPart webhook={webhook} />
          <Part id="errores" title="Errores">
            <Words className="max-w-3xl">{problemWords}</Words>
            <Rows rows={refused} columns="sm:grid-cols-[16rem_minmax(0,1fr)]" />
          </Part>
        </div>
      </div>
    </>
  )
}

/** A part of the page that its contents lead to. */
const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-4 gap-4">
    <h2 id={`${id}-title`} className="text-xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
)

const keyWords =
  'La gerencia de Carga en Casa la hace para tu concesionaria y se ve una sola vez. Va en cada solicitud, en `Authorization: Bearer`, y empieza con `cec_viva_`. Guárdala en tu servidor; si se filtra, pide que la revoquen. Para cambiarla, pide otra: las dos sirven hasta que se revoque la primera.'

/** What holds for every operation. */
const rules = {
  'Llave de prueba':
    'Empieza con `cec_prueba_`. Cada solicitud se revisa igual que las demás y se contesta con ejemplos: no se guarda ni se envía nada. El código que sirve con ella es `VERDE26`.',
  'Cuántas solicitudes':
    '120 por minuto y llave. Cada respuesta dice cuántas te quedan en `RateLimit`; al pasarte, espera los segundos de `Retry-After`.',
  'Repetir sin duplicar':
    'Al registrar, manda una `Idempotency-Key` tuya. Si la red se corta y repites la solicitud con la misma, dentro de un día, recibes la misma respuesta (con `Idempotent-Replayed: true`) y no se registra otra vez. Un error 4xx no se guarda: corrige y usa la misma.',
  Páginas:
    'Las listas van de lo más antiguo a lo más nuevo. Mientras `next` no sea null, pide la que sigue con `?cursor=` y ese valor.',
}

const FirstSteps = ({ base }: { base: string }) => (
  <Part id="empezar" title="Empezar">
    <CodeBlock label="Comprueba tu llave">{`curl ${base}/codes \\\n  -H "Authorization: Bearer $LLAVE"`}</CodeBlock>
    <div className="grid gap-4 md:grid-cols-2 md:grid-rows-[auto_auto_auto_1fr]">
      <Card title="La llave" className="md:row-span-4">
        <Words>{keyWords}</Words>
        <dl className="grid gap-1.5">
          {Object.entries(apiScopes).map(([scope, label]) => (
            <div key={scope} className="flex flex-wrap items-baseline gap-x-2">
              <dt>
                <Code>{scope}</Code>
              </dt>
              <dd className="text-[0.9375rem] text-mute">{label}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {Object.entries(rules).map(([title, words]) => (
        <Card key={title} title={title}>
          <Words>{words}</Words>
        </Card>
      ))}
    </div>
  </Part>
)

/** One operation: what it does, its parameters and answers, and how to call it. */
function OperationCard({ operation }: { operation: Operation }) {
  const { answer, body, curl, description, id, method, parameters, path, refusals, status, summary } =
    operation
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-4 border-t border-line pt-6"
    >
      <div className="grid gap-1.5">
        <h3 id={`${id}-title`} className="text-lg font-semibold">
          {summary}
        </h3>
        <p className="flex flex-wrap items-center gap-2">
          <span className="rounded-control bg-brand-soft px-2 py-0.5 text-sm font-semibold text-brand">
            {method}
          </span>
          <code className="wrap-anywhere">{path}</code>
        </p>
      </div>
      <Words>{description}</Words>
      <CodeBlock label="Ejemplo">{curl}</CodeBlock>
      <FieldList title="Parámetros" fields={parameters} />
      <FieldList title="Cuerpo" fields={body.fields} />
      {answer.example && <CodeBlock label={`Respuesta ${status}`}>{answer.example}</CodeBlock>}
      <Details summary="Campos de la respuesta y errores">
        <FieldList title={`Respuesta ${status}`} fields={answer.fields} />
        <dl className="grid gap-2">
          {refusals.map(({ code, description: words = '' }) => (
            <div key={code} className="grid gap-x-5 sm:grid-cols-[3rem_minmax(0,1fr)]">
              <dt className="font-semibold">{code}</dt>
              <dd className="text-[0.9375rem]">
                <WithCode>{words}</WithCode>
              </dd>
            </div>
          ))}
        </dl>
      </Details>
    </section>
  )
}

/** What is sent or answered, field by field. */
const FieldList = ({ title, fields }: { title: string; fields: readonly FieldWords[] }) =>
  fields.length > 0 && (
    <div className="grid gap-2">
      <p aria-hidden className="font-semibold">
        {title}
      </p>
      <Rows title={title} rows={fields} columns="sm:grid-cols-[14rem_minmax(0,1fr)]" />
    </div>
  )

/** Names with their facts and words, each with an anchor where it has an id. */
const Rows = (shown: { title?: string; rows: readonly FieldWords[]; columns: string }) => (
  <dl aria-label={shown.title} className="divide-y divide-line border-y border-line">
    {shown.rows.map(({ id, name, facts, description }) => (
      <div
        key={name}
        id={id}
        className={`grid scroll-mt-4 gap-x-5 gap-y-0.5 py-2.5 target:bg-brand-soft ${shown.columns}`}
      >
        <dt className="min-w-0">
          <code className="text-[0.875rem] font-semibold wrap-anywhere">{name}</code>
          <span className="block text-sm text-mute">{facts}</span>
        </dt>
        <dd className="min-w-0 text-[0.9375rem]">
          <WithCode>{description}</WithCode>
        </dd>
      </div>
    ))}
  </dl>
)

const withLibrary = `import { Webhook } from 'standardwebhooks'

const avisos = new Webhook(process.env.SECRETO) // whsec_…

app.post('/avisos', express.raw({ type: '*/*' }), (req, res) => {
  const aviso = avisos.verify(req.body, req.headers) // lanza un error si no es nuestro
  res.sendStatus(204)
})`

const byHand = `import { createHmac, timingSafeEqual } from 'node:crypto'

function esNuestro(cuerpo, encabezados, secreto) {
  const id = encabezados['webhook-id']
  const momento = encabezados['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(momento)) > 300) return false
  const llave = Buffer.from(secreto.replace('whsec_', ''), 'base64')
  const firma = createHmac('sha256', llave).update(\`\${id}.\${momento}.\${cuerpo}\`).digest()
  return encabezados['webhook-signature'].split(' ').some((parte) => {
    const dada = Buffer.from(parte.split(',')[1] ?? '', 'base64')
    return dada.length === firma.length && timingSafeEqual(dada, firma)
  })
}`

const deliveries = [
  'Si no contestas 2xx, lo intentamos ocho veces en cerca de un día, cada vez con más espera. Después puedes pedirlo de nuevo.',
  'Un aviso puede llegar dos veces: recuerda su webhook-id.',
  'Pueden llegar en otro orden: compara timestamp, o pregunta por el cliente, que siempre dice cómo está ahora.',
]

/** What is posted to a dealership's own server, and how it knows that it comes from us. */
const WebhookPart = ({ webhook }: { webhook: Route.ComponentProps['loaderData']['webhook'] }) => (
  <Part id="webhooks" title="Recibir avisos">
    <Words>{`\`${webhook.name}\`: un cliente cambió de etapa. ${webhook.description} La gerencia agrega la dirección de tu servidor y te da su secreto.`}</Words>
    <ul className="grid list-disc gap-1.5 pl-5">
      {deliveries.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
    <CodeBlock label="El cuerpo">{webhook.example}</CodeBlock>
    <FieldList title="Encabezados" fields={webhook.parameters} />
    <FieldList title="Campos" fields={webhook.fields} />
    <CodeBlock label="Comprobar la firma, con la biblioteca standardwebhooks">{withLibrary}</CodeBlock>
    <CodeBlock label="Lo mismo sin biblioteca; el cuerpo, tal como llegó">{byHand}</CodeBlock>
  </Part>
)

const problemWords =
  'Vienen como application/problem+json (RFC 9457): `title` y `detail` en inglés, `message` en español para quien lo lea. Tu programa decide por `code`, que no cambia. Si pides ayuda, dinos el `requestId`.'

/** Program text as it is; a long line is scrolled to, also by keyboard. */
function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <figure className="grid min-w-0 gap-1.5">
      <figcaption className="text-sm font-semibold text-mute">{label}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-hover p-3.5 text-[0.8125rem]/5 sm:p-4"
      >
        <code>{children}</code>
      </pre>
    </figure>
  )
}

const Words = ({ children, className }: { children: string; className?: string }) => (
  <p className={className}>
    <WithCode>{children}</WithCode>
  </p>
)

/** Text in which the words between backticks are code. */
const WithCode = ({ children }: { children: string }) =>
  children.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have nothing else.
      <Code key={at}>{part}</Code>
    ),
  )

const Code = ({ children }: { children: string }) => (
  <code className="rounded bg-hover px-1 py-0.5 text-[0.875em] wrap-anywhere">{children}</code>
)
