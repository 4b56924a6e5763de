import { type AgencySection, agencySections, sectionFor, sectionsFor } from '../../domain/agencies/agency.ts'
import { formatPhone, telLink, thousands } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { agencyFor } from '../../server/agencies/agencies-queries.ts'
import { codesToApprove, type ListedCode, listCodes } from '../../server/agencies/codes-queries.ts'
import { db } from '../../server/app/context.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Card } from '../ui/card.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { Form, OrphanedFormError, useFormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { Submit } from '../ui/submit.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import type { Route } from './+types/agency.ts'
import { AgencyClients } from './agency-clients.tsx'
import { AgencyCommissions } from './agency-commissions.tsx'
import { AgencyFields, type EditedAgency } from './agency-fields.tsx'
import { AgencyHistory } from './agency-history.tsx'
import { AgencyKeys } from './agency-keys.tsx'
import { agencySectionPath, type PartAsked, type ShownAgency } from './agency-part.ts'
import { AgencyAllies, AgencySummary } from './agency-summary.tsx'
import { ActiveBadge } from './agency-table.tsx'
import { AgencyWebhooks } from './agency-webhooks.tsx'
import { CodeFilterBar, CodeMoves, codeColumns, codeFilters, Owner, validity } from './code-table.tsx'
import { agencyForms } from './forms.ts'
import {
  loadAgencyClients,
  loadCommissions,
  loadDetails,
  loadKeys,
  loadSummary,
  loadWebhooks,
} from './load-details.ts'

type AgencyCodesProps = Awaited<ReturnType<typeof loadCodes>> & { agency: ShownAgency }

/** The codes of an agency: those that wait for a yes first, then all of them. */
function AgencyCodes({ agency, canDecide, rows, waiting, ...list }: AgencyCodesProps) {
  const { filters, first, next, total } = list
  const columns: Column<ListedCode>[] = [
    ...codeColumns,
    { header: 'Clientes', numeric: true, cell: ({ clients }) => thousands(clients) },
    { header: 'De', cell: ({ owner }) => <Owner name={owner} /> },
    ...(canDecide ? [movesColumn] : []),
  ]
  const narrowed = Boolean(filters.text || filters.state)
  return (
    <div className="grid gap-4">
      {waiting.length > 0 && <CodesToApprove codes={waiting} />}
      {(total > 0 || narrowed) && (
        <CodeFilterBar filters={filters} path={`/admin/agency/${agency.id}`} kept={{ seccion: 'codigos' }} />
      )}
      {rows.length === 0 ? (
        <EmptyState>
          {narrowed
            ? 'Ningún código coincide con lo que buscas.'
            : 'Sus aliados todavía no crean ningún código.'}
        </EmptyState>
      ) : (
        <Card title={total === 1 ? '1 código' : `${thousands(total)} códigos`}>
          <DataTable caption="Códigos" columns={columns} rows={rows} rowKey={({ id }) => id} />
        </Card>
      )}
      <Pagination previous={first} next={next} />
    </div>
  )
}

const movesColumn: Column<ListedCode> = {
  header: 'Acciones',
  cell: (code) => code.moves.length > 0 && <CodeMoves code={code} />,
}

/** Codes that give more than their agency may by itself, each with the two answers. */
const CodesToApprove = ({ codes }: { codes: readonly ListedCode[] }) => (
  <Card title="Por aprobar">
    <p className="text-[0.9375rem] text-mute">
      Dan más que el límite de la concesionaria. No sirven hasta que los apruebes.
    </p>
    <ul className="grid gap-4">
      {codes.map((code) => (
        <li
          key={code.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4"
        >
          <div className="min-w-0">
            <p>
              <span className="font-mono font-semibold tracking-wide">{code.text}</span>, {code.benefit}
            </p>
            <p className="text-[0.9375rem] text-mute">
              Lo pide {code.owner}. {validity(code)}, para {thousands(code.maxUses)}{' '}
              {code.maxUses === 1 ? 'persona' : 'personas'}.
            </p>
          </div>
          <Answers code={code} />
        </li>
      ))}
    </ul>
  </Card>
)

function Answers({ code }: { code: ListedCode }) {
  const target = { codeId: code.id }
  const isRefusing = useFormResult('codes.refuse', target) !== undefined
  const about = <input type="hidden" name="version" value={code.version} />
  return (
    <div className="flex flex-wrap gap-3">
      <Form intent="codes.approve" target={target}>
        {about}
        <Submit>
          Aprobar<span className="sr-only"> {code.text}</span>
        </Submit>
      </Form>
      <Dialog
        key={code.version}
        trigger={
          <>
            No aprobar<span className="sr-only"> {code.text}</span>
          </>
        }
        variant="ghost"
        title={`¿No aprobar ${code.text}?`}
        description="Queda revocado, y quien lo pidió lee por qué."
        defaultOpen={isRefusing}
      >
        <Form intent="codes.refuse" target={target}>
          {about}
          <Field label="Por qué" name="reason" maxLength={200} autoComplete="off" />
          <Submit variant="destructive">No aprobar</Submit>
        </Form>
      </Dialog>
    </div>
  )
}

type AgencyDetailsProps = Awaited<ReturnType<typeof loadDetails>> & { agency: ShownAgency }

/** What an agency is, written by whoever edits it and read by the others. */
function AgencyDetails({ agency, allies, canEdit, events, signedIn }: AgencyDetailsProps) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      {canEdit ? (
        <Form intent="edit" className="gap-4">
          <input type="hidden" name="version" value={agency.version} />
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

/** Takes an agency out, after saying what that does, or lets it in again. */
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

type AgencyTabsProps = { agencyId: string; section: AgencySection; sections: readonly AgencySection[] }

/** The way between the parts of an agency's page; where there is one only, none is needed. */
const AgencyTabs = ({ agencyId, section, sections }: AgencyTabsProps) =>
  sections.length > 1 && (
    <TabLinks
      label="Partes de la concesionaria"
      current={section}
      tabs={sections.map((name) => ({
        name,
        label: agencySections[name],
        to: agencySectionPath(agencyId, name),
      }))}
    />
  )

/** Reads the part of an agency's page that its address asks for; the others stay null, and are not read. */
async function loadSection(asked: PartAsked) {
  const section = sectionFor(asked.actor, asked.url.searchParams.get('seccion'))
  const only = <Part,>(name: typeof section, read: (asked: PartAsked) => Promise<Part>) =>
    section === name ? read(asked) : null
  const [summary, codes, clients, commissions, keys, webhooks, details] = await Promise.all([
    only('resumen', loadSummary),
    only('codigos', loadCodes),
    only('clientes', loadAgencyClients),
    only('comisiones', loadCommissions),
    only('integracion', loadKeys),
    only('integracion', loadWebhooks),
    only('datos', loadDetails),
  ])
  const parts = { summary, codes, clients, commissions, keys, webhooks, details }
  return { ...parts, section, sections: sectionsFor(asked.actor) }
}

/** What ?seccion=codigos shows: the codes of the agency's allies, and for who edits agencies those that wait for a yes. */
async function loadCodes({ actor, agency: { id, terms }, db, now, url }: PartAsked) {
  const { after, filters } = readFilters(codeFilters, url)
  const [{ next, rows, total }, waiting] = await Promise.all([
    listCodes(db, actor, id, { ...filters, ...(after && { after }) }, now),
    terms ? codesToApprove(db, actor, id, now) : [],
  ])
  return {
    ...{ rows, total, waiting, filters },
    canDecide: terms !== null,
    ...pageLinks({ seccion: 'codigos', ...filters }, after, next),
  }
}

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
    const agency = (await agencyFor(database, actor, params.id)) ?? refuse('not-found')
    return { agency, ...(await loadSection({ db: database, actor, agency, url, now })) }
  })

export const action = forms(({ context, params }: Route.ActionArgs) => agencyForms(context, params.id))

export default function AgencyScreen({ loaderData }: Route.ComponentProps) {
  const { agency, section, sections, summary, codes, clients, commissions, keys, webhooks, details } =
    loaderData
  return (
    <>
      <PageHeader
        title={agency.name}
        subtitle={<ActiveBadge active={agency.active} />}
        back={{ to: '/admin/agencies', label: 'Consecionarias' }}
      />
      <AgencyTabs agencyId={agency.id} section={section} sections={sections} />
      <OrphanedFormError />
      {summary && <AgencySummary {...summary} agency={agency} />}
      {codes && <AgencyCodes {...codes} agency={agency} />}
      {clients && <AgencyClients {...clients} agency={agency} />}
      {commissions && <AgencyCommissions {...commissions} agency={agency} />}
      {keys && <AgencyKeys {...keys} agency={agency} />}
      {webhooks && <AgencyWebhooks {...webhooks} agency={agency} />}
      {details && <AgencyDetails {...details} agency={agency} />}
    </>
  )
}
