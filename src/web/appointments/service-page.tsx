import { CalendarClock, CalendarPlus, House, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { type CallTurn, callSteps } from '../../domain/calls/room.ts'
import { duration, money } from '../../domain/shared/format.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { agendaOf } from './agenda-paths.ts'
import { AppointmentCard, isUnfinished } from './appointment-card.tsx'
import { CalendarLink } from './calendar-link.tsx'
import { HeldOut } from './held-out.tsx'
import { AskedElsewhere, MoveOffer } from './move-offer.tsx'
import { NobodyCame } from './nobody-came.tsx'
import { Earlier, OwnChanges } from './own-changes.tsx'
import { Readiness } from './readiness.tsx'
import type { OwnServicePage } from './service-loader.ts'

const about: Record<Service, (minutes: string, price: number) => string> = {
  technical_visit: (minutes, price) =>
    `Un técnico revisa tu instalación eléctrica y el lugar del cargador. Dura ${minutes} y ${price === 0 ? 'es gratis' : `cuesta ${money(price)} con IVA`}.`,
  installation: (minutes) => `Un técnico instala tu cargador y lo prueba contigo. Dura unas ${minutes}.`,
  videocall: (minutes) =>
    `Un analista resuelve tus dudas por videollamada: la instalación, los autos eléctricos o el trámite con CFE. Dura ${minutes}.`,
}

type ServicePageProps = {
  page: OwnServicePage
  /** What its page says of what is booked now, and what waits for an answer there. */
  current?: ReactNode
  /** What it says of the last one, once nothing is booked. */
  last?: ReactNode
  /** The permit that its installation needs, handed in or to be. */
  permit?: ReactNode
  children?: ReactNode
}

/** A customer's page of one service: what is booked, what is missing and whose turn it is, and what was before. */
export function ServicePage({ page, current, last, permit, children }: ServicePageProps) {
  const { service, active, past, hindrance, notice, ready, line, asked, stage, window, minutes } = page
  const { label } = serviceFacts[service]
  useStepFocus(active?.state)
  const isAboutCall = service === 'videocall' && stage !== 'advisory' && asked.length === 0
  return (
    <>
      <PageHeader title={label} subtitle={isAboutCall ? 'Resuelve tus dudas sin salir de casa.' : line} />
      <div className="grid gap-4 lg:max-w-3xl">
        <OrphanedFormError />
        {page.moveOffer && <MoveOffer service={service} window={window} offer={page.moveOffer} />}
        {asked.map((one) => one !== service && <AskedElsewhere key={one} service={one} />)}
        {page.waiting.offer && <HeldOut {...page} offer={page.waiting.offer} />}
        {current}
        {active && (
          <AppointmentCard title={label} appointment={active} window={window}>
            {page.rights && !page.call?.turn && <NobodyCame rights={page.rights} />}
            <CalendarLink appointmentId={active.id} />
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
        {notice && <FarAway notice={notice} />}
        {!active && hindrance !== 'finished' && ready.length > 0 && (
          <Readiness parts={ready} permit={permit} next={page.next} said={line} />
        )}
        {past.length > 0 && (
          <section className="grid gap-4">
            {active && <h2 className="font-semibold">Anteriores</h2>}
            {past.map((one, nth) => (
              <AppointmentCard key={one.id} title={label} appointment={one} window={window}>
                {nth === 0 && !active && last}
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

/** Nobody goes there yet; a call needs no way. */
const FarAway = ({ notice }: { notice: string }) => (
  <Alert
    tone="wait"
    title={notice}
    actions={
      <LinkButton variant="ghost" to="/videocall">
        Hablar con un analista
      </LinkButton>
    }
  />
)

/** Another visit or call may follow one that was done, but it is not what comes next. */
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
        ? { label: 'Dar mi domicilio', to: '/address' }
        : hindrance === 'concluded'
          ? page.next
          : hindrance === 'not_ready' && page.next?.to !== '/installation' && page.next
  const isNext = next ? page.next?.to === next.to : false
  const after = !page.active && isDone(page) && !isNext ? page.next : null
  if (!next && !after) return null
  return (
    <ActionBar className={next && after ? 'grid-cols-2' : ''}>
      {after && (
        <LinkButton to={after.to} className="max-lg:px-2">
          {after.label}
        </LinkButton>
      )}
      {next && (
        <LinkButton
          to={next.to}
          variant={isDone(page) && !isNext ? 'ghost' : 'primary'}
          className={after ? 'max-lg:px-2' : ''}
        >
          {next.label}
        </LinkButton>
      )}
    </ActionBar>
  )
}

/** The way into an open room; back into it for whoever is asked what they prefer. */
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
