import { CalendarClock, CalendarPlus, Check, House, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { OutOfArea } from '../../app/screens/out-of-area.tsx'
import { type CallTurn, callSteps } from '../../calls/rules/room.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { later } from '../../kit/later.tsx'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { CallHour } from '../../kit/own-hour.tsx'
import { areaNotices } from '../../projects/rules/address.ts'
import type { ReadyPart } from '../../projects/rules/next-step.ts'
import type { NextStep } from '../../projects/rules/stages.ts'
import { dateTime, duration, money } from '../../shared/format.ts'
import { dayOfYear } from '../../shared/spoken-days.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ActionBar, buttonClass, LinkButton } from '../../ui/button.tsx'
import { besideClass, Card, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { isUpcoming, type Service, serviceFacts } from '../rules/appointment.ts'
import { agendaOf, calendarFileOf, serviceNames } from '../rules/paths.ts'
import { arrivalSentence } from '../rules/promise.ts'
import { proveWords } from '../rules/rules.ts'
import {
  AppointmentCard,
  CalendarLink,
  HowItGoes,
  isUnfinished,
  Missed,
  Prepare,
} from './appointment-card.tsx'
import { ShareVisit } from './family/share-visit.tsx'
import { Earlier, NobodyCame, Offers, OwnChanges } from './own-changes.tsx'
import type { OwnServicePage } from './service-server.ts'

const ResendLetter = later(() =>
  import('../../accounts/screens/verify-banner.tsx').then((part) => part.ResendLetter),
)

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
  /** Beside what is booked on a desk, below it on a phone. */
  aside?: ReactNode
  children?: ReactNode
}

/**
 * A customer's page of one service: what is booked, what is missing and whose turn it is, and what was before. The one
 * main action stands in the card that it belongs to, and at the foot of a phone.
 */
export function ServicePage({ page, current, last, permit, aside, children }: ServicePageProps) {
  const { service, active, past, hindrance, lead, line, asked, stage } = page
  useStepFocus(active?.state)
  const isAboutCall = service === 'videocall' && stage !== 'advisory' && asked.length === 0
  const said = isAboutCall ? 'Resuelve tus dudas sin salir de casa.' : line
  const isAhead = active !== null || past.every(isUnfinished)
  return (
    <>
      <PageHeader title={serviceFacts[service].label} subtitle={active && !page.call?.turn ? null : said} />
      <div
        className={
          isAhead || aside ? classNames(besideClass, 'lg:grid-rows-[auto_1fr]') : 'grid gap-4 lg:max-w-3xl'
        }
      >
        <div className="grid gap-4">
          {lead && <p className="text-xl/tight font-semibold text-balance">{lead}</p>}
          <OrphanedFormError />
          <Offers page={page} />
          {page.limit !== null && <Limited amps={page.limit} />}
          {current}
          {active ? <Booked page={page} active={active} /> : <NothingBooked page={page} permit={permit} />}
          {!active && <Past page={page} last={last} />}
        </div>
        <div className="grid gap-4 empty:hidden lg:col-start-2 lg:row-span-2 lg:row-start-1">
          {page.prepare.length > 0 && <Prepare items={page.prepare} />}
          {isAhead && hindrance !== 'concluded' && <HowItGoes service={service} />}
          {aside}
        </div>
        <div className="grid gap-4 empty:hidden lg:col-start-1">
          {active && <Past page={page} last={last} />}
          {children}
        </div>
      </div>
    </>
  )
}

const Limited = ({ amps }: { amps: number }) => (
  <Alert tone="info" title={`Mientras CFE aumenta tu carga, tu cargador queda a ${amps}\u00a0A`}>
    Es lo que tu casa aguanta hoy. No lo cambies tú: tu técnico lo sube cuando CFE termine.
  </Alert>
)

type PageProps = { page: OwnServicePage }
type Active = NonNullable<OwnServicePage['active']>

/** What is booked, and what can be done about it; just booked, its confirmation first. */
function Booked({ page, active }: PageProps & { active: Active }) {
  const { call, justBooked, now, rights, share, window } = page
  return (
    <>
      {justBooked && <JustBooked {...page} active={active} justBooked={justBooked} />}
      <AppointmentCard appointment={active} window={window} now={now} isTold={justBooked !== null}>
        {rights && !call?.turn && <NobodyCame rights={rights} />}
        {!justBooked && !call?.turn && isUpcoming(active.state) && <CalendarLink appointmentId={active.id} />}
        {share && <ShareVisit appointmentId={active.id} since={share.since} now={now} />}
        {rights && call?.turn !== 'left_alone' && (
          <OwnChanges {...page} rights={rights} isTold={justBooked !== null} />
        )}
      </AppointmentCard>
    </>
  )
}

/** Before a booking: what it is about, or what is missing for it. */
function NothingBooked({ page, permit }: PageProps & Pick<ServicePageProps, 'permit'>) {
  const { service, hindrance, line, past, ready } = page
  const isNew = past.length === 0 && hindrance !== 'not_ready'
  return (
    <>
      {page.waiting.isWaiting && (
        <Alert tone="info" title="Te avisamos por correo en cuanto se abra un horario">
          <Earlier isWaiting />
        </Alert>
      )}
      {isNew && (
        <EmptyState
          icon={hindrance === 'address' ? House : hindrance ? CalendarClock : CalendarPlus}
          action={<Next page={page} />}
        >
          {about[service](duration(page.minutes), page.visitPrice)}
        </EmptyState>
      )}
      {page.area && page.area !== 'none' && <FarAway page={page} />}
      {hindrance !== 'finished' && ready.length > 0 && (
        <Readiness parts={ready} permit={permit} next={page.next} said={line}>
          {hindrance === 'not_ready' && <Next page={page} />}
        </Readiness>
      )}
    </>
  )
}

/** What was before, the last one first; where nothing is booked, with what follows. */
function Past({ page, last }: PageProps & Pick<ServicePageProps, 'last'>) {
  const { active, hindrance, missed, now, past, window } = page
  if (past.length === 0) return null
  return (
    <section className="grid gap-4">
      {active && <h2 className="font-semibold">Anteriores</h2>}
      {past.map((one, nth) => (
        <AppointmentCard key={one.id} appointment={one} window={window} now={now}>
          {nth === 0 && !active && last}
          {nth === 0 && missed && <Missed missed={missed} />}
          {nth === 0 && !active && hindrance !== 'not_ready' && <Next page={page} />}
        </AppointmentCard>
      ))}
    </section>
  )
}

type JustBookedProps = Pick<OwnServicePage, 'service' | 'window' | 'rights' | 'now'> & {
  active: Active
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
        <p>{service === 'videocall' ? <CallHour at={active.startsAt} /> : arrivalSentence(active, window)}</p>
      </div>
      {justBooked.keptUntil && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-64 font-medium text-wait">
            {proveWords(justBooked.keptUntil, now)}
          </p>
          <ResendLetter />
        </div>
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
const FarAway = ({ page: { area, wantsNotice } }: PageProps) =>
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

function Next({ page }: PageProps) {
  const { service, hindrance, past } = page
  const next =
    hindrance === null
      ? { ...agendaOf[service], ...(past[0] && isUnfinished(past[0]) && { label: 'Elige otro horario' }) }
      : hindrance === 'address'
        ? { label: 'Agregar mi domicilio', to: '/address' }
        : hindrance === 'concluded'
          ? page.next
          : hindrance === 'not_ready' && page.next?.to !== '/installation' && page.next
  const isNext = next ? page.next?.to === next.to : false
  const after = isDone(page) && !isNext ? page.next : null
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
export function Room({ turn }: { turn: CallTurn }) {
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

type ReadinessProps = {
  parts: readonly ReadyPart[]
  /** The permit's part: the uploaded paper, or the form to upload it. */
  permit: ReactNode
  /** The target of the foot of the screen: that part needs no link of its own. */
  next: NextStep | null
  /** What the head of the screen already says. */
  said: string
  children: ReactNode
}

/** What an installation needs before it can be booked: each part done, or whose turn it is and what to do. */
const Readiness = ({ parts, permit, next, said, children }: ReadinessProps) => (
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
    {children}
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
        : waitingOn === 'cfe'
          ? ['info', 'Le toca a CFE']
          : ['info', 'Nos toca']
  return <Badge tone={tone}>{word}</Badge>
}
