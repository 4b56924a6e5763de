import { turnLabels } from '../../domain/agencies/clients.ts'
import { type AppointmentState, stateFacts } from '../../domain/appointments/appointment.ts'
import { type CaseState, caseStateFacts } from '../../domain/cfe/case.ts'
import { fiscalStateFacts } from '../../domain/invoices/taxpayer.ts'
import {
  conceptLabels,
  methodLabels,
  type PaymentState,
  paymentStateFacts,
} from '../../domain/payments/payment.ts'
import { chargerInWords, vehicleInWords } from '../../domain/projects/equipment.ts'
import { losesProjects } from '../../domain/projects/project.ts'
import { type Stage, stageLabels, stages } from '../../domain/projects/stages.ts'
import { type QuoteState, quoteStateFacts } from '../../domain/quotes/quote.ts'
import {
  dateTime,
  formatPhone,
  fullName,
  money as inPesos,
  relative,
  shortDate,
  telLink,
  whatsappLink,
} from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { db, enabledModules } from '../../server/app/context.ts'
import { endingOf, type ProjectEnding } from '../../server/projects/ending.ts'
import { type ProjectEvent, type ProjectFile, projectFile } from '../../server/projects/queries.ts'
import { StageBadge } from '../agencies/badges.tsx'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { assertModule, requireActor } from '../lib/require-actor.ts'
import { forms } from '../lib/submit.ts'
import { PaymentBadge } from '../payments/payment-badge.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { DefinitionList } from '../ui/definition-list.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Timeline } from '../ui/timeline.tsx'
import type { Route } from './+types/project.ts'
import { endingForms } from './ending-forms.ts'
import { pipelinePath } from './pipeline-path.ts'
import { ProjectEndingCard } from './project-ending.tsx'
import { PartRow, ProjectAppointments, ProjectCases, ProjectQuotes, ProjectTasks } from './project-parts.tsx'

type ProjectContactProps = { project: ProjectFile; managesPeople: boolean }

/** The customer and the place of a project, what is to be installed, and who brought the customer. */
function ProjectContact({ project, managesPeople }: ProjectContactProps) {
  const { address, agency, agencyId, charger, createdAt, customerId, email, phone, vehicle } = project
  return (
    <Card
      title="Cliente"
      aside={managesPeople && <Link to={`/admin/users/${customerId}`}>Ver su cuenta</Link>}
    >
      <DefinitionList
        items={[
          { term: 'Teléfono', value: phone && <PhoneLinks phone={phone} /> },
          { term: 'Correo', value: <a href={`mailto:${email}`}>{email}</a> },
          { term: 'Domicilio', value: address && addressWords(address) },
          { term: 'Recibe', value: address?.receiverName },
          {
            term: 'Su teléfono',
            value: address?.receiverPhone && <PhoneLinks phone={address.receiverPhone} />,
          },
          { term: 'Auto', value: vehicleInWords(vehicle) },
          { term: 'Cargador', value: chargerInWords(charger) },
          { term: 'Concesionaria', value: agency && <Link to={`/admin/agency/${agencyId}`}>{agency}</Link> },
          { term: 'Cliente desde', value: shortDate(createdAt) },
        ]}
      />
    </Card>
  )
}

const PhoneLinks = ({ phone }: { phone: string }) => (
  <span className="flex flex-wrap gap-x-4">
    <a href={telLink(phone)}>{formatPhone(phone)}</a>
    <a href={whatsappLink(phone)}>WhatsApp</a>
  </span>
)

function addressWords(address: NonNullable<ProjectFile['address']>): string {
  const { colonia, innerNumber, municipality, outerNumber, postalCode, street } = address
  const inner = innerNumber ? ` int. ${innerNumber}` : ''
  return `${street} ${outerNumber}${inner}, ${colonia}, ${municipalityLabel(municipality)}, C. P. ${postalCode}`
}

const labelOf: Record<string, (state: string) => string | undefined> = {
  appointment: (state) => said('Cita', stateFacts[state as AppointmentState]),
  quote: (state) => said('Cotización', quoteStateFacts[state as QuoteState]),
  payment: (state) => said('Pago', paymentStateFacts[state as PaymentState]),
  cfe_case: (state) => said('Trámite ante CFE', caseStateFacts[state as CaseState]),
}
const said = (what: string, facts: { label: string } | undefined) =>
  facts && `${what}: ${facts.label.toLowerCase()}`

const ofProject: Record<string, string> = {
  open: 'Se abrió el proyecto',
  change_equipment: 'Cambió su auto o su cargador',
  permit: 'Llegó el permiso de su condominio',
  ready: 'Lista para agendar la instalación',
}

/** In words; null for an event without words of its own. */
const wordsOf = ({ entity, name, toState }: ProjectEvent) =>
  entity === 'project' ? ofProject[name] : toState ? labelOf[entity]?.(toState) : undefined

/** What happened to the project and its parts, the latest first. */
function ProjectEvents({ events }: { events: readonly ProjectEvent[] }) {
  const items = events.flatMap((event) => {
    const words = wordsOf(event)
    return words
      ? [{ key: event.id, title: words, note: `${dateTime(event.at)}, ${event.actor ?? 'el sistema'}` }]
      : []
  })
  return (
    <Card title="Historial">
      {items.length === 0 ? (
        <p className="text-mute">Todavía no hay historia.</p>
      ) : (
        <Timeline items={items} />
      )}
    </Card>
  )
}

