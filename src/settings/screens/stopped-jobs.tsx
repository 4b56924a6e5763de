import { Form, Submit } from '../../kit/form/form.tsx'
import { letterName } from '../../notifications/screens/email-names.ts'
import type { DiscardedQueue, StoppedQueue } from '../../platform/jobs/dead-letters.ts'
import { counted } from '../../shared/format.ts'
import { Card, Details } from '../../ui/card.tsx'
import { discardedDays } from '../rules/settings.ts'
import { isMail, jobName, jobsId } from './system-work.ts'

const countOf = (queue: string, count: number) =>
  isMail(queue)
    ? counted(count, 'correo sin enviar', 'correos sin enviar')
    : counted(count, 'tarea sin hacer', 'tareas sin hacer')

const intents = ['settings.jobs.retry', 'settings.jobs.discard']

type Shown = Omit<StoppedQueue, 'since'> & { since: string }
type Discarded = Omit<DiscardedQueue, 'until'> & { until: string }

type StoppedJobsProps = { queues: readonly Shown[]; discarded: readonly Discarded[] }

/** The automatic tasks that the app gave up; nothing where there are none. */
export function StoppedJobs({ discarded, queues }: StoppedJobsProps) {
  if (queues.length + discarded.length === 0) return null
  return (
    <Card title="Tareas automáticas detenidas" id={jobsId} className="scroll-mt-4">
      {queues.length > 0 && (
        <p className="text-mute">
          El sistema no pudo hacerlas. Cuando lo que fallaba ya funcione, inténtalas otra vez.
        </p>
      )}
      <ul className="grid gap-4">
        {queues.map(({ queue, count, letters, since }) => (
          <li key={queue} className="grid gap-3 border-t border-line pt-4">
            <p>
              <span className="font-medium">{jobName(queue)}</span>
              <span className="text-mute">
                {' · '}
                {countOf(queue, count)}, {isMail(queue) ? 'el primero' : 'la primera'} {since}
              </span>
            </p>
            <Letters letters={letters} count={count} />
            <Form intent={intents} target={{ queue }} className="gap-3">
              <div>
                <Submit name="intent" value="settings.jobs.retry">
                  Intentar otra vez
                </Submit>
              </div>
              <Details summary="Descartar">
                <p>
                  Deja de avisarte y no se hará, salvo que lo traigas de vuelta en los próximos{' '}
                  {discardedDays} días.
                </p>
                <div>
                  <Submit name="intent" value="settings.jobs.discard" variant="destructive">
                    Descartar {countOf(queue, count)}
                  </Submit>
                </div>
              </Details>
            </Form>
          </li>
        ))}
        {discarded.map(({ count, queue, until }) => (
          <li
            key={queue}
            className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4"
          >
            <p>
              <span className="font-medium">{jobName(queue)}</span>
              <span className="text-mute">
                {' · '}
                {countOf(queue, count)} que descartaste. Se borra el {until}
              </span>
            </p>
            <Form intent="settings.jobs.restore" target={{ queue }}>
              <Submit variant="ghost">Deshacer</Submit>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type LettersProps = Pick<Shown, 'letters' | 'count'>

/** Which e-mails, to whom, and what is to be done where only a person can. */
function Letters({ letters, count }: LettersProps) {
  if (letters.length === 0) return null
  return (
    <ul className="grid gap-2">
      {letters.map(({ email, letter, name, refused }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and none moves.
        <li key={place} className="wrap-anywhere">
          {letterName(letter)}
          {email && `, a ${[name, email].filter(Boolean).join(', ')}`}
          {refused && (
            <span className="block text-sm text-mute">
              Su correo no existe o no recibe mensajes. Avísale de otra forma y corrige su correo.
            </span>
          )}
        </li>
      ))}
      {count > letters.length && <li className="text-mute">Y {count - letters.length} más.</li>}
    </ul>
  )
}
