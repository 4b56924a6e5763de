import type { Service } from '../../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../../domain/appointments/appointment-path.ts'
import { lateChoicesAt, type RunningLate } from '../../../domain/appointments/running-late.ts'
import { duration, theTime } from '../../../domain/shared/format.ts'
import { Form, Submit } from '../../ui/form.tsx'
import { fromHome } from '../paths.ts'

type LateFormProps = {
  stop: { id: string; service: Service; startsAt: Date; runningLate: RunningLate | null }
  now: Date
  /** Home leads back to itself. */
  isHome?: boolean
  /** Of one's own stop, or of a technician's. */
  isOwn?: boolean
}

/** Says by how much the assignee is late, in one tap; what was said last can be taken back. */
export function LateForm({ stop, now, isHome = false, isOwn = true }: LateFormProps) {
  const { runningLate } = stop
  const choices = lateChoicesAt(stop, now).filter((minutes) => minutes !== runningLate?.minutes)
  if (choices.length === 0 && !runningLate) return null
  return (
    <Form intent="runLate" by="move" action={appointmentPath('pending', stop)} className="gap-2">
      {isHome && <input type="hidden" name="from" value={fromHome} />}
      <p className="text-mute">
        {runningLate
          ? `Le dijimos al cliente que ${isOwn ? 'llegas' : 'llega'} cerca de ${theTime(runningLate.until)}`
          : isOwn
            ? '¿Vas tarde? Le avisamos al cliente.'
            : '¿Va tarde? Le avisamos al cliente.'}
      </p>
      <div className="grid auto-cols-fr grid-flow-col gap-2">
        {choices.map((minutes) => (
          <Submit key={minutes} name="minutes" value={String(minutes)} variant="ghost" className="px-1!">
            <span className="sr-only">{isOwn ? 'Voy tarde: ' : 'Va tarde: '}</span>
            {duration(minutes)}
          </Submit>
        ))}
        {runningLate && (
          <Submit name="minutes" value="0" variant="ghost" className="px-1!">
            A tiempo
          </Submit>
        )}
      </div>
    </Form>
  )
}
