import { CalendarClock, Hourglass, PhoneCall } from 'lucide-react'
import { formatPhone } from '../../domain/shared/format.ts'
import type { OwnCall } from '../../server/calls/own-call.ts'
import { concerning } from '../accounts/form-concerned.ts'
import { changePath } from '../agenda/paths.ts'
import type { Failure } from '../submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type WaysOutProps = { id: string; call: OwnCall; result: Failure | undefined }

/** What a customer may choose whose analyst does not come: to be phoned, another time that is not counted, or to wait on. */
export function WaysOut({ id, call: { phone }, result }: WaysOutProps) {
  return (
    <section aria-label="Qué prefieres" className="grid gap-4">
      {/* It comes up by itself, while one waits in the room: a screen reader says it. */}
      <div role="alert">
        <Alert tone="wait" title="Tu analista no ha llegado. Lo sentimos.">
          Elige qué prefieres. Nada de esto cuenta entre tus cambios.
        </Alert>
      </div>
      <div className="grid gap-3">
        <Form result={concerning(result, 'ask-call-back')}>
          <input type="hidden" name="appointmentId" value={id} />
          <Submit name="intent" value="ask-call-back">
            <PhoneCall aria-hidden className="size-5" />
            Te llamamos{phone && ` al ${formatPhone(phone)}`}
          </Submit>
        </Form>
        <div className="grid gap-3 sm:grid-cols-2">
          <LinkButton to={changePath('videocall', id)} variant="ghost">
            <CalendarClock aria-hidden className="size-5" />
            Otro horario
          </LinkButton>
          <Form result={concerning(result, 'keep-waiting')}>
            <input type="hidden" name="appointmentId" value={id} />
            <Submit name="intent" value="keep-waiting" variant="ghost">
              <Hourglass aria-hidden className="size-5" />
              Seguir esperando
            </Submit>
          </Form>
        </div>
      </div>
    </section>
  )
}
