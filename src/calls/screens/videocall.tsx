import { CalendarClock, Hourglass, PhoneCall } from 'lucide-react'
import { agendaPageOf, changePath } from '../../appointments/rules/paths.ts'
import { AfterCall, isUnfinished, MissedCall } from '../../appointments/screens/appointment-card.tsx'
import { Room, ServicePage } from '../../appointments/screens/service-page.tsx'
import { ownForms, ownService } from '../../appointments/screens/service-server.ts'
import { nearestFreeSlots } from '../../appointments/transition.ts'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { useRefreshIn } from '../../kit/refresh-in.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { formatPhone, localDay, shortDate, theTime } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Details } from '../../ui/card.tsx'
import { type OwnCall as Call, callEntry, type OwnCall } from '../queries.ts'
import type { CallTurn } from '../rules/room.ts'
import type { Route } from './+types/videocall.ts'
import { CallRoom } from './call-room.tsx'

type OwnCallProps = { id: string; call: Call; now: Date }

const titles: Record<Exclude<CallTurn, 'left_alone' | 'call_back'>, string> = {
  open: 'La sala ya está abierta',
  expected: 'Tu analista te espera en la sala',
  waiting: 'Estás en la sala de espera',
  talking: 'Tu llamada ya empezó',
}

/** The room of a booked call: when it opens and what to have at hand, who waits for whom, or what can be done. */
function OwnCallCard(props: OwnCallProps) {
  const { now } = props
  const { opensAt, turn } = props.call
  const isAsking = useFormResult('ask-call-back') !== undefined
  if (turn === 'left_alone' || turn === 'call_back')
    return (
      <>
        <WhileWaiting {...props} />
        <Room turn={turn} />
      </>
    )
  if (!turn) return <Preparing opensAt={opensAt} now={now} />
  return (
    <>
      <Alert tone={turn === 'expected' ? 'ok' : 'info'} title={titles[turn]} actions={<Room turn={turn} />}>
        {turn === 'open' && 'Antes de entrar pruebas tu cámara, tu micrófono y tu conexión.'}
      </Alert>
      <Details summary="¿No puedes entrar a la llamada?" open={isAsking}>
        <AskCallBack {...props} />
      </Details>
    </>
  )
}

/** What a customer is asked when the analyst does not come, or does not come back, in the room and outside. */
function WhileWaiting({ call, ...rest }: OwnCallProps) {
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

/** The phone replaces the picture: given once, it shows which number we call. */
function AskCallBack({ id, call }: OwnCallProps) {
  if (call.callBackAskedAt) return <CallBackAsked call={call} />
  return (
    <Form intent="ask-call-back" target={{ appointmentId: id }}>
      <p>Si el video no te funciona, te llamamos{at(call.phone)} y hablamos por teléfono.</p>
      <Submit variant="ghost">
        <PhoneCall aria-hidden className="size-5" />
        Llámenme por teléfono
      </Submit>
    </Form>
  )
}

/** An hour alone would mean today's. */
const onDay = (at: Date, now: Date) => (localDay(at) === localDay(now) ? '' : `el ${shortDate(at)} `)

const CallBackAsked = ({ call: { phone } }: { call: Call }) => (
  <Alert tone="wait" title={`Te llamamos${at(phone)} lo antes posible`}>
    Ten tu teléfono a la mano. Ya no tienes que esperar en la sala.
  </Alert>
)

const at = (phone: string | null) => (phone ? ` al ${formatPhone(phone)}` : '')

type WaysOutProps = { id: string; call: OwnCall }

/** The options of a customer whose analyst does not come: a phone call, a new time that does not count, or to wait. */
function WaysOut({ id, call: { phone } }: WaysOutProps) {
  return (
    <section aria-label="Qué prefieres" className="grid gap-4">
      {/* It appears by itself, while the customer waits in the room: a screen reader announces it. */}
      <div role="alert">
        <Alert tone="wait" title="Tu analista no ha llegado. Lo sentimos.">
          Elige qué prefieres. Nada de esto cuenta entre tus cambios.
        </Alert>
      </div>
      <div className="grid gap-3">
        <Form intent="ask-call-back" target={{ appointmentId: id }}>
          <Submit>
            <PhoneCall aria-hidden className="size-5" />
            Llámenme{phone && ` al ${formatPhone(phone)}`}
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

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

/** What is booked and what was; with `?llamada`, while it is open, the way into the room. */
export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const { db, actor } = signedIn(context)
  const page = await ownService(context, 'videocall', url)
  const { active, hindrance, now, past } = page
  const missed = !active && past[0]?.isMissed ? past[0] : null
  const canBook = missed && hindrance === null
  const asksIn = url.searchParams.has('llamada') && active
  return {
    ...page,
    isMissed: missed !== null,
    slots: canBook ? await nearestFreeSlots(db, { ...missed, municipality: null }, now) : [],
    entry: asksIn ? await callEntry(db, actor, active.id, now) : null,
  }
}

export const action = forms(({ request, context }: Route.ActionArgs) =>
  ownForms(context, request, 'videocall'),
)

export default function VideoCall({ loaderData: page }: Route.ComponentProps) {
  const { active, call, entry, isMissed, line, now, past, slots } = page
  const own = active && call && { id: active.id, call, now }
  useRefreshIn(call?.changesIn ?? null)
  useStepFocus(entry && own ? 'room' : 'page')
  if (entry && own)
    return (
      <CallRoom
        entry={entry}
        backTo={agendaPageOf.videocall}
        whileWaiting={<WhileWaiting {...own} />}
        noWay={<AskCallBack {...own} />}
      />
    )
  return (
    <ServicePage
      page={page}
      current={own ? <OwnCallCard {...own} /> : isMissed && <MissedCall slots={slots} />}
      last={past[0] && !isUnfinished(past[0]) && <AfterCall line={line} />}
    />
  )
}
