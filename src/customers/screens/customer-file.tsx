import { turnLabels } from '../../agencies/rules/clients.ts'
import { fiscalStateFacts } from '../../invoices/rules/taxpayer.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { customersAccountPath } from '../../payments/rules/paths.ts'
import { conceptOf, methodLabels } from '../../payments/rules/payment.ts'
import { PaymentBadge } from '../../payments/screens/payment-badge.tsx'
import { chargerInWords, vehicleInWords } from '../../projects/rules/equipment.ts'
import { homePath } from '../../projects/rules/pipeline.ts'
import { type Stage, stageLabels, stages } from '../../projects/rules/stages.ts'
import { money as inPesos, lowerFirst, relative, shortDate } from '../../shared/format.ts'
import { hasMailbox } from '../../shared/mailbox.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { calledBy } from '../../users/rules/user.ts'
import { Corrections } from '../../users/screens/person-cards.tsx'
import type { CustomerFile } from '../customer-file.ts'
import { turnActs } from '../rules/work.ts'
import type { Route } from './+types/customer-file.ts'
import {
  AccessCard,
  ActionLinks,
  ContactCard,
  HomeCard,
  MergeNotice,
  NoAccessCard,
  ProjectEndingCard,
  ProjectsCard,
} from './customer-cards.tsx'
import { customerForms, loadCustomer } from './customer-server.ts'
import { CustomerTimeline } from './customer-timeline.tsx'
import { PartRow, ProjectAppointments, ProjectCases, ProjectQuotes, ProjectTasks } from './project-parts.tsx'

export const handle = {
  announcesUpdates: true,
  visited: ({ person }: Pick<Loaded, 'person'>) => ({ kind: 'customer' as const, title: calledBy(person) }),
}
export const shouldRevalidate = revalidateOnConflict

/** One customer with everything of them, as far as the user may see it. */
export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  refusalsAsResponses(() => loadCustomer(context, url, params.id))

export const action = forms(({ context, params, url }: Route.ActionArgs) =>
  customerForms(context, params.id, url),
)

type Loaded = Route.ComponentProps['loaderData']
type Project = NonNullable<CustomerFile['project']>

export default function CustomerFileScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { actions, file, list, merges, now, person, timeline } = loaderData
  const { project, projects } = file
  const link = useLastActionData(actionData && 'link' in actionData ? actionData.link : undefined)
  return (
    <>
      <PageHeader
        title={calledBy(person)}
        subtitle={file.active ? undefined : <Badge tone="neutral">Cuenta inactiva</Badge>}
        back={list}
        actions={<ActionLinks actions={actions} />}
      />
      <OrphanedFormError />
      {merges.map((merge) => (
        <MergeNotice key={merge.id} merge={merge} now={now} />
      ))}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
        <div className="grid grid-cols-1 gap-4">
          {project && projects.length > 1 && (
            <ProjectsCard customerId={file.id} projects={projects} chosen={project.id} />
          )}
          {project ? <Standing project={project} now={now} /> : <NoProject />}
          {project?.tasks && project.tasks.length > 0 && <ProjectTasks tasks={project.tasks} now={now} />}
          {project && <ProjectParts loaded={loaderData} project={project} />}
        </div>
        <aside
          aria-label="Datos del cliente"
          className="grid grid-cols-1 gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1"
        >
          <Side loaded={loaderData} link={link} />
        </aside>
        <CustomerTimeline {...timeline} />
      </div>
    </>
  )
}

type SideProps = { loaded: Loaded; link: string | undefined }

type ProjectPartsProps = { loaded: Loaded; project: Project }

/** What a call is about, before the history. */
const ProjectParts = ({ loaded: { hasCases, moves, now }, project }: ProjectPartsProps) => (
  <>
    {project.appointments.length > 0 && <ProjectAppointments rows={project.appointments} moves={moves} />}
    {project.quotes.length > 0 && <ProjectQuotes rows={project.quotes} />}
    {project.money && hasMoney(project) && <ProjectMoney project={project} money={project.money} />}
    {project.cases.length > 0 && <ProjectCases rows={project.cases} isLinked={hasCases} now={now} />}
  </>
)

