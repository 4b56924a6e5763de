import { Link } from 'react-router'
import { appointmentPath } from '../../domain/appointment-path.ts'
import { formatPhone, telLink, whatsappLink } from '../format.ts'
import type { Failure } from '../submit.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
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
  const { id, subject, person, phone, since, urgent, appointment, quoteId } = task
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
      <Form result={result} className="gap-3">
        <input type="hidden" name="taskId" value={id} />
        <Field label="¿En qué quedó?" name="result" />
        <Submit variant="ghost">Listo</Submit>
      </Form>
    </Card>
  )
}
