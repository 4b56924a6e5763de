import { Link } from 'react-router'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { addressLine } from '../../domain/projects/address.ts'
import { formatPhone, telLink, whatsappLink } from '../../domain/shared/format.ts'
import { mapLink } from '../appointments/place.ts'
import type { Failure } from '../lib/submit.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Blocks } from './staff-loader.ts'

type Task = NonNullable<Blocks['tasks']>[number]
type TasksProps = {
  /** Null where it is not theirs to do. */
  tasks: readonly Task[] | null
  result: Failure | undefined
}

/** What somebody must do by hand, what is urgent first. */
export function Tasks({ tasks, result }: TasksProps) {
  if (!tasks) return null
  return (
    <section id="pendientes" className="grid scroll-mt-4 gap-4">
      <h2 className="text-lg font-semibold">Pendientes</h2>
      {tasks.length === 0 && <p className="text-mute">No hay nada pendiente.</p>}
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {tasks.map((task) => (
          <li key={task.id}>
            <TaskCard task={task} result={result?.values.taskId === task.id ? result : undefined} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TaskCard({ task, result }: { task: Task; result: Failure | undefined }) {
  const { id, subject, person, phone, since, urgent, appointment, quoteId, home } = task
  return (
    <Card
      title={subject}
      aside={
        <span className="flex items-center gap-3">
          {urgent && <Badge tone="bad">Urgente</Badge>}
          <span className="text-sm text-mute">{since}</span>
        </span>
      }
    >
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
        {appointment && (
          <>
            {' · '}
            <Link to={appointmentPath('pending', appointment)}>Ver la cita</Link>
          </>
        )}
        {quoteId && (
          <>
            {' · '}
            <Link to={`/admin/cotizations/detail-quote/${quoteId}`}>Ver la cotización</Link>
          </>
        )}
      </p>
      {task.claim === 'waits' && <p className="text-mute">Decide la gerencia.</p>}
      {task.claim === 'decides' && <ClaimForms taskId={id} result={result} />}
      {home && <AreaForm taskId={id} home={home} result={result} />}
      {!task.claim && !home && (
        <Form result={result} className="gap-3">
          <input type="hidden" name="taskId" value={id} />
          <Field label="¿En qué quedó?" name="result" />
          <Submit variant="ghost">Listo</Submit>
        </Form>
      )}
    </Card>
  )
}

/** The manager decides about an appointment that was done when it was taken from its technician. */
function ClaimForms({ taskId, result }: { taskId: string; result: Failure | undefined }) {
  const heard = (intent: string) => (result?.values.intent === intent ? result : undefined)
  return (
    <>
      <p className="text-[0.9375rem] text-mute">
        Su reporte, fotos y firmas están en la cita. Si la reabres, queda realizada como la entregó.
      </p>
      <Form result={heard('reopen-claim')}>
        <input type="hidden" name="taskId" value={taskId} />
        <Submit name="intent" value="reopen-claim">
          Reabrir la cita
        </Submit>
      </Form>
      <Details summary="No reabrirla" open={heard('decline-claim') !== undefined}>
        <Form result={heard('decline-claim')}>
          <input type="hidden" name="taskId" value={taskId} />
          <input type="hidden" name="intent" value="decline-claim" />
          <TextArea
            label="Dile por qué"
            name="words"
            maxLength={500}
            help="Le llega a su técnico por correo."
          />
          <Submit variant="destructive">No reabrirla</Submit>
        </Form>
      </Details>
    </>
  )
}

type AreaFormProps = { taskId: string; home: NonNullable<Task['home']>; result: Failure | undefined }

/** Whether we reach a home: where it is, and the two answers. */
function AreaForm({ taskId, home, result }: AreaFormProps) {
  const place = addressLine(home)
  return (
    <>
      <p>
        {place}
        {' · '}
        <a href={mapLink(place)} target="_blank" rel="noreferrer">
          Ver en el mapa
        </a>
      </p>
      <Form result={result} className="flex flex-wrap gap-3 *:flex-1">
        <input type="hidden" name="intent" value="verify-area" />
        <input type="hidden" name="taskId" value={taskId} />
        <input type="hidden" name="version" value={home.version} />
        <Submit variant="ghost" name="answer" value="no">
          No llegamos
        </Submit>
        <Submit name="answer" value="yes">
          Sí llegamos
        </Submit>
      </Form>
    </>
  )
}
