import { apiScopes } from '../../domain/agencies/integrations.ts'
import { calendarSource, site } from '../../server/app/context.ts'
import { apiDocument } from '../../server/integrations/public-api/document.ts'
import { problems } from '../../server/integrations/public-api/problems.ts'
import { PageTitle } from '../ui/page-title.tsx'
import type { Route } from './+types/reference-page.ts'
import { FirstSteps, ProblemTable, WebhookCard } from './guidance.tsx'
import { OperationCard } from './operation.tsx'
import { type Reference, referenceOf } from './reference.ts'

export const handle = { wide: true }

// No path of the specification: what dealerships' own systems ask stands below it, and this is how they learn of that.
export const loader = ({ context }: Route.LoaderArgs) => ({
  reference: referenceOf(apiDocument(context.get(site).brand, context.get(calendarSource).baseUrl)),
  refused: Object.entries(problems).map(([code, { status, title, detail }]) => ({
    code,
    status,
    title,
    detail,
  })),
  scopes: Object.entries(apiScopes),
})

/** The interface of dealerships' own systems, for whoever writes them: made of the same document that programs read. */
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
