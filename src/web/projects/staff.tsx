import { z } from 'zod'
import { db, modules } from '../../server/app/context.ts'
import { closeTask, taskInput } from '../../server/projects/tasks-changes.ts'
import { areaInput, verifyArea } from '../../server/projects/verify-area.ts'
import { declineClaim, declineInput, reopenClaim, reopenInput } from '../../server/reports/claim-answers.ts'
import { invitationAtHome } from '../../server/users/shown-invitation.ts'
import { registerPath } from '../agencies/list-query.ts'
import { toast } from '../lib/flash.ts'
import { useRefreshIn } from '../lib/refresh-in.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { accept, acceptInput } from '../users/accept-invitation.ts'
import { InvitationCard } from '../users/invitation-card.tsx'
import { codeIn } from '../users/invitation-link.ts'
import type { Route } from './+types/staff.ts'
import { AllyCards } from './ally-cards.tsx'
import { DaysAhead } from './days-ahead.tsx'
import { Desk, ReturnedSheets } from './desk.tsx'
import { Figures } from './figures.tsx'
import { NextCard } from './next-card.tsx'
import { loadBlocks } from './staff-loader.ts'
import { Tasks } from './tasks.tsx'
import { TimeOff } from './time-off.tsx'
import { Upcoming } from './upcoming.tsx'
import { WaitingCalls } from './waiting-calls.tsx'

export const handle = { announcesUpdates: true }

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const [actor, database, now] = [someone(context), context.get(db), new Date()]
  const code = codeIn(url)
  const [blocks, invitation] = await Promise.all([
    loadBlocks(database, actor, now, context.get(modules)),
    invitationAtHome(database, actor, code, now),
  ])
  return { ...blocks, code, invitation, name: actor.name ?? '' }
}

const formInput = z.discriminatedUnion('intent', [
  acceptInput,
  reopenInput,
  declineInput,
  areaInput,
  taskInput.extend({ intent: z.literal('close-task').optional() }),
])

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, formInput, async (input) => {
    if (input.intent === 'accept-invitation') return accept(context, input)
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (input.intent === 'reopen-claim') {
      await reopenClaim(database, actor, input, now)
      return toast('/admin', 'La cita se reabrió', 'Quedó como su técnico la entregó.')
    }
    if (input.intent === 'decline-claim') {
      await declineClaim(database, actor, input, now)
      return toast('/admin', 'No se reabrió', 'Le avisamos a su técnico.')
    }
    if (input.intent === 'verify-area') {
      await verifyArea(database, actor, input, now)
      return toast('/admin', 'Domicilio verificado', 'Le avisamos al cliente por correo.')
    }
    await closeTask(database, actor, input, now)
    return toast('/admin', 'Pendiente atendido', 'Ya salió de la lista.')
  })

export default function StaffHome({ loaderData, actionData }: Route.ComponentProps) {
  const { name, figures, ally, tasks, invitation, code, next, days, upcoming, timeOff } = loaderData
  useRefreshIn(loaderData.refreshIn)
  const accepting = actionData?.values.intent === 'accept-invitation' ? actionData : undefined
  const heard = accepting ? undefined : actionData
  return (
    <>
      <PageHeader
        title={`Hola, ${name}`}
        subtitle={figures.length > 0 ? 'Esto es lo que hay.' : 'Aquí verás lo que te toca.'}
        actions={ally && <LinkButton to={registerPath}>Registrar cliente</LinkButton>}
      />
      <WaitingCalls calls={loaderData.waiting} now={loaderData.now} />
      <InvitationCard invitation={invitation} code={code} result={accepting} />
      <ReturnedSheets rows={loaderData.returned} />
      {next && <NextCard {...next} />}
      <Figures figures={figures} />
      {loaderData.isGesterWithoutCases && <GestersWork />}
      {ally && <AllyCards {...ally} />}
      <Desk {...loaderData} />
      {days && <DaysAhead days={days} />}
      {timeOff && <TimeOff requests={timeOff} />}
      {upcoming && <Upcoming rows={upcoming} />}
      {heard?.refusal && !tasks?.some(({ id }) => id === heard.values.taskId) && (
        <Alert tone="bad" title={heard.refusal.title}>
          {heard.refusal.description}
        </Alert>
      )}
      <Tasks tasks={tasks} result={heard} />
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