type ProjectMoneyProps = {
  money: NonNullable<ProjectFile['money']>
  fiscal: ProjectFile['fiscal']
  projectId: string
}

/** What is charged, paid and owed, the state of each payment, and whether invoices can be issued. */
const ProjectMoney = ({ money: { ledger, payments }, fiscal, projectId }: ProjectMoneyProps) => (
  <Card title="Pagos" aside={<Link to={`/admin/cotizations/cobros/${projectId}`}>Ver la cuenta</Link>}>
    <DefinitionList
      items={[
        { term: 'Total a pagar', value: inPesos(ledger.charged) },
        { term: 'Pagado', value: inPesos(ledger.held) },
        ledger.credit > 0
          ? { term: 'A favor', value: inPesos(ledger.credit) }
          : { term: 'Falta', value: inPesos(ledger.owed) },
        { term: 'Datos fiscales', value: fiscal ? fiscalStateFacts[fiscal].label : 'No los ha dado' },
      ]}
    />
    {payments.length > 0 && (
      <ul className="grid gap-3 border-t border-line pt-4">
        {payments.map(({ amount, concept, folio, id, method, paidAt, state }) => (
          <PartRow
            key={id}
            note={[folio, method && methodLabels[method], paidAt && shortDate(paidAt)]
              .filter(Boolean)
              .join(', ')}
            badge={<PaymentBadge state={state} />}
          >
            {`${conceptLabels[concept]}, ${inPesos(amount)}`}
          </PartRow>
        ))}
      </ul>
    )}
  </Card>
)

type ProjectScreenProps = {
  project: ProjectFile
  ending: ProjectEnding | null
  /** Whether cases with CFE have pages here. */
  hasCases: boolean
  managesPeople: boolean
  now: Date
}

/** A project on one page: its stage and whose turn it is, whom to contact, and a link to each of its parts. */
function ProjectScreen({ project, ending, hasCases, managesPeople, now }: ProjectScreenProps) {
  const { lastname, name, email, standing } = project
  return (
    <>
      <PageHeader
        title={fullName({ name, lastname }) || email}
        subtitle={<StageBadge stage={standing.stage} />}
        back={{ to: pipelinePath, label: 'Clientes' }}
      />
      <OrphanedFormError />
      <Standing standing={standing} now={now} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          {project.tasks && project.tasks.length > 0 && <ProjectTasks tasks={project.tasks} now={now} />}
          <ProjectAppointments rows={project.appointments} />
          <ProjectQuotes rows={project.quotes} />
          {project.money && (
            <ProjectMoney money={project.money} fiscal={project.fiscal} projectId={project.id} />
          )}
          {project.cases.length > 0 && <ProjectCases rows={project.cases} isLinked={hasCases} now={now} />}
        </div>
        <div className="grid grid-cols-1 gap-4">
          <ProjectContact project={project} managesPeople={managesPeople} />
          {ending && <ProjectEndingCard ending={ending} />}
          <ProjectEvents events={project.events} />
        </div>
      </div>
    </>
  )
}

const line: readonly Stage[] = stages.filter((stage) => stage !== 'lost')

/** How far it is, in words and as a line of stages. */
function Standing({ standing, now }: { standing: ProjectFile['standing']; now: Date }) {
  const { since, stage, waitingOn } = standing
  const at = line.indexOf(stage)
  return (
    <Card>
      <p>
        <span className="text-mute">Le toca a </span>
        <strong>{turnLabels[waitingOn]}</strong>
        {since && <span className="text-mute">{`, ${relative(since, now)}`}</span>}
      </p>
      <ol aria-label="Etapas" className="grid grid-cols-4 gap-x-2 gap-y-3 sm:grid-cols-8">
        {line.map((one, n) => (
          <li
            key={one}
            aria-current={one === stage ? 'step' : undefined}
            className="grid content-start gap-1.5"
          >
            <span
              aria-hidden
              className={classNames('h-1.5 rounded-full', n <= at ? 'bg-brand' : 'bg-line')}
            />
            <span className={classNames('text-[0.8125rem]', one === stage ? 'font-semibold' : 'text-mute')}>
              {stageLabels[one]}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

export const handle = { announcesUpdates: true }

/** One project with everything of it, as far as the user may see it. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'clients')
    const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
    const project = (await projectFile(database, actor, params.id, now)) ?? refuse('not-found')
    const ending = await endingOf(database, actor, project.customerId, now)
    return {
      project,
      // The state of a customer's newest project, which this one need not be.
      ending: ending?.id === project.id ? ending : null,
      hasCases: context.get(enabledModules).has('gesties'),
      managesPeople: managesPeople(actor),
      now,
    }
  })

export const action = forms(({ context, params }: Route.ActionArgs) => {
  assertModule(context, 'clients')
  if (!losesProjects(requireActor(context))) refuse('permission-denied')
  return endingForms(context, `${pipelinePath}/${params.id}`)
})

export default function ProjectFileScreen({ loaderData }: Route.ComponentProps) {
  return <ProjectScreen {...loaderData} />
}
