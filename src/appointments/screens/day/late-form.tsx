import { Form, Submit } from '../../../kit/form/form.tsx'
import { duration, theTime } from '../../../shared/format.ts'
import type { Service } from '../../rules/appointment.ts'
import { appointmentPath } from '../../rules/appointment-path.ts'
import { lateChoicesAt, type RunningLate } from '../../rules/running-late.ts'
import { lateIn, useMovesOnPhone } from './phone-steps.ts'

type LateFormProps = {
  stop: { id: string; service: Service; startsAt: Date; runningLate: RunningLate | null }
  now: Date
  /** The screen it leads back to, where that is not the stop's own. */
  from?: 'home'
  /** Who says it of their own stop; null of a technician's. */
  personId: string | null
}

/** Says by how much the assignee is late, in one tap; what was said last can be taken back. */
export function LateForm({ stop, now, from, personId }: LateFormProps) {
  const here = lateIn(useMovesOnPhone(personId), stop.id)
  const said = here ? here.minutes : (stop.runningLate?.minutes ?? 0)
  const choices = lateChoicesAt(stop, now).filter((minutes) => minutes !== said)
  if (choices.length === 0 && said === 0 && !here?.isWaiting) return null
  const isOwn = personId !== null
  return (
    <Form intent="runLate" by="move" action={appointmentPath('pending', stop)} className="gap-2">
      {from && <input type="hidden" name="from" value={from} />}
      <p className="text-mute">
        {here?.isWaiting ? (
          <span className="font-semibold text-wait">{`${said ? `${duration(said)} tarde` : 'A tiempo'}, por enviar`}</span>
        ) : said ? (
          `Le dijimos al cliente que ${isOwn ? 'llegas' : 'llega'} cerca de ${theTime(after(stop, said))}`
        ) : isOwn ? (
          '¿Vas tarde? Le avisamos al cliente.'
        ) : (
          '¿Va tarde? Le avisamos al cliente.'
        )}
      </p>
      <div className="grid auto-cols-fr grid-flow-col gap-2">
        {choices.map((minutes) => (
          <Submit key={minutes} name="minutes" value={String(minutes)} variant="ghost" className="px-1!">
            <span className="sr-only">{isOwn ? 'Voy tarde: ' : 'Va tarde: '}</span>
            {duration(minutes)}
          </Submit>
        ))}
        {said > 0 && (
          <Submit name="minutes" value="0" variant="ghost" className="px-1!">
            A tiempo
          </Submit>
        )}
      </div>
    </Form>
  )
}

const after = ({ startsAt }: LateFormProps['stop'], minutes: number) =>
  new Date(startsAt.getTime() + minutes * 60_000)