/** Beside the project: how to reach the customer, their home, and their account. */
function Side({ link, loaded }: SideProps) {
  const { accountPath, brand, edit, editsAddress, ending, file, letter, mergePath, person } = loaded
  const { project } = file
  const home = file.projects.find(({ id }) => id === project?.id)?.address ?? null
  return (
    <>
      <ContactCard
        file={file}
        greeting={`Hola${file.name ? `, ${file.name}` : ''}. Te escribimos de ${brand}.`}
      >
        {edit && (
          <div className="grid gap-4">
            <Corrections person={person} edit={edit} />
          </div>
        )}
      </ContactCard>
      <HomeCard
        address={home}
        areaTask={file.areaTask}
        editPath={
          editsAddress ? homePath(file.id, file.projects.length > 1 ? (project?.id ?? null) : null) : null
        }
      />
      {letter && !hasMailbox(file.email) && <NoAccessCard />}
      {letter && hasMailbox(file.email) && (
        <AccessCard
          letter={letter}
          link={link}
          phone={file.phone}
          signInUrl={loaded.signInUrl}
          brand={brand}
        />
      )}
      {ending && <ProjectEndingCard ending={ending} asks={loaded.asksToLose === true} />}
      {mergePath && (
        <p>
          <Link to={mergePath}>Es la misma persona que…</Link>
        </p>
      )}
      {accountPath && (
        <p>
          <Link to={accountPath}>Su cuenta, rol y concesionaria</Link>
        </p>
      )}
    </>
  )
}

const NoProject = () => (
  <Card>
    <p className="text-mute">Todavía no tiene proyecto: empieza cuando da su domicilio o agenda.</p>
  </Card>
)

/** Whether there is anything to charge yet. */
const hasMoney = ({ money, quotes }: Project) => quotes.length > 0 || (money?.payments.length ?? 0) > 0

type ProjectMoneyProps = { project: Project; money: NonNullable<Project['money']> }

/** What is charged, paid and owed, the state of each payment, and whether invoices can be issued. */
const ProjectMoney = ({ money: { ledger, payments }, project: { fiscal, id } }: ProjectMoneyProps) => (
  <Card title="Pagos" aside={<Link to={customersAccountPath(id)}>Ver la cuenta</Link>}>
    <DefinitionList
      items={[
        { term: 'Total a pagar', value: inPesos(ledger.charged) },
        { term: 'Pagado', value: inPesos(ledger.held) },
        ledger.credit > 0
          ? { term: 'A favor', value: inPesos(ledger.credit) }
          : { term: 'Falta', value: <strong>{inPesos(ledger.owed)}</strong> },
        { term: 'Datos fiscales', value: fiscal ? fiscalStateFacts[fiscal].label : 'No los ha dado' },
      ]}
    />
    {payments.length > 0 && (
      <ul className="grid gap-3 border-t border-line pt-4">
        {payments.map(({ amount, folio, id: paymentId, method, paidAt, ...payment }) => (
          <PartRow
            key={paymentId}
            note={[folio, method && methodLabels[method], paidAt && shortDate(paidAt)]
              .filter(Boolean)
              .join(', ')}
            badge={<PaymentBadge {...payment} />}
          >
            {`${conceptOf(payment)}, ${inPesos(amount)}`}
          </PartRow>
        ))}
      </ul>
    )}
  </Card>
)

const line: readonly Stage[] = stages.filter((stage) => stage !== 'lost')

/** How far the project is, in words and as a line of stages, whose turn it is, and what is to be installed. */
function Standing({ project, now }: { project: Project; now: Date }) {
  const { agency, agencyId, charger, standing, vehicle } = project
  const { since, stage, waitingOn } = standing
  const at = line.indexOf(stage)
  const act = waitingOn !== 'none' && turnActs[stage][waitingOn]?.act
  return (
    <Card title={stageLabels[stage]}>
      <p>
        {waitingOn === 'none' ? (
          <strong>Nada pendiente</strong>
        ) : (
          <>
            <span className="text-mute">Le toca a: </span>
            <strong>{turnLabels[waitingOn]}</strong>
            {act && <span className="text-mute">{`: ${lowerFirst(act)}`}</span>}
          </>
        )}
        {since && <span className="text-mute">{`, ${relative(since, now)}`}</span>}
      </p>
      {stage !== 'lost' && (
        <ol aria-label="Etapas" className="grid grid-cols-4 gap-x-2 gap-y-3 sm:grid-cols-8">
          {line.map((one, n) => (
            <li
              key={one}
              aria-current={one === stage ? 'step' : undefined}
              className="grid content-start gap-1.5"
            >
              <span
                aria-hidden
                className={classNames('h-1.5 rounded-full', n <= at ? 'bg-brand' : 'bg-track')}
              />
              <span className={classNames('text-[0.8125rem]', one === stage ? 'font-semibold' : 'text-mute')}>
                {stageLabels[one]}
              </span>
            </li>
          ))}
        </ol>
      )}
      <DefinitionList
        className="empty:hidden"
        items={[
          { term: 'Auto', value: vehicleInWords(vehicle) },
          { term: 'Cargador', value: chargerInWords(charger) },
          { term: 'Concesionaria', value: agency && <Link to={`/admin/agency/${agencyId}`}>{agency}</Link> },
        ]}
      />
    </Card>
  )
}
