import { CalendarClock, Hourglass, PhoneCall } from 'lucide-react'
import { formatPhone } from '../../domain/shared/format.ts'
import type { OwnCall } from '../../server/calls/own-call.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { changePath } from './agenda-paths.ts'

type WaysOutProps = { id: string; call: OwnCall }

/** What a customer may choose whose analyst does not come: to be phoned, another time that is not counted, or to wait on. */
export function WaysOut({ id, call: { phone } }: WaysOutProps) {
  return (
    <section aria-label="Qué prefieres" className="grid gap-4">
      {/* It comes up by itself, while one waits in the room: a screen reader says it. */}
      <div role="alert">
        <Alert tone="wait" title="Tu analista no ha llegado. Lo sentimos.">
          Elige qué prefieres. Nada de esto cuenta entre tus cambios.
        </Alert>
      </div>
      <div className="grid gap-3">
        <Form intent="ask-call-back" target={{ appointmentId: id }}>
          <Submit>
            <PhoneCall aria-hidden className="size-5" />
            Te llamamos{phone && ` al ${formatPhone(phone)}`}
          </Submit>
        </Form>
        <div className="grid gap-3 sm:grid-cols-2">
          <LinkButton to={changePath('videocall', id)} variant="ghost">
            <CalendarClock aria-hidden className="size-5" />
            Otro horario
          </LinkButton>
          <Form intent="keep-waiting" target={{ appointmentId: id }}>
            <Submit variant="ghost">
              <Hourglass aria-hidden className="size-5" />
              Seguir esperando
            </Submit>
          </Form>
        </div>
      </div>
    </section>
  )
}
