import { CalendarPlus, Circle, CircleCheck } from 'lucide-react'
import { Fragment } from 'react'
import type { preparations } from '../../customers/rules/customer-home.ts'
import type { ArrivalSpan } from '../../dispatch/rules/arrival.ts'
import { TextArea } from '../../kit/form/field.tsx'
import { FormDetails, Submit } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { CallHour } from '../../kit/own-hour.tsx'
import { useRefreshIn } from '../../kit/refresh-in.ts'
import { PhotoImage } from '../../photos/photo-image.tsx'
import type { Facade } from '../../reports/photo-addresses.ts'
import { arrivalWindow, dateTime, duration } from '../../shared/format.ts'
import { dayHeading } from '../../shared/spoken-days.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import {
  type AppointmentState,
  type ClosingReason,
  type Interest,
  interestLabel,
  isActive,
  type Outcome,
  reasonToCustomer,
  type Service,
  serviceFacts,
} from '../rules/appointment.ts'
import { isUnanswered, type MissedStep } from '../rules/nobody-came.ts'
import { agendaPageOf, calendarFileOf, slotPath } from '../rules/paths.ts'
import { arrivalSentence, hourFor, promisedMinutes } from '../rules/promise.ts'
import { CustomerBadge } from './state-badge.tsx'

/** By what a customer knows who comes. */
type Who = { car: string | null; plates: string | null; credential: string | null; photoTag: string | null }

/** An appointment as its customer may know it. */
export type ShownAppointment = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  assignee: string | null
  interest: Interest | null
  outcome: Outcome | null
  closingReason: ClosingReason | null
  closingNote: string | null
  place: string | null
  /** What its customer wrote when booking. */
  notes: string | null
  /** Of a call: what was talked about, what follows, and whether no analyst came. */
  summary: string | null
  nextSteps: string | null
  isMissed: boolean
  /** By what its customer knows the confirmed assignee, until it is over. */
  who: Who | null
  /** When its technician arrives, while on the way. */
  arrival: ArrivalSpan | null
  /** Where its customer's report stands that nobody came. */
  missed: MissedStep | null
}
type AppointmentCardProps = {
  appointment: ShownAppointment
  /** Minutes within which the assignee arrives. */
  window: number
  now: Date
  /** Whether the page says its day and hour already. */
  isTold?: boolean
  children?: React.ReactNode
}

/** An appointment as its customer sees it: when, where, the assignee, and last its folio; the possible actions below. */
export function AppointmentCard({ appointment, window, now, isTold, children }: AppointmentCardProps) {
  const { arrival, assignee, service, who } = appointment
  const isShown = who !== null && Object.values(who).some(Boolean)
  return (
    <Card title={`Tu ${serviceFacts[service].label.toLowerCase()}`} aside={<VisitBadge of={appointment} />}>
      {!isTold && <When appointment={appointment} window={window} now={now} />}
      {assignee && isShown && (
        <WhoComes
          label="Te visita"
          name={assignee}
          who={who}
          photo={who.photoTag && `/files/${appointment.id}/portrait?${who.photoTag}`}
        />
      )}
      <DefinitionList items={[...factsOf(appointment, isShown)]} />
      {arrival && <Help about={`Hola, es sobre mi cita ${appointment.folio}, que viene en camino`} />}
      {children}
    </Card>
  )
}

/** Its state as its customer says it, unless nobody came. */
export const VisitBadge = ({
  of,
}: {
  of: Pick<ShownAppointment, 'service' | 'state' | 'outcome' | 'missed'>
}) => (isUnanswered(of.missed) ? <Badge tone="wait">Nadie llegó</Badge> : <CustomerBadge of={of} />)

type Timed = Pick<ShownAppointment, 'service' | 'state' | 'startsAt' | 'arrival'>

/** Day and hour; while the technician is on the way, when they arrive. */
export function When({ appointment, window, now }: { appointment: Timed; window: number; now: Date }) {
  const { arrival, service, startsAt, state } = appointment
  const hour = hourWords(appointment, window)
  if (arrival) return <OnTheWay arrival={arrival} />
  return (
    <div>
      <p className="text-xl font-semibold">{dayHeading(startsAt, now)}</p>
      {isActive(state) && service === 'videocall' ? (
        <p>
          <CallHour at={startsAt} />
        </p>
      ) : (
        hour && <p>{hour}</p>
      )}
    </div>
  )
}

/** Of a visit that is over its day says enough. */
function hourWords(of: Timed, window: number): string | null {
  const promised = promisedMinutes(of.service, window)
  if (promised > 0 && !isActive(of.state)) return null
  return promised > 0 && of.state === 'en_route'
    ? `Llega ${hourFor(of, window)}`
    : arrivalSentence(of, window)
}

