import { ChevronRight, CircleAlert } from 'lucide-react'
import { Fragment } from 'react'
import { moveCode } from '../../agencies/codes.ts'
import { approvesCodes } from '../../agencies/rules/codes.ts'
import { commissionStateFacts, commissionStates } from '../../agencies/rules/commissions.ts'
import { codeAnswerInput } from '../../agencies/rules/referral-schema.ts'
import { agencyPath, registerPath } from '../../agencies/screens/agency-paths.ts'
import { StageBadge } from '../../agencies/screens/badges.tsx'
import { assign } from '../../appointments/assign.ts'
import { confirmChosen } from '../../appointments/assign-many.ts'
import type { NextOwn } from '../../appointments/list-filter.ts'
import type { CountedFigure, ListedAppointment } from '../../appointments/lists.ts'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { confirmingInput } from '../../appointments/rules/schema.ts'
import { redirectAfterConfirming } from '../../appointments/screens/after-confirming.ts'
import { AppointmentTable } from '../../appointments/screens/appointment-table.tsx'
import { NextStop } from '../../appointments/screens/day/next-stop.tsx'
import { StateBadge } from '../../appointments/screens/state-badge.tsx'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast, redirectWithUndo } from '../../kit/flash.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { oneOf } from '../../kit/list/filters.ts'
import { useRefreshIn } from '../../kit/refresh-in.ts'
import { requestOf, signedIn } from '../../kit/request.ts'
import { form, forms } from '../../kit/submit.ts'
import { figuresPath, readsProjects } from '../../projects/rules/pipeline.ts'
import { taskInput } from '../../projects/rules/schema.ts'
import { declineClaim, reopenClaim } from '../../reports/review.ts'
import { countWords } from '../../shared/count.ts'
import { counted, money, thousands } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { Refusal, refuse } from '../../shared/refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card, cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { invitationAtHome } from '../../users/accept.ts'
import { InvitationCard } from '../../users/screens/invitation-card.tsx'
import { invitationCodeIn, invitationForms } from '../../users/screens/invitation-link.ts'
import { verifyArea } from '../addresses.ts'
import { type WorkKind, whenWords, workKinds } from '../rules/work.ts'
import { workInput } from '../rules/work-schema.ts'
import { closeTask } from '../tasks.ts'
import { assignWork, snoozeWork } from '../work-marks.ts'
import type { Route } from './+types/staff.ts'
import { DaysAhead, ReturnedSheets, WaitingCalls } from './desk.tsx'
import { type AllyBlocks, loadBlocks } from './staff-loader.ts'
import { Night, todoPath, WorkList } from './work-list.tsx'

/** An ally's clients by stage, each stage with the link to its list, and what their agency has earned. */
const AllyCards = ({ agencyId, stages, sums }: AllyBlocks) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
    {stages.length > 0 && <Stages stages={stages} />}
    <Card
      title="Comisiones de tu concesionaria"
      aside={
        <Link to={agencyPath(agencyId, 'comisiones')} prefetch="intent" className={more}>
          Ver por mes
        </Link>
      }
    >
      <dl className="grid gap-2.5">
        {commissionStates.map((state) => (
          <div key={state} className="flex flex-wrap items-center justify-between gap-x-3">
            <dt>
              <Badge tone={commissionStateFacts[state].tone}>{commissionStateFacts[state].label}</Badge>
            </dt>
            <dd className="font-semibold">{money(sums[state])}</dd>
          </div>
        ))}
      </dl>
    </Card>
  </div>
)

const more = '-my-2 flex min-h-11 items-center text-[0.9375rem] font-medium text-mute hover:text-ink'

