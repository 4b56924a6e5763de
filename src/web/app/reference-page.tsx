import { apiScopes } from '../../domain/agencies/integrations.ts'
import { calendarSource, site } from '../../server/app/context.ts'
import { problems } from '../../server/integrations/public-api/problems.ts'
import { apiDocument } from '../../server/integrations/public-api/routes.ts'
import { Card } from '../ui/card.tsx'
import { PageTitle } from '../ui/page-header.tsx'
import type { Route } from './+types/reference-page.ts'
import {
  Code,
  CodeBlock,
  FieldList,
  OperationCard,
  type Reference,
  referenceOf,
  WithCode,
} from './reference.tsx'

export const handle = { wide: true }

// No path of the specification: the API of dealerships' own systems is below it, and this page documents it.
export const loader = ({ context }: Route.LoaderArgs) => ({
  reference: referenceOf(apiDocument(context.get(site).brand, context.get(calendarSource).baseUrl)),
  refused: Object.entries(problems).map(([code, { status, message }]) => ({ code, status, message })),
  scopes: Object.entries(apiScopes),
})

/** The API for dealerships' own systems, for their developers. It uses the same document that programs read. */
export default function ReferencePage({ loaderData: { reference, refused, scopes } }: Route.ComponentProps) {
  const { groups, webhooks, title, base } = reference
  return (
    <>
      <PageTitle>Documentación de la API</PageTitle>
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <Opening title={title} />
        <Contents groups={groups} />
        <div className="grid min-w-0 gap-12 lg:col-start-2">
          <FirstSteps base={base} scopes={scopes} />
          {groups.map(({ tag, operations }) => (
            <section key={tag} aria-label={tag} className="grid gap-6">
              <h2 className="text-xl font-semibold">{tag}</h2>
              {operations.map((operation) => (
                <OperationCard key={operation.id} operation={operation} />
              ))}
            </section>
          ))}
          {webhooks.map((webhook) => (
            <WebhookCard key={webhook.name} webhook={webhook} />
          ))}
          <ProblemTable refused={refused} />
        </div>
      </div>
    </>
  )
}

const linkClass =
  'flex min-h-11 items-center text-[0.9375rem] text-mute underline-offset-4 hover:text-ink hover:underline lg:min-h-9'

function Opening({ title }: Pick<Reference, 'title'>) {
  return (
    <header className="grid max-w-3xl gap-3 lg:col-start-2">
      <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>
      <p className="text-lg text-mute">
        Para que el sistema de tu concesionaria registre clientes, sepa en qué van y reciba un aviso cuando
        cambian de etapa.
      </p>
      <p>
        Tu programa puede leer{' '}
        <a href="/api/v1/openapi.json" className="font-semibold text-brand underline underline-offset-2">
          el documento OpenAPI 3.1
        </a>{' '}
        y generar con él un cliente. Esta página sale de ese mismo documento.
      </p>
    </header>
  )
}

function Contents({ groups }: Pick<Reference, 'groups'>) {
  return (
    <nav aria-label="Contenido" className="lg:sticky lg:top-6 lg:col-start-1 lg:row-span-2 lg:row-start-1">
      <ul className="grid grid-cols-2 gap-x-4 sm:grid-cols-3 lg:grid-cols-1">
        <Entry to="empezar">Empezar</Entry>
        {groups.flatMap(({ operations }) =>
          operations.map(({ id, summary }) => (
            <Entry key={id} to={id}>
              {summary}
            </Entry>
          )),
        )}
        <Entry to="webhooks">Recibir avisos</Entry>
        <Entry to="errores">Errores</Entry>
      </ul>
    </nav>
  )
}

const Entry = ({ to, children }: { to: string; children: string }) => (
  <li>
    <a href={`#${to}`} className={linkClass}>
      {children}
    </a>
  </li>
)

