import { Link } from 'react-router'
import { z } from 'zod'
import type { StaffKind } from '../../domain/actor.ts'
import { countDone, countPending, countToAssign } from '../../server/appointments/counts.ts'
import { db } from '../../server/context.ts'
import { closeTask, taskInput } from '../../server/tasks/changes.ts'
import { openTasks } from '../../server/tasks/queries.ts'
import { invitationAtHome } from '../../server/users/shown-invitation.ts'
import { toast } from '../flash.ts'
import { formatPhone, relative, telLink, thousands, whatsappLink } from '../format.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { Alert } from '../ui/alert.tsx'
import { Card, cardClass } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import { accept, acceptInput } from '../users/accept-invitation.ts'
import { InvitationCard } from '../users/invitation-card.tsx'
import { codeIn } from '../users/invitation-link.ts'
import type { Route } from './+types/staff.ts'

export const handle = { announcesUpdates: true }

type FigureName = 'toAssign' | 'pending' | 'done'
/** The figures each kind starts its day with; gester's and ally's own work comes with its screens. */
const figuresOf: Record<StaffKind, readonly FigureName[]> = {
  manager: ['toAssign', 'pending', 'done'],
  analyst: ['pending', 'done'],
  tecnician: ['pending', 'done'],
  gester: [],
  alliate: ['pending', 'done'],
}
const figures = {
  toAssign: { label: 'Por asignar', to: '/admin/assignations', count: countToAssign },
  pending: { label: 'Próximas citas', to: '/admin/appointments-pending', count: countPending },
  done: { label: 'Citas realizadas', to: '/admin/appointments-done', count: countDone },
}

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const actor = someone(context)
  const database = context.get(db)
  const names = actor.kind ? figuresOf[actor.kind] : []
  const code = codeIn(url)
  const [counts, tasks, invitation] = await Promise.all([
    Promise.all(names.map((name) => figures[name].count(database, actor))),
    openTasks(database, actor),
    invitationAtHome(database, actor, code, new Date()),
  ])
  return {
    code,
    invitation,
    name: actor.name ?? '',
    figures: names.map((name, index) => ({
      label: figures[name].label,
      to: figures[name].to,
      count: counts[index] ?? 0,
    })),
    tasks: tasks.map(({ createdAt, ...task }) => ({ ...task, since: relative(createdAt, new Date()) })),
  }
}

const formInput = z.discriminatedUnion('intent', [
  acceptInput,
  taskInput.extend({ intent: z.literal('close-task').optional() }),
])

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, formInput, async (input) => {
    if (input.intent === 'accept-invitation') return accept(context, input)
    await closeTask(context.get(db), someone(context), input, new Date())
    return toast('/admin', 'Pendiente atendido')
  })

export default function StaffHome({
  loaderData: { name, figures: shown, tasks, invitation, code },
  actionData,
}: Route.ComponentProps) {
  const accepting = actionData?.values.intent === 'accept-invitation' ? actionData : undefined
  const heard = accepting ? undefined : actionData
  return (
    <>
      <PageHeader
        title={`Hola, ${name}`}
        subtitle={shown.length > 0 ? 'Esto es lo que hay.' : 'Aquí verás lo que te toca.'}
      />
      <InvitationCard invitation={invitation} code={code} result={accepting} />
      {shown.length > 0 && (
        <ul className="grid gap-4 sm:grid-cols-3">
          {shown.map(({ label, to, count }) => (
            <li key={to}>
              <Link
                to={to}
                prefetch="intent"
                className={`${cardClass} block p-4 text-ink no-underline hover:bg-hover`}
              >
                <span className="text-sm text-mute">{label}</span>
                <span className="block text-2xl font-semibold">{thousands(count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {heard?.refusal && !tasks.some(({ id }) => id === heard.values.taskId) && (
        <Alert tone="bad" title={heard.refusal.title}>
          {heard.refusal.description}
        </Alert>
      )}
      {tasks.length > 0 && (
        <section className="grid gap-4">
          <h2 className="font-semibold">Pendientes</h2>
          <ul className="grid gap-4 lg:grid-cols-2">
            {tasks.map((task) => (
              <li key={task.id}>
                <TaskCard task={task} result={heard?.values.taskId === task.id ? heard : undefined} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

type TaskCardProps = {
  task: Route.ComponentProps['loaderData']['tasks'][number]
  result: Route.ComponentProps['actionData']
}

function TaskCard({ task: { id, subject, person, phone, since }, result }: TaskCardProps) {
  return (
    <Card title={subject} aside={<span className="text-sm text-mute">{since}</span>}>
      <p>
        {person}
        {phone && (
          <>
            {' · '}
            <a href={telLink(phone)}>{formatPhone(phone)}</a>
            {' · '}
            <a href={whatsappLink(phone)}>WhatsApp</a>
          </>
        )}
      </p>
      <Form result={result} className="gap-3">
        <input type="hidden" name="taskId" value={id} />
        <Field label="¿En qué quedó?" name="result" />
        <Submit variant="ghost">Listo</Submit>
      </Form>
    </Card>
  )
}
