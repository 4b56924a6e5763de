import { PenLine } from 'lucide-react'
import { Field, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { addressLine } from '../../projects/rules/address.ts'
import { pinOf } from '../../projects/rules/pin.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { formatPhone, mapLink, telLink, whatsappLink } from '../../shared/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import type { WorkLine } from './work-lines.ts'

type Task = NonNullable<WorkLine['task']>

const taskIntents = ['close-task', 'verify-area', 'reopen-claim', 'decline-claim']

type TaskAnswerProps = {
  id: string
  task: Task
  /** All that the line says of it, which may be cut there. */
  facts: string
  title: string
  /** Beside the line's button. */
  isBeside: boolean
}

/** What is answered to a task that is done by hand, folded at the end of its line until it is. */
export function TaskAnswer({ facts, id, isBeside, task, title }: TaskAnswerProps) {
  const { claim, home, person, personId, phone } = task
  const isAnswered = useFormResult(taskIntents, { taskId: id }) !== undefined
  if (claim === 'waits') return null
  return (
    <details
      open={isAnswered}
      className="col-start-3 row-start-1 justify-self-end open:col-span-full open:row-start-3 open:justify-self-stretch lg:col-start-6 lg:open:col-start-3 lg:open:row-start-2"
    >
      <summary className={buttonClass('ghost', 'px-3! lg:min-h-8! lg:px-2! lg:py-0.5')}>
        <PenLine aria-hidden className="size-5" />
        <span className={isBeside ? 'sr-only' : undefined}>
          {claim ? 'Decidir' : home ? 'Responder' : 'Anotar'}
        </span>
        <span className="sr-only">
          {claim || home ? null : ' en qué quedó'}: {title}
        </span>
      </summary>
      <div className="grid max-w-xl gap-3 py-2">
        <p className="text-[0.9375rem] wrap-anywhere">{facts || title}</p>
        {person && (
          <p className="text-[0.9375rem]">
            <CustomerLink id={personId}>{person}</CustomerLink>
          </p>
        )}
        {phone && (
          <p className="text-[0.9375rem]">
            <a href={telLink(phone)}>{formatPhone(phone)}</a>
            {' · '}
            <a href={whatsappLink(phone)}>WhatsApp</a>
          </p>
        )}
        {claim && <ClaimForms taskId={id} />}
        {home && (
          <>
            <AreaPlace home={home} />
            <AreaForm taskId={id} home={home} />
          </>
        )}
        {!claim && !home && (
          <Form intent="close-task" target={{ taskId: id }} className="gap-3">
            <Field label="¿En qué quedó?" name="result" />
            <Submit variant="ghost">Listo</Submit>
          </Form>
        )}
      </div>
    </details>
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
        <NoWayBack to="a su técnico" />
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
      <a href={mapLink(place, pinOf(home))} target="_blank" rel="noreferrer">
        Ver en el mapa
      </a>
    </p>
  )
}

/** Whether we reach a home: the two answers. */
export function AreaForm({ taskId, home }: { taskId: string; home: Pick<AreaFormProps['home'], 'version'> }) {
  return (
    <Form intent="verify-area" target={{ taskId }} className="flex flex-wrap gap-3 *:flex-1">
      <input type="hidden" name="version" value={home.version} />
      <div className="basis-full">
        <NoWayBack to="al cliente, si tiene correo" />
      </div>
      <Submit variant="ghost" name="answer" value="no">
        No llegamos
      </Submit>
      <Submit name="answer" value="yes">
        Sí llegamos
      </Submit>
    </Form>
  )
}
