import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { arrivalWindow, atTime, dateTime, shortDate } from '../../domain/shared/format.ts'
import type { OwnMoveOffer } from '../../server/scheduling/absences-queries.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { pageOf } from './agenda-paths.ts'

type MoveOfferProps = { service: Service; window: number; offer: OwnMoveOffer }

/** Another time, because whoever was coming can't: to be taken or not. */
export function MoveOffer({ service, window, offer: { expiresAt, from, id, to } }: MoveOfferProps) {
  const hour = service === 'videocall' ? atTime(to) : arrivalWindow(to, window)
  return (
    <Card title="Te proponemos otro horario" className="border-brand">
      <p>
        La persona que te iba a atender el {dateTime(from)} no puede ese día. Lo sentimos. Este cambio no
        cuenta entre los tuyos.
      </p>
      <p className="rounded-card bg-brand-soft px-4 py-3">
        <b className="block text-lg font-semibold">{shortDate(to)}</b>
        {hour}
      </p>
      <Form intent={['accept-move', 'decline-move']} target={{ offerId: id }}>
        <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
          <Submit name="intent" value="accept-move">
            Aceptar
          </Submit>
          <Submit name="intent" value="decline-move" variant="ghost">
            No me queda
          </Submit>
        </div>
      </Form>
      <p className="text-sm text-mute">Contesta antes del {dateTime(expiresAt)}</p>
    </Card>
  )
}

/** On the page of one service: the way to the offer about another. */
export const AskedElsewhere = ({ service }: { service: Service }) => (
  <Alert
    tone="wait"
    title="Te proponemos otro horario"
    actions={<LinkButton to={pageOf[service]}>Ver y contestar</LinkButton>}
  >
    Para tu {serviceFacts[service].label.toLowerCase()}.
  </Alert>
)
