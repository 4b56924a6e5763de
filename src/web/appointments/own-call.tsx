import { PhoneCall } from 'lucide-react'
import type { CallTurn } from '../../domain/calls/room.ts'
import { formatPhone, localDay, shortDate, theTime } from '../../domain/shared/format.ts'
import type { OwnCall as Call } from '../../server/calls/own-call.ts'
import { Alert } from '../ui/alert.tsx'
import { Details } from '../ui/details.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { WaysOut } from './ways-out.tsx'

export type OwnCallProps = { id: string; call: Call; now: Date }

const titles: Record<Exclude<CallTurn, 'left_alone' | 'call_back'>, string> = {
  open: 'La sala ya está abierta',
  expected: 'Tu analista te espera en la sala',
  waiting: 'Estás en la sala de espera',
  talking: 'Tu llamada ya empezó',
}

/** How the room of a booked call stands: when it opens and what to have at hand, who waits for whom, or what can be done. */
export function OwnCall(props: OwnCallProps) {
  const { now } = props
  const { opensAt, turn } = props.call
  const isAsking = useFormResult('ask-call-back') !== undefined
  if (turn === 'left_alone' || turn === 'call_back') return <WhileWaiting {...props} />
  if (!turn) return <Preparing opensAt={opensAt} now={now} />
  return (
    <>
      <Alert tone={turn === 'expected' ? 'ok' : 'info'} title={titles[turn]}>
        {turn === 'open' && 'Antes de entrar pruebas tu cámara, tu micrófono y tu conexión.'}
      </Alert>
      <Details summary="¿No puedes entrar a la llamada?" open={isAsking}>
        <AskCallBack {...props} />
      </Details>
    </>
  )
}

/** What a customer is asked whose analyst does not come, in the room and outside, or does not come back; nothing before. */
export function WhileWaiting({ call, ...rest }: OwnCallProps) {
  if (call.turn === 'left_alone') return <WaysOut call={call} {...rest} />
  if (call.turn === 'talking') return <AskCallBack call={call} {...rest} />
  return call.turn === 'call_back' ? <CallBackAsked call={call} /> : null
}

const Preparing = ({ opensAt, now }: { opensAt: Date; now: Date }) => (
  <Alert tone="info" title={`La sala abre ${onDay(opensAt, now)}a ${theTime(opensAt)}`}>
    <p>Mientras tanto, ten a la mano:</p>
    <ul className="mt-1 list-disc pl-5">
      <li>tu recibo de luz más reciente</li>
      <li>una foto de tu medidor y otra de tu tablero eléctrico</li>
      <li>el modelo de tu auto, si ya lo sabes</li>
    </ul>
  </Alert>
)

/** The phone in the place of the picture: said once, it shows where they will be called. */
export function AskCallBack({ id, call }: OwnCallProps) {
  if (call.callBackAskedAt) return <CallBackAsked call={call} />
  return (
    <Form intent="ask-call-back" target={{ appointmentId: id }}>
      <p>Si el video no te funciona, te llamamos{at(call.phone)} y hablamos por teléfono.</p>
      <Submit variant="ghost">
        <PhoneCall aria-hidden className="size-5" />
        Te llamamos
      </Submit>
    </Form>
  )
}

/** An hour alone would be today's. */
const onDay = (at: Date, now: Date) => (localDay(at) === localDay(now) ? '' : `el ${shortDate(at)} `)

const CallBackAsked = ({ call: { phone } }: { call: Call }) => (
  <Alert tone="wait" title={`Te llamamos${at(phone)} lo antes posible`}>
    Ten tu teléfono a la mano. Ya no tienes que esperar en la sala.
  </Alert>
)

const at = (phone: string | null) => (phone ? ` al ${formatPhone(phone)}` : '')
