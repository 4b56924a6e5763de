import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { addressLine } from '../../domain/projects/address.ts'
import { formatPhone, mapLink, telLink, whatsappLink } from '../../domain/shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, FormDetails, Submit } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { CustomerLink } from './customer-link.tsx'
import type { Blocks } from './staff-loader.ts'

type Task = NonNullable<Blocks['tasks']>[number]
type TasksProps = {
  /** Null where the user has no such tasks. */
  tasks: readonly Task[] | null
}

/** What the staff must do by hand, urgent tasks first. */
export function Tasks({ tasks }: TasksProps) {
  if (!tasks) return null
  return (
    <section id="pendientes" className="grid scroll-mt-4 gap-4">
      <h2 className="text-lg font-semibold">Pendientes</h2>
      {tasks.length === 0 && <p className="text-mute">No hay nada pendiente.</p>}
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {tasks.map((task) => (
          <li key={task.id}>
            <TaskCard task={task} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TaskCard({ task }: { task: Task }) {
  const { id, subject, person, personId, phone, since, urgent, appointment, quoteId, home } = task
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
        {person && <CustomerLink id={personId}>{person}</CustomerLink>}
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
      {task.claim === 'decides' && <ClaimForms taskId={id} />}
      {home && (
        <>
          <AreaPlace home={home} />
          <AreaForm taskId={id} home={home} />
        </>
      )}
      {!task.claim && !home && (
        <Form intent="close-task" target={{ taskId: id }} className="gap-3">
          <Field label="¿En qué quedó?" name="result" />
          <Submit variant="ghost">Listo</Submit>
        </Form>
      )}
    </Card>
  )
}

/** The manager decides about an appointment that was done when it was taken from its technician. */
function ClaimForms({ taskId }: { taskId: string }) {
  return (
    <>
      <p className="text-[0.9375rem] text-mute">
        Su reporte, fotos y firmas están en la cita. Si la reabres, queda realizada como la entregó.
      </p>
      <Form intent="reopen-claim" target={{ taskId }}>
        <Submit>Reabrir la cita</Submit>
      </Form>
      <FormDetails summary="No reabrirla" intent="decline-claim" target={{ taskId }}>
        <TextArea
          label="Dile por qué"
          name="words"
          maxLength={500}
          help="Le llega a su técnico por correo."
        />
        <Submit variant="destructive">No reabrirla</Submit>
      </FormDetails>
    </>
  )
}

type AreaFormProps = { taskId: string; home: NonNullable<Task['home']> }

/** Where a home is that waits for an answer. */
function AreaPlace({ home }: Pick<AreaFormProps, 'home'>) {
  const place = addressLine(home)
  return (
    <p>
      {place}
      {' · '}
      <a href={mapLink(place)} target="_blank" rel="noreferrer">
        Ver en el mapa
      </a>
    </p>
  )
}

/** Whether we reach a home: the two answers. */
export function AreaForm({ taskId, home }: AreaFormProps) {
  return (
    <Form intent="verify-area" target={{ taskId }} className="flex flex-wrap gap-3 *:flex-1">
      <input type="hidden" name="version" value={home.version} />
      <Submit variant="ghost" name="answer" value="no">
        No llegamos
      </Submit>
      <Submit name="answer" value="yes">
        Sí llegamos
      </Submit>
    </Form>
  )
}