function Stages({ stages }: Pick<AllyBlocks, 'stages'>) {
  const most = Math.max(...stages.map(({ count }) => count))
  return (
    <Card
      title="Tus clientes por etapa"
      aside={
        <Link to="/admin/alliate/clients" prefetch="intent" className={more}>
          Ver todos
        </Link>
      }
    >
      <ul className="-mx-2 grid">
        {stages.map(({ stage, count, to }) => (
          <li key={stage}>
            <Link
              to={to}
              prefetch="intent"
              className="grid min-h-11 grid-cols-[10rem_1fr_2.5rem] items-center gap-3 rounded-control px-2 text-ink no-underline hover:bg-hover"
            >
              <span>
                <StageBadge stage={stage} />
              </span>
              <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-track">
                <span
                  className="block h-full rounded-full bg-brand"
                  style={{ width: `${(count / most) * 100}%` }}
                />
              </span>
              <span className="text-right font-semibold">{thousands(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The counts, each with the link to its list; an urgent one is red. Nothing is said of none. */
function Figures({ figures }: { figures: readonly CountedFigure[] }) {
  const shown = figures.filter(({ total }) => total > 0)
  if (shown.length === 0) return null
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {shown.map(({ label, to, total, isMore, urgent: isBad }) => {
        return (
          <li key={to} className="grid">
            <Link
              to={to}
              prefetch="intent"
              className={classNames(
                cardClass,
                'grid content-between gap-1 p-4 text-ink no-underline hover:bg-hover',
                isBad && 'border-bad',
              )}
            >
              <span className="text-sm text-mute">{label}</span>
              <span
                className={classNames(
                  'flex items-center gap-2 font-semibold',
                  isMore ? 'text-lg' : 'text-2xl',
                  isBad && 'text-bad',
                )}
              >
                {isBad && <CircleAlert aria-hidden className="size-5 shrink-0" />}
                {countWords({ total, isMore })}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** The same in one quiet line, for whom they are no work: "10 próximas citas · 2 en ruta". */
function QuietFigures({ figures }: { figures: readonly CountedFigure[] }) {
  const shown = figures.filter(({ total }) => total > 0)
  if (shown.length === 0) return null
  return (
    <ul aria-label="Cifras" className="-my-2 flex flex-wrap gap-x-5 text-[0.9375rem]">
      {shown.map(({ isMore, many, one, to, total }) => (
        <li key={to}>
          <Link
            to={to}
            prefetch="intent"
            className="flex min-h-11 items-center gap-1.5 font-normal text-mute no-underline hover:text-ink hover:underline"
          >
            <span className="font-semibold text-ink">{countWords({ total, isMore })}</span>
            {total === 1 ? one : many}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** What the user carries out next: the whole card is a link. */
const NextCard = ({ id, service, state, customer, municipality, when }: NextOwn & { when: string }) => (
  <Link
    to={appointmentPath('pending', { id, service })}
    prefetch="intent"
    className={`${cardClass} flex items-center justify-between gap-4 p-4 text-ink no-underline hover:bg-hover sm:p-5`}
  >
    <span className="grid gap-1">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-mute">
        {service === 'videocall' ? 'Tu próxima llamada' : 'Lo que sigue'}
        <StateBadge state={state} service={service} />
      </span>
      <span className="text-xl font-semibold first-letter:uppercase">
        {when.split(', ').map((part, n) => (
          <Fragment key={part}>
            {n > 0 && ', '}
            <span className="whitespace-nowrap">{part}</span>
          </Fragment>
        ))}
      </span>
      <span className="wrap-anywhere">
        {[customer, serviceFacts[service].label, municipality && municipalityLabel(municipality)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
    <ChevronRight aria-hidden className="size-6 shrink-0 text-mute" />
  </Link>
)

/** The next appointments of an agency's clients. */
function Upcoming({ rows, now }: { rows: readonly ListedAppointment[]; now: Date }) {
  if (rows.length === 0) return null
  return (
    <section className="grid gap-4">
      <h2 className="text-lg font-semibold">Lo que sigue con tus clientes</h2>
      <AppointmentTable
        caption="Próximas citas de tus clientes"
        rows={rows}
        now={now}
        pathOf={(row) => appointmentPath('pending', row, 'alliate')}
        withAssignee={false}
      />
    </section>
  )
}

export const handle = { announcesUpdates: true }

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const { actor, db, now, modules } = signedIn(context)
  const lists = await requestOf(context).lists()
  const code = invitationCodeIn(url)
  const [blocks, invitation] = await Promise.all([
    loadBlocks({ db, lists }, { actor, now, on: modules, view: viewIn(url) }),
    invitationAtHome(db, actor, code, now),
  ])
  return {
    ...blocks,
    code,
    invitation,
    name: actor.name ?? '',
    figuresPath: readsProjects(actor) === 'all' ? figuresPath : null,
  }
}

/** What of the work an address asks for. */
const viewIn = (url: URL) =>
  oneOf([...(Object.keys(workKinds) as WorkKind[]), 'mias', 'pospuestas'] as const).read(
    url.searchParams.get('todo') ?? '',
  ) ?? null

/** Each answer leads back to what of the work was shown. */
export const action = forms(({ context, url }: Route.ActionArgs) => {
  const back = todoPath(viewIn(url))
  return {
    ...invitationForms(context),
    ...settlingForms(context, back),
    ...taskForms(context, back),
    ...markForms(context, back),
  }
})

/** A line of work has no box for the reason that a soft rule asks for: the words above it say all. */
function withoutField(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  const { code, description, title } = error
  throw new Refusal(code, { title, description })
}

/** What is settled in the list of work itself. */
function settlingForms(context: Route.ActionArgs['context'], back: string) {
  const { db, actor, now } = signedIn(context)
  return {
    confirm: form(confirmingInput.confirm, async ({ appointmentId, ...choice }) => {
      const input = { ...choice, overrideReason: null }
      const confirmed = await assign(db, actor, appointmentId, input, now).catch(withoutField)
      const whose = { of: 'appointments', id: appointmentId } as const
      const told = await customerWords(db, whose, 'Avisamos al cliente y a su técnico.')
      const words = `Es ${whenWords(confirmed.startsAt, now)} ${told}`
      return redirectWithUndo(back, 'Cita asignada', words, [confirmed])
    }),
    'confirm-all': form(confirmingInput['confirm-all'], async ({ proposed }) => {
      return redirectAfterConfirming(back, await confirmChosen(db, actor, proposed, now))
    }),
    'codes.approve': form(codeAnswerInput['codes.approve'], async ({ codeId, version }) => {
      if (!approvesCodes(actor)) refuse('permission-denied')
      const { code } = await moveCode(db, actor, codeId, 'approve', { version }, now)
      return redirectWithToast(back, `Aprobaste el código ${code}`, 'Ya sirve. Se lo decimos por correo.')
    }),
  }
}

function taskForms(context: Route.ActionArgs['context'], back: string) {
  const { db, actor, now } = signedIn(context)
  return {
    'close-task': form(taskInput['close-task'], async (answer) => {
      await closeTask(db, actor, answer, now)
      return redirectWithToast(back, 'Pendiente atendido', 'Ya salió de la lista.')
    }),
    'verify-area': form(taskInput['verify-area'], async (answer) => {
      await verifyArea(db, actor, answer, now)
      return redirectWithToast(back, 'Domicilio verificado', 'Le avisamos al cliente, si tiene correo.')
    }),
    'reopen-claim': form(taskInput['reopen-claim'], async (answer) => {
      await reopenClaim(db, actor, answer, now)
      return redirectWithToast(back, 'La cita se reabrió', 'Quedó como su técnico la entregó.')
    }),
    'decline-claim': form(taskInput['decline-claim'], async (answer) => {
      await declineClaim(db, actor, answer, now)
      return redirectWithToast(back, 'No se reabrió', 'Le avisamos a su técnico.')
    }),
  }
}

/** Who takes ticked lines, and until when they are put off. */
function markForms(context: Route.ActionArgs['context'], back: string) {
  const { db, actor, now } = signedIn(context)
  const asked = workInput(now)
  return {
    'assign-work': form(asked['assign-work'], async (input) => {
      const taker = await assignWork(db, actor, input)
      const lines = counted(input.lines.length, 'renglón', 'renglones')
      return redirectWithToast(back, taker ? `Lo tiene ${taker}` : 'Vuelve a ser de todos', `${lines}.`)
    }),
    'snooze-work': form(asked['snooze-work'], async (input) => {
      const until = await snoozeWork(db, actor, input, now)
      const words = `Vuelve ${whenWords(until!, now)}, o antes si empeora. Para toda la oficina.`
      return redirectWithToast(back, 'Pospuesto', words)
    }),
    'return-work': form(asked['return-work'], async ({ lines }) => {
      await snoozeWork(db, actor, { lines, until: null }, now)
      return redirectWithToast(back, 'De vuelta en Inicio', 'Ya no están pospuestos.')
    }),
  }
}

export default function StaffHome({ loaderData }: Route.ComponentProps) {
  const { name, figures, ally, invitation, code, day, next, night, days, now, upcoming, work } = loaderData
  useRefreshIn(loaderData.refreshIn)
  if (day)
    return (
      <>
        <OrphanedFormError />
        <InvitationCard invitation={invitation} code={code} />
        <NextStop day={day} name={name} />
        <ReturnedSheets rows={loaderData.returned} />
        <QuietFigures figures={figures} />
      </>
    )
  const plainSummary = figures.some(({ total }) => total > 0)
    ? 'Esto es lo de hoy.'
    : 'Aquí verás lo que te toca.'
  return (
    <>
      <PageHeader
        title={`Hola, ${name}`}
        subtitle={work?.summary ?? plainSummary}
        actions={ally && <LinkButton to={registerPath}>Registrar cliente</LinkButton>}
      />
      <OrphanedFormError />
      <WaitingCalls calls={loaderData.waiting} now={now} />
      <InvitationCard invitation={invitation} code={code} />
      {next && <NextCard {...next} />}
      {work && <WorkList {...work} now={now} figuresPath={loaderData.figuresPath} />}
      {night && <Night {...night} />}
      {work ? <QuietFigures figures={figures} /> : <Figures figures={figures} />}
      {loaderData.isGesterWithoutCases && <GestersWork />}
      {ally && <AllyCards {...ally} />}
      {days && <DaysAhead days={days} />}
      {upcoming && <Upcoming rows={upcoming} now={now} />}
    </>
  )
}

/** Where a gester's work is while cases have no pages of their own. */
const GestersWork = () => (
  <Card title="Tu trabajo, por ahora">
    <p>
      Los trámites ante CFE todavía no se llevan aquí: te los pasa la gerencia. Lo que necesitas de cada
      instalación está en sus citas realizadas y en su cotización.
    </p>
    <div className="flex flex-wrap gap-3">
      <LinkButton variant="ghost" to="/admin/appointments-done">
        Citas realizadas
      </LinkButton>
      <LinkButton variant="ghost" to="/admin/cotizations">
        Cotizaciones
      </LinkButton>
      <LinkButton variant="ghost" to="/admin/users">
        Equipo
      </LinkButton>
    </div>
  </Card>
)