function factsOf(appointment: ShownAppointment, isShown: boolean) {
  const { assignee, closingNote, closingReason, folio, interest, minutes, nextSteps } = appointment
  const { notes, place, service, state, summary } = appointment
  const isOver = !isActive(state)
  return [
    { term: 'Domicilio', value: place },
    {
      term: serviceFacts[service].by === 'analyst' ? 'Analista' : 'Técnico',
      value: isShown ? null : (assignee ?? (state === 'requested' ? unknownYet(service) : null)),
    },
    { term: 'Duración', value: !isOver && service !== 'technical_visit' ? duration(minutes) : null },
    { term: 'Tema', value: interestLabel(interest) },
    { term: 'Lo que nos pediste', value: notes && <AsTyped text={notes} /> },
    {
      term: 'Motivo',
      // That a no-show was the customer's doing is what its evidence is about.
      value:
        state === 'no_show' || !closingReason
          ? null
          : reasonToCustomer(closingReason, state === 'done' ? service : null),
    },
    {
      term:
        state === 'cancelled'
          ? 'Nota'
          : `Lo que anotó tu ${service === 'videocall' ? 'analista' : 'técnico'}`,
      value: isOver && closingNote ? <AsTyped text={closingNote} /> : null,
    },
    { term: 'De qué hablamos', value: summary && <AsTyped text={summary} /> },
    { term: 'Qué sigue', value: nextSteps && <AsTyped text={nextSteps} /> },
    { term: 'Folio', value: <span className="whitespace-nowrap proportional-nums">{folio}</span> },
  ]
}

const AsTyped = ({ text }: { text: string }) => <span className="whitespace-pre-line">{text}</span>

/** When the technician on the way arrives, which moves as time passes. */
function OnTheWay({ arrival: { from, to } }: { arrival: ArrivalSpan }) {
  useRefreshIn(60_000)
  return (
    <div>
      <p className="text-xl font-semibold">{arrivalWindow(from, (to.getTime() - from.getTime()) / 60_000)}</p>
      <p className="text-[0.9375rem] text-mute">Es un cálculo y se actualiza solo.</p>
    </div>
  )
}

type WhoProps = { label: string; name: string; who: Who; photo: string | null }

/** Who comes: portrait, name, vehicle and credential, to know whom to open the door to. */
export const WhoComes = ({ label, name, photo, who: { car, credential, plates } }: WhoProps) => (
  <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5 rounded-card bg-hover p-3 text-[0.9375rem]">
    {photo && (
      <img
        src={photo}
        alt={`Foto de ${name}`}
        width={72}
        height={72}
        decoding="async"
        className={classNames('size-18 rounded-full object-cover', credential && 'sm:row-span-2')}
      />
    )}
    <p className={classNames('grid gap-0.5', !photo && 'col-span-full')}>
      <span className="text-sm text-mute">{label}</span>
      <b className="text-base font-semibold">{name}</b>
      {car && <span className="wrap-anywhere">{car}</span>}
      {plates && <span className="whitespace-nowrap proportional-nums">Placas {plates}</span>}
    </p>
    {credential && (
      <p
        className={classNames(
          'proportional-nums wrap-anywhere',
          photo ? 'max-sm:col-span-full' : 'col-span-full',
        )}
      >
        {credential.split(' ').map(unbroken)}
      </p>
    )}
  </div>
)

/** A folio is copied as it stands, so that its hyphens end no line. */
const unbroken = (word: string, at: number) => (
  <Fragment key={at}>
    {at > 0 && ' '}
    {/\d/.test(word) && word.length < 25 ? <span className="whitespace-nowrap">{word}</span> : word}
  </Fragment>
)

/** Whether it did not end as it should, so that another one follows. */
export const isUnfinished = ({ outcome, state }: Pick<ShownAppointment, 'outcome' | 'state'>) =>
  !isActive(state) && outcome !== 'completed'

type PrepareProps = { items: ReturnType<typeof preparations> }

