import { serviceFacts } from '../../domain/appointments/appointment.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { pageOf } from '../appointments/agenda-paths.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import type { OpenOffer } from './offers-loader.ts'

/** What waits for the customer's answer, each with the way to the page where it is given. */
export const OpenOffers = ({ offers }: { offers: readonly OpenOffer[] }) =>
  offers.map(({ id, service, isMove, startsAt, expiresAt }) => (
    <Alert
      key={id}
      tone={isMove ? 'wait' : 'info'}
      title={isMove ? 'Te proponemos otro horario' : 'Se abrió un lugar antes'}
      actions={<LinkButton to={pageOf[service]}>Ver y contestar</LinkButton>}
    >
      {serviceFacts[service].label}: {dateTime(startsAt)} Contesta antes del {dateTime(expiresAt)}
    </Alert>
  ))
