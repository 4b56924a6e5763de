import { CalendarClock, CalendarPlus, Check, House, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { hoursToProve } from '../../domain/appointments/rules.ts'
import { type CallTurn, callSteps } from '../../domain/calls/room.ts'
import { areaNotices } from '../../domain/projects/address.ts'
import type { ReadyPart } from '../../domain/projects/next-step.ts'
import type { NextStep } from '../../domain/projects/stages.ts'
import {
  arrivalWindow,
  atTime,
  centralZone,
  dateTime,
  duration,
  money,
  shortDate,
} from '../../domain/shared/format.ts'
import { dayOfYear } from '../../domain/shared/spoken-days.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import type { OwnMoveOffer } from '../../server/scheduling/move-offers.ts'
import { Help } from '../app/help.tsx'
import { OutOfArea } from '../app/out-of-area.tsx'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { CallHour } from '../lib/own-hour.tsx'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { ActionBar, buttonClass, LinkButton } from '../ui/button.tsx'
import { Card, EmptyState } from '../ui/card.tsx'
import { Form, OrphanedFormError, Submit } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { AppointmentCard, CalendarLink, isUnfinished, Missed, Prepare } from './appointment-card.tsx'
import { ShareVisit } from './family/share-visit.tsx'
import { Earlier, HeldOut, NobodyCame, OwnChanges } from './own-changes.tsx'
import { agendaOf, agendaPageOf, calendarFileOf, serviceNames } from './paths.ts'
import type { OwnServicePage } from './service-server.ts'

const about: Record<Service, (minutes: string, price: number) => string> = {
  technical_visit: (minutes, price) =>
    `Un técnico revisa tu instalación eléctrica y el lugar del cargador. Dura ${minutes} y ${price === 0 ? 'es gratis' : `cuesta ${money(price)} con IVA`}.`,
  installation: (minutes) => `Un técnico instala tu cargador y lo prueba contigo. Dura unas ${minutes}.`,
  videocall: (minutes) =>
    `Un analista resuelve tus dudas por videollamada: la instalación, los autos eléctricos o el trámite ante CFE. Dura ${minutes}.`,
}

type ServicePageProps = {
  page: OwnServicePage
  /** What its page says of what is booked now, and what waits for an answer there. */
  current?: ReactNode
  /** What it says of the last one, once nothing is booked. */
  last?: ReactNode
  /** The permit that its installation needs, uploaded or still missing. */
  permit?: ReactNode
  children?: ReactNode
}

/** A customer's page of one service: what is booked, what is missing and whose turn it is, and what was before. */
export function ServicePage({ page, current, last, permit, children }: ServicePageProps) {
  const { service, active, past, hindrance, lead, ready, line, asked, now, stage, window, minutes } = page
  const { label } = serviceFacts[service]
  useStepFocus(active?.state)
  const isAboutCall = service === 'videocall' && stage !== 'advisory' && asked.length === 0
  return (
    <>
      <PageHeader
        title={label}
        subtitle={lead ? null : isAboutCall ? 'Resuelve tus dudas sin salir de casa.' : line}
      />
      <div className="grid gap-4 lg:max-w-3xl">
        {lead && (
          <div className="grid gap-1">
            <p className="text-xl/tight font-semibold text-balance">{lead.sentence}</p>
            {lead.detail && <p className="text-mute">{lead.detail}</p>}
          </div>
        )}
        <OrphanedFormError />
        {page.justBooked && active && <JustBooked {...page} active={active} justBooked={page.justBooked} />}
        {page.moveOffer && <MoveOffer service={service} window={window} offer={page.moveOffer} />}
        {asked.map((one) => one !== service && <AskedElsewhere key={one} service={one} />)}
        {page.waiting.offer && <HeldOut {...page} offer={page.waiting.offer} />}
        {current}
        {active && (
          <AppointmentCard appointment={active} window={window} now={now}>
            {page.rights && !page.call?.turn && <NobodyCame rights={page.rights} />}
            {!page.justBooked && <CalendarLink appointmentId={active.id} />}
            {page.share && <ShareVisit appointmentId={active.id} since={page.share.since} now={now} />}
            {page.rights && page.call?.turn !== 'left_alone' && <OwnChanges {...page} rights={page.rights} />}
          </AppointmentCard>
        )}
        {!active && page.waiting.isWaiting && (
          <Alert tone="info" title="Te avisamos por correo en cuanto se abra un horario">
            <Earlier isWaiting />
          </Alert>
        )}
        {!active && past.length === 0 && (
          <EmptyState icon={hindrance === 'address' ? House : hindrance ? CalendarClock : CalendarPlus}>
            {about[service](duration(minutes), page.visitPrice)}
          </EmptyState>
        )}
        {page.area && page.area !== 'none' && <FarAway page={page} />}
        {page.prepare.length > 0 && <Prepare items={page.prepare} />}
        {!active && hindrance !== 'finished' && ready.length > 0 && (
          <Readiness parts={ready} permit={permit} next={page.next} said={line} />
        )}
        {past.length > 0 && (
          <section className="grid gap-4">
            {active && <h2 className="font-semibold">Anteriores</h2>}
            {past.map((one, nth) => (
              <AppointmentCard key={one.id} appointment={one} window={window} now={now}>
                {nth === 0 && !active && last}
                {nth === 0 && page.missed && <Missed missed={page.missed} />}
              </AppointmentCard>
            ))}
          </section>
        )}
        {children}
      </div>
      <Next page={page} />
    </>
  )
}

type JustBookedProps = Pick<OwnServicePage, 'service' | 'window' | 'rights' | 'now'> & {
  active: NonNullable<OwnServicePage['active']>
  justBooked: NonNullable<OwnServicePage['justBooked']>
}

/** The confirmation of a booking: when, into which calendar, what to prepare, and until when it can be changed. */
function JustBooked({ service, window, rights, active, justBooked, now }: JustBookedProps) {
  return (
    <Card className="border-brand">
      <div className="flex items-center gap-3">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-brand text-on-brand">
          <Check aria-hidden className="size-6" strokeWidth={3} />
        </span>
        <h2 className="text-lg font-semibold">Tu {serviceNames[service]} quedó agendada</h2>
      </div>
      <div className="rounded-card bg-brand-soft px-4 py-3">
        <p className="text-xl/7 font-semibold first-letter:uppercase">{dayOfYear(active.startsAt, now)}</p>
        <p>
          {service === 'videocall' ? (
            <CallHour at={active.startsAt} />
          ) : (
            arrivalWindow(active.startsAt, window)
          )}
        </p>
      </div>
      {justBooked.isUnproved && active.state === 'requested' && (
        <p className="font-medium text-wait">
          Confirma tu correo antes de {hoursToProve} horas para conservarla.
        </p>
      )}
      <IntoCalendar id={active.id} {...justBooked.calendars} />
      {rights?.mayMove && (
        <p className="text-[0.9375rem] text-mute">
          Puedes cambiarla o cancelarla gratis hasta el {dateTime(rights.until)}
        </p>
      )}
    </Card>
  )
}

const IntoCalendar = ({ id, google, outlook }: { id: string; google: string; outlook: string }) => (
  <div className="grid gap-2">
    <h3 className="font-semibold">Ponla en tu calendario</h3>
    <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <a className={buttonClass('ghost')} href={google} target="_blank" rel="noreferrer">
        Google
      </a>
      <a className={buttonClass('ghost')} href={outlook} target="_blank" rel="noreferrer">
        Outlook
      </a>
      <a className={buttonClass('ghost', 'max-sm:col-span-2')} href={calendarFileOf(id)}>
        Apple u otro (.ics)
      </a>
    </div>
  </div>
)

/** No technician goes there yet, or not for sure; a call needs no travel. */
const FarAway = ({ page: { area, wantsNotice } }: { page: OwnServicePage }) =>
  area === 'outside' ? (
    <OutOfArea postalCode={null} isAsked={wantsNotice} fixAt="/address?editar" />
  ) : (
    <Alert
      tone="wait"
      title={areaNotices.to_verify}
      actions={
        <LinkButton variant="ghost" to="/videocall">
          Hablar con un analista
        </LinkButton>
      }
    />
  )

/** Another visit or call may follow a done one, but it is not the next step. */
const isDone = ({ past, service, stage }: OwnServicePage) =>
  (service === 'technical_visit' && !['intake', 'advisory', 'visit'].includes(stage)) ||
  (service !== 'installation' && past[0] !== undefined && !isUnfinished(past[0]))

function Next({ page }: { page: OwnServicePage }) {
  const { call, service, hindrance, past } = page
  if (call?.turn) return <Room turn={call.turn} />
  const next =
    hindrance === null
      ? { ...agendaOf[service], ...(past[0] && isUnfinished(past[0]) && { label: 'Elige otro horario' }) }
      : hindrance === 'address'
        ? { label: 'Agregar mi domicilio', to: '/address' }
        : hindrance === 'concluded'
          ? page.next
          : hindrance === 'not_ready' && page.next?.to !== '/installation' && page.next
  const isNext = next ? page.next?.to === next.to : false
  const after = !page.active && isDone(page) && !isNext ? page.next : null
  // A second visit is the office's to propose, a second call anybody's to ask for.
  const offered = service === 'technical_visit' && isDone(page) && !isNext ? null : next
  if (!offered && !after) return null
  return (
    <ActionBar className={offered && after ? 'grid-cols-2' : ''}>
      {after && (
        <LinkButton to={after.to} className="max-lg:px-2">
          {after.label}
        </LinkButton>
      )}
      {offered && (
        <LinkButton
          to={offered.to}
          variant={isDone(page) && !isNext ? 'ghost' : 'primary'}
          className={after ? 'max-lg:px-2' : ''}
        >
          {offered.label}
        </LinkButton>
      )}
    </ActionBar>
  )
}

/** The link into an open room; back into it for a customer who was left alone and chooses what to do. */
function Room({ turn }: { turn: CallTurn }) {
  const step = turn === 'left_alone' ? callSteps.waiting : callSteps[turn]
  if (!step) return null
  return (
    <ActionBar>
      <LinkButton to={step.to} variant={turn === 'left_alone' ? 'ghost' : 'primary'}>
        <Video aria-hidden className="size-5" />
        {step.label}
      </LinkButton>
    </ActionBar>
  )
}

type MoveOfferProps = { service: Service; window: number; offer: OwnMoveOffer }

/** Another time, because the assignee can't come: the customer accepts or rejects it. */
function MoveOffer({ service, window, offer: { expiresAt, from, id, to } }: MoveOfferProps) {
  const hour = service === 'videocall' ? `${atTime(to)}, ${centralZone}` : arrivalWindow(to, window)
  return (
    <Card title="Te proponemos otro horario" className="border-brand">
      <p>
        Quien te iba a atender el {dateTime(from)} ya no puede ese día. Lo sentimos. Este cambio no cuenta
        entre los tuyos.
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

type ReadinessProps = {
  parts: readonly ReadyPart[]
  /** The permit's part: the uploaded paper, or the form to upload it. */
  permit: ReactNode
  /** The target of the foot of the screen: that part needs no link of its own. */
  next: NextStep | null
  /** What the head of the screen already says. */
  said: string
}

/** What an installation needs before it can be booked: each part done, or whose turn it is and what to do. */
const Readiness = ({ parts, permit, next, said }: ReadinessProps) => (
  <Card title="Antes de la instalación">
    <ul className="grid gap-5">
      {parts.map((part) => (
        <li key={part.part} className="grid gap-3">
          <span className="flex items-start justify-between gap-3">
            <span className="grid gap-0.5">
              <span>{part.label}</span>
              {part.line && part.line !== said && <span className="text-sm text-mute">{part.line}</span>}
            </span>
            <Turn part={part} />
          </span>
          {part.next && part.next.to !== next?.to && (
            <span>
              <LinkButton variant="ghost" to={part.next.to}>
                {part.next.label}
              </LinkButton>
            </span>
          )}
          {part.part === 'permit' && permit}
        </li>
      ))}
    </ul>
    {parts.some(({ done, waitingOn }) => !done && waitingOn === 'customer') && (
      <Help about="Hola, necesito ayuda para dejar lista mi instalación" />
    )}
  </Card>
)

function Turn({ part: { done, waitingOn } }: { part: ReadyPart }) {
  const [tone, word]: [Tone, string] = done
    ? ['ok', 'Listo']
    : waitingOn === 'customer'
      ? ['wait', 'Te toca']
      : waitingOn === 'none'
        ? ['neutral', 'Después']
        : ['info', 'Nos toca']
  return <Badge tone={tone}>{word}</Badge>
}