/** What a customer has ready before somebody comes: what is known already is ticked. */
export const Prepare = ({ items }: PrepareProps) => (
  <Card title="Prepárate">
    <ul className="grid gap-4">
      {items.map(({ isKnown, label, name, step, words }) => {
        const Icon = isKnown ? CircleCheck : Circle
        return (
          <li key={name} className="flex gap-3">
            <Icon
              aria-hidden
              className={classNames('mt-0.5 size-5 shrink-0', isKnown ? 'text-brand' : 'text-mute')}
            />
            <div className="grid min-w-0 justify-items-start gap-0.5">
              <p className="font-medium">
                {label}
                {isKnown && <span className="sr-only">, listo</span>}
              </p>
              <p className="text-[0.9375rem] text-mute">{words}</p>
              {!isKnown && (
                <Link
                  to={step.to}
                  className="inline-flex min-h-11 items-center font-medium text-brand underline underline-offset-4 lg:min-h-9"
                >
                  {step.label}
                </Link>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  </Card>
)

const unknownYet = (service: Service) =>
  service === 'videocall' ? 'Te avisamos quién te atiende' : 'Te avisamos quién te visita'

const course: Record<Service, { title: string; steps: readonly string[] }> = {
  technical_visit: {
    title: 'Así es tu visita',
    steps: [
      'Revisamos tu medidor, tu tablero y el lugar del cargador.',
      'Medimos por dónde va el cable y tomamos fotos.',
      'Con eso hacemos tu cotización, con opciones y sin compromiso.',
    ],
  },
  installation: {
    title: 'Así es tu instalación',
    steps: [
      'Cortamos la luz mientras conectamos: guarda lo que tengas abierto.',
      'Montamos tu cargador, lo probamos y te explicamos cómo usarlo.',
      'Firmas de conformidad y recibes tu garantía por escrito.',
    ],
  },
  videocall: {
    title: 'Así es tu asesoría',
    steps: [
      'Entras desde tu teléfono o computadora, sin instalar nada.',
      'Con la cámara nos enseñas tu medidor y tu tablero.',
      'Te llevas por escrito lo que hablaron y lo que sigue.',
    ],
  },
}

/** What happens on the day, in three steps. */
export const HowItGoes = ({ service }: { service: Service }) => (
  <Card title={course[service].title}>
    <ol className="grid gap-3.5">
      {course[service].steps.map((step, nth) => (
        <li key={step} className="flex gap-3 text-[0.9375rem]">
          <span
            aria-hidden
            className="grid size-6 shrink-0 place-items-center rounded-full bg-brand-soft text-sm font-semibold text-brand"
          >
            {nth + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  </Card>
)

type MissedProps = { missed: { id: string; facade: Facade | null; isAnswered: boolean } }

/** For a customer who was not found: the photo that shows it, and where they say that they were there. */
export const Missed = ({ missed: { facade, id, isAnswered } }: MissedProps) => (
  <div className="grid gap-4 border-t border-line pt-4">
    {facade && (
      <figure className="grid justify-items-start gap-1.5">
        <a href={`/files/${facade.id}/full`} className="rounded-control">
          <PhotoImage
            src={`/files/${facade.id}/list`}
            alt="La fachada a la que llegamos. Ver completa."
            width={facade.width}
            height={facade.height}
            className="max-h-60 w-auto rounded-control bg-hover"
          />
        </a>
        <figcaption className="text-sm text-mute">Llegamos aquí el {dateTime(facade.capturedAt)}</figcaption>
      </figure>
    )}
    {isAnswered ? (
      <Alert tone="info" title="Recibimos lo que nos dijiste">
        Lo revisamos y te llamamos. Si quieres, agenda otra visita desde ahora.
      </Alert>
    ) : (
      <FormDetails summary="Sí estaba" intent="answer-no-show" target={{ appointmentId: id }}>
        <TextArea
          label="¿Qué pasó?"
          name="words"
          maxLength={500}
          help="Por ejemplo, si no es tu fachada o nadie te llamó."
        />
        <Submit variant="ghost">Enviar</Submit>
      </FormDetails>
    )}
  </div>
)

/** Takes an appointment into the calendar of the phone or computer that shows it. */
export function CalendarLink({ appointmentId }: { appointmentId: string }) {
  return (
    <a className={buttonClass('ghost', 'justify-self-start')} href={calendarFileOf(appointmentId)}>
      <CalendarPlus aria-hidden className="size-5" />
      Calendario
    </a>
  )
}

/** Below a call that took place: what comes next in the customer's project. The page's next action links there. */
export const AfterCall = ({ line }: { line: string }) => <p className="border-t border-line pt-4">{line}</p>

/** For a customer whose analyst did not come to the call: our apology, and the next free times, each one tap away. */
export const MissedCall = ({ slots }: { slots: readonly Date[] }) => (
  <section aria-label="Te pedimos una disculpa" className="grid gap-3">
    <div role="alert">
      <Alert tone="wait" title="Te pedimos una disculpa">
        Entraste a tu llamada y nadie te atendió. La cancelamos para que no esperes más, y te llamamos.
        {slots.length > 0 && ' Estos horarios están libres:'}
      </Alert>
    </div>
    <div className="grid gap-3 sm:grid-cols-3">
      {slots.map((start) => (
        <LinkButton key={start.getTime()} to={slotPath('videocall', start)} variant="ghost">
          {dateTime(start)}
        </LinkButton>
      ))}
    </div>
  </section>
)

/** The same at home, shorter: the free times are a tap away. */
export const MissedCallAtHome = () => (
  <Alert
    tone="wait"
    title="Te pedimos una disculpa"
    actions={
      <LinkButton variant="ghost" to={agendaPageOf.videocall}>
        Ver horarios libres
      </LinkButton>
    }
  >
    Entraste a tu llamada y nadie te atendió. La cancelamos, y te llamamos.
  </Alert>
)
