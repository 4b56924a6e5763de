import { BellRing, CalendarClock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { OwnMoveOffer } from '../../dispatch/move-offers.ts'
import type { OwnWaiting } from '../../dispatch/waiting-list.ts'
import { ReasonNote, Select } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { dateTime, shortDate, theTime } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { AllowedActions } from '../change-time.ts'
import { customerReasons, type Service, serviceFacts } from '../rules/appointment.ts'
import type { MissedStep } from '../rules/nobody-came.ts'
import { agendaPageOf, changePath } from '../rules/paths.ts'
import { arrivalSentence, momentFor } from '../rules/promise.ts'
import { someoneElse } from '../rules/rules.ts'
import type { OwnServicePage } from './service-server.ts'

type OwnChangesProps = {
  service: Service
  now: Date
  rights: AllowedActions
  waiting: OwnWaiting
  /** Whether the page says already until when it can be changed. */
  isTold: boolean
}

/** What a customer can do about a booked appointment: another time, an earlier one if one opens, or none. */
export function OwnChanges({ service, now, rights, waiting, isTold }: OwnChangesProps) {
  const { folio, id, mayCancel, mayCancelLate, mayComeEarlier, mayMove } = rights
  if (!mayCancel && !mayCancelLate) return null
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <p className="text-[0.9375rem] text-mute">
        {isTold && mayMove ? changesLeft(rights) : limits(rights, now)}{' '}
        {mayComeEarlier && waiting.isWaiting && 'Te avisamos por correo si se abre un lugar antes.'}
      </p>
      {(mayMove || mayComeEarlier) && (
        <div className="grid gap-3 sm:flex sm:flex-wrap">
          {mayMove && (
            <LinkButton to={changePath(service, id)} variant="ghost">
              <CalendarClock aria-hidden className="size-5" />
              Cambiar de hora
            </LinkButton>
          )}
          {mayComeEarlier && <Earlier isWaiting={waiting.isWaiting} />}
        </div>
      )}
      {!mayMove && <Help about={`Hola, necesito cambiar mi cita ${folio}`} />}
      <CancelForm rights={rights} />
    </div>
  )
}

/** Until when and how often, in words. */
function limits({ left, mayCancel, mayMove, until }: AllowedActions, now: Date): string {
  if (mayCancel && now > until)
    return 'Nadie llegó a tu llamada: puedes cancelarla o cambiarla de hora sin que cuente entre tus cambios.'
  if (!mayCancel) return 'Ya pasó el plazo para cambiarla en línea. Escríbenos y te ayudamos.'
  const free = `Hasta el ${dateTime(until)} puedes cancelarla`
  if (!mayMove) return `${free}. Ya usaste tus cambios. Si necesitas otro horario, escríbenos.`
  return `${free} o cambiarla de hora. ${changesLeft({ left })}`
}

const changesLeft = ({ left }: Pick<AllowedActions, 'left'>) =>
  left === 1 ? 'Te queda 1 cambio.' : `Te quedan ${left} cambios.`

/** "Avísame si se abre antes", or its withdrawal. */
export function Earlier({ isWaiting }: { isWaiting: boolean }) {
  const intent = isWaiting ? 'stop-waiting' : 'ask-earlier'
  return (
    <Form intent={intent} className="sm:w-auto">
      <Submit variant="ghost">
        <BellRing aria-hidden className="size-5" />
        {isWaiting ? 'Ya no me avises' : 'Avísame si se abre antes'}
      </Submit>
    </Form>
  )
}

const reasonLabels: Record<(typeof customerReasons)[number], string> = {
  cliente_no_disponible: 'No puedo a esa hora',
  cliente_se_arrepiente: 'Ya no la quiero',
  duplicada: 'La agendé dos veces',
  otro: 'Otro motivo',
}

function CancelForm({ rights }: Pick<OwnChangesProps, 'rights'>) {
  const { id, mayCancel, version } = rights
  const late = (
    <p className="text-[0.9375rem]">
      Ya pasó el plazo para cancelar, pero puedes hacerlo: avisamos de inmediato a quien te iba a atender.
      Después puedes agendar otra cita.
    </p>
  )
  return (
    // The limit may have passed between the form and its answer: what was typed belongs to either form.
    <FormDetails
      summary={mayCancel ? 'Cancelar cita' : 'Cancelar de todos modos'}
      intent={['cancel', 'cancel-late']}
      target={{ appointmentId: id }}
      intro={!mayCancel && late}
    >
      <input type="hidden" name="version" value={version} />
      <Select
        label="Motivo"
        name="reason"
        placeholder="Elige un motivo"
        options={customerReasons.map((value) => ({ value, label: reasonLabels[value] }))}
      />
      <ReasonNote label="Cuéntanos más" name="note" maxLength={500} />
      <Submit name="intent" value={mayCancel ? 'cancel' : 'cancel-late'} variant="destructive">
        {mayCancel ? 'Cancelar cita' : 'Cancelar de todos modos'}
      </Submit>
    </FormDetails>
  )
}