/** What holds for every operation: the key, how often, names of requests, pages. */
function FirstSteps({ base, scopes }: { base: string; scopes: readonly [string, string][] }) {
  return (
    <section id="empezar" aria-labelledby="empezar-title" className="grid scroll-mt-4 gap-4">
      <h2 id="empezar-title" className="text-xl font-semibold">
        Empezar
      </h2>
      <CodeBlock label="Comprueba tu llave">{`curl ${base}/codes \\\n  -H "Authorization: Bearer $LLAVE"`}</CodeBlock>
      <div className="grid gap-4 md:grid-cols-2 md:grid-rows-[auto_auto_auto_1fr]">
        <Card title="La llave" className="md:row-span-4">
          <p>
            La gerencia de Carga en Casa la hace para tu concesionaria y se ve una sola vez. Va en cada
            solicitud, en <Code>Authorization: Bearer</Code>, y empieza con <Code>cec_viva_</Code>. Guárdala
            en tu servidor; si se filtra, pide que la revoquen. Para cambiarla, pide otra: las dos sirven
            hasta que se revoque la primera.
          </p>
          <dl className="grid gap-1.5">
            {scopes.map(([scope, label]) => (
              <div key={scope} className="flex flex-wrap items-baseline gap-x-2">
                <dt>
                  <Code>{scope}</Code>
                </dt>
                <dd className="text-[0.9375rem] text-mute">{label}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title="Llave de prueba">
          <p>
            Empieza con <Code>cec_prueba_</Code>. Cada solicitud se revisa igual que las demás y se contesta
            con ejemplos: no se guarda ni se envía nada. El código que sirve con ella es <Code>VERDE26</Code>.
          </p>
        </Card>
        <Card title="Cuántas solicitudes">
          <p>
            120 por minuto y llave. Cada respuesta dice cuántas te quedan en <Code>RateLimit</Code>; al
            pasarte, espera los segundos de <Code>Retry-After</Code>.
          </p>
        </Card>
        <Card title="Repetir sin duplicar">
          <p>
            Al registrar, manda una <Code>Idempotency-Key</Code> tuya. Si la red se corta y repites la
            solicitud con la misma, dentro de un día, recibes la misma respuesta (con{' '}
            <Code>Idempotent-Replayed: true</Code>) y no se registra otra vez. Un error 4xx no se guarda:
            corrige y usa la misma.
          </p>
        </Card>
        <Card title="Páginas">
          <p>
            Las listas van de lo más antiguo a lo más nuevo. Mientras <Code>next</Code> no sea null, pide la
            que sigue con <Code>?cursor=</Code> y ese valor.
          </p>
        </Card>
      </div>
    </section>
  )
}

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

/** What is posted to a dealership's own server, and how it knows that it comes from us. */
function WebhookCard({ webhook }: { webhook: Reference['webhooks'][number] }) {
  const { name, description, parameters, fields, example } = webhook
  return (
    <section id="webhooks" aria-labelledby="webhooks-title" className="grid scroll-mt-4 gap-4">
      <h2 id="webhooks-title" className="text-xl font-semibold">
        Recibir avisos
      </h2>
      <p>
        <Code>{name}</Code>: un cliente cambió de etapa. <WithCode>{description}</WithCode> La gerencia agrega
        la dirección de tu servidor y te da su secreto.
      </p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>
          Si no contestas 2xx, lo intentamos ocho veces en cerca de un día, cada vez con más espera. Después
          puedes pedirlo de nuevo.
        </li>
        <li>Un aviso puede llegar dos veces: recuerda su webhook-id.</li>
        <li>
          Pueden llegar en otro orden: compara timestamp, o pregunta por el cliente, que siempre dice cómo
          está ahora.
        </li>
      </ul>
      <CodeBlock label="El cuerpo">{example ?? ''}</CodeBlock>
      <FieldList title="Encabezados" fields={parameters} />
      <FieldList title="Campos" fields={fields} />
      <CodeBlock label="Comprobar la firma, con la biblioteca standardwebhooks">{withLibrary}</CodeBlock>
      <CodeBlock label="Lo mismo sin biblioteca; el cuerpo, tal como llegó">{byHand}</CodeBlock>
    </section>
  )
}

type Refused = { code: string; status: number; message: string }

/** Every code of an error, each with an anchor of its own that answers link to. */
function ProblemTable({ refused }: { refused: readonly Refused[] }) {
  return (
    <section id="errores" aria-labelledby="errores-title" className="grid scroll-mt-4 gap-4">
      <h2 id="errores-title" className="text-xl font-semibold">
        Errores
      </h2>
      <p className="max-w-3xl">
        Vienen como application/problem+json (RFC 9457): <Code>title</Code> y <Code>detail</Code> en inglés,{' '}
        <Code>message</Code> en español para quien lo lea. Tu programa decide por <Code>code</Code>, que no
        cambia. Si pides ayuda, dinos el <Code>requestId</Code>.
      </p>
      <dl className="divide-y divide-line border-y border-line">
        {refused.map(({ code, status, message }) => (
          <div
            key={code}
            id={`problema-${code}`}
            className="grid scroll-mt-4 gap-x-5 gap-y-0.5 py-2.5 target:bg-brand-soft sm:grid-cols-[16rem_minmax(0,1fr)]"
          >
            <dt>
              <code className="text-[0.875rem] font-semibold wrap-anywhere">{code}</code>
              <span className="block text-sm text-mute">{status}</span>
            </dt>
            <dd className="text-[0.9375rem]">{message}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
