import { Field, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { addressLine } from '../../projects/rules/address.ts'
import { pinOf } from '../../projects/rules/pin.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { formatPhone, mapLink, telLink, whatsappLink } from '../../shared/format.ts'
import type { WorkLine } from './work-lines.ts'

type Task = NonNullable<WorkLine['task']>

/** The forms of a task. */
export const taskIntents = ['close-task', 'verify-area', 'reopen-claim', 'decline-claim']

/** What is answered to a task that is done by hand, folded until it is. */
export function TaskAnswer({
  id,
  task: { claim, home, person, personId, phone },
}: {
  id: string
  task: Task
}) {
  const isAnswered = useFormResult(taskIntents, { taskId: id }) !== undefined
  if (claim === 'waits') return <p className="text-sm text-mute">Decide la gerencia.</p>
  return (
    <details open={isAnswered}>
      <summary className="inline-flex min-h-11 items-center text-[0.9375rem] font-medium text-brand select-none hover:underline">
        {claim ? 'Decidir' : home ? 'Responder' : 'Anotar en qué quedó'}
      </summary>
      <div className="grid max-w-xl gap-3 pb-2">
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