/** What waits for an answer of the customer, of this service and of others. */
export const Offers = ({ page }: { page: OwnServicePage }) => (
  <>
    {page.moveOffer && <MoveOffer service={page.service} window={page.window} offer={page.moveOffer} />}
    {page.asked.map((one) => one !== page.service && <AskedElsewhere key={one} service={one} />)}
    {page.waiting.offer && <HeldOut {...page} offer={page.waiting.offer} />}
  </>
)

type MoveOfferProps = { service: Service; window: number; offer: OwnMoveOffer }

/** Another time, because the assignee can't come: the customer accepts or rejects it. */
function MoveOffer({ service, window, offer: { expiresAt, from, id, to } }: MoveOfferProps) {
  return (
    <Card title="Te proponemos otro horario" className="border-brand">
      <p>
        Quien te iba a atender el {momentFor({ service, startsAt: from }, window)} ya no puede ese día. Lo
        sentimos. Este cambio no cuenta entre los tuyos.
      </p>
      <p className="rounded-card bg-brand-soft px-4 py-3">
        <b className="block text-lg font-semibold">{shortDate(to)}</b>
        {arrivalSentence({ service, startsAt: to }, window)}
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

/** On the page of one service: the link to the offer for another. */
const AskedElsewhere = ({ service }: { service: Service }) => (
  <Alert
    tone="wait"
    title="Te proponemos otro horario"
    actions={<LinkButton to={agendaPageOf[service]}>Ver y contestar</LinkButton>}
  >
    Para tu {serviceFacts[service].label.toLowerCase()}.
  </Alert>
)

type HeldOutProps = {
  service: Service
  window: number
  now: Date
  offer: NonNullable<OwnWaiting['offer']>
}

/** An earlier time that opened, offered for a while: the first customer to accept it has it. */
function HeldOut({ service, window, now, offer }: HeldOutProps) {
  const { id, startsAt, expiresAt, isGone } = offer
  const minutes = useMinutesUntil(expiresAt, now)
  if (isGone) return <Alert tone="info" title={someoneElse} />
  return (
    <Alert
      tone="info"
      title={`Se abrió un lugar antes: ${shortDate(startsAt)}`}
      actions={
        <Form intent={['claim', 'decline']} target={{ offerId: id }}>
          <div className="flex flex-wrap gap-2">
            <Submit name="intent" value="claim">
              Quiero este horario
            </Submit>
            <Submit name="intent" value="decline" variant="ghost">
              No, gracias
            </Submit>
          </div>
        </Form>
      }
    >
      {arrivalSentence({ service, startsAt }, window)} Se lo queda quien lo elija primero. Tienes hasta{' '}
      {theTime(expiresAt)}
      <span aria-hidden>
        {minutes > 0 && ` (${minutes === 1 ? 'queda 1 minuto' : `quedan ${minutes} minutos`}).`}
      </span>
    </Alert>
  )
}

const aMinute = 60_000

/** Whole minutes left, counted while the page is open; at the end the page revalidates. */
function useMinutesUntil(end: Date, now: Date): number {
  const { revalidate } = useRevalidator()
  const [at, setAt] = useState(now.getTime())
  const left = end.getTime() - at
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(
      () => {
        setAt(Date.now())
        if (Date.now() >= end.getTime()) void revalidate()
      },
      left % aMinute || aMinute,
    )
    return () => clearTimeout(timer)
  }, [left, end, revalidate])
  return Math.max(0, Math.ceil(left / aMinute))
}

const missedNotices: Record<MissedStep, { title: string; text: string; tone: Tone } | null> = {
  reported: {
    tone: 'wait',
    title: 'Ya sabemos que nadie llegó',
    text: 'Te llamamos cuanto antes para arreglarlo.',
  },
  calling: {
    tone: 'wait',
    title: 'Ya sabemos que nadie llegó',
    text: 'La oficina te está llamando: ten tu teléfono a la mano.',
  },
  coming: {
    tone: 'info',
    title: 'Perdona la espera',
    text: 'Si en media hora sigue sin llegar, dínoslo otra vez aquí.',
  },
  was_there: {
    tone: 'wait',
    title: 'Nos dicen que sí estuvimos ahí',
    text: 'Si no fue así, dínoslo otra vez y lo arreglamos contigo.',
  },
  moved: {
    tone: 'info',
    title: 'Este es tu nuevo horario',
    text: 'Perdona que nadie llegara a la cita anterior.',
  },
  arrived: null,
}

/**
 * From half an hour after the start the customer can report that the assignee did not come; then one sentence says where
 * it stands, until somebody is there.
 */
export function NobodyCame({ rights: { id, mayReport, missed } }: { rights: AllowedActions }) {
  const notice = missed && missedNotices[missed]
  return (
    <>
      {notice && (
        <Alert tone={notice.tone} title={notice.title}>
          {notice.text}
        </Alert>
      )}
      {mayReport && (
        <Form intent="nobody-came" target={{ appointmentId: id }} className="border-t border-line pt-4">
          <p>
            {missed && missed !== 'moved'
              ? '¿Sigue sin llegar nadie? Avísanos y te llamamos de inmediato.'
              : '¿Ya pasó la hora y nadie llegó? Avísanos y te llamamos de inmediato.'}
          </p>
          <Submit>Nadie llegó</Submit>
        </Form>
      )}
    </>
  )
}
