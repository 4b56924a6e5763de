import { type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router'
import { newTermsInput } from '../../domain/accounts/schema.ts'
import { isActive, type Service, serviceFacts, services } from '../../domain/appointments/appointment.ts'
import { type Stage, stageLabels } from '../../domain/projects/stages.ts'
import { dateTime, relative } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { acceptNewTerms, termsToAccept } from '../../server/accounts/privacy.ts'
import { caller, db, enabledModules, site } from '../../server/app/context.ts'
import { type Overview, type OwnService, overviewOf } from '../../server/projects/overview.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { waitingOf } from '../../server/scheduling/waiting-list.ts'
import { invitationAtHome } from '../../server/users/accept.ts'
import type { TermsUrls } from '../accounts/accept-terms.tsx'
import { accountForms } from '../accounts/forms.ts'
import { VerifyBanner } from '../accounts/verify-banner.tsx'
import { AppointmentCard, CalendarLink, MissedCallAtHome } from '../appointments/appointment-card.tsx'
import { agendaPageOf } from '../appointments/paths.ts'
import { shown } from '../appointments/service-server.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { useRefreshIn } from '../lib/refresh-in.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form, forms } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { ActionBar, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, OrphanedFormError, Submit } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { InvitationCard } from '../users/invitation-card.tsx'
import { invitationCodeIn, invitationForms } from '../users/invitation-link.ts'
import type { Route } from './+types/customer.ts'
import { StageLine } from './stage-line.tsx'

/** The forms of a customer's home. */
const homeForms = (context: Readonly<RouterContextProvider>) => ({
  ...invitationForms(context),
  // For a customer who mistyped it, and has yet to verify it.
  email: accountForms(context, '/cuenta').email,
  'accept-terms': form(newTermsInput, async ({ terms: shown }) => {
    const { now, termsVersion: inForce } = context.get(caller)
    await acceptNewTerms(context.get(db), requireActor(context), { shown, inForce }, now)
    return redirectWithToast('/', 'Gracias', 'Guardamos que aceptaste.')
  }),
})

/** A time that waits for its customer's answer: another one because of us, or an earlier one that opened. */
type OpenOffer = { id: string; service: Service; isMove: boolean; startsAt: Date; expiresAt: Date }

type Waiting = Awaited<ReturnType<typeof waitingOf>>

/** What waits for a customer's answer now, of every service. */
const openOffersOf = (overview: Overview, waiting: Waiting): OpenOffer[] =>
  services.flatMap((service) => {
    const { moveOffer: move } = overview.services[service]
    const offer = waiting.get(service)?.offer
    return [
      ...(move ? [{ id: move.id, service, isMove: true, startsAt: move.to, expiresAt: move.expiresAt }] : []),
      ...(offer && !offer.isGone ? [{ ...offer, service, isMove: false }] : []),
    ]
  })

/** What waits for the customer's answer, each with the link to the page where they answer. */
const OpenOffers = ({ offers }: { offers: readonly OpenOffer[] }) =>
  offers.map(({ id, service, isMove, startsAt, expiresAt }) => (
    <Alert
      key={id}
      tone={isMove ? 'wait' : 'info'}
      title={isMove ? 'Te proponemos otro horario' : 'Se abrió un lugar antes'}
      actions={<LinkButton to={agendaPageOf[service]}>Ver y contestar</LinkButton>}
    >
      {serviceFacts[service].label}: {dateTime(startsAt)} Contesta antes del {dateTime(expiresAt)}
    </Alert>
  ))

export const handle = { announcesUpdates: true }

/** The user's own account was at this address once: its links redirect, and its forms are sent on. */
const accountMoved: MiddlewareFunction<Response> = ({ request, url: { searchParams } }) => {
  if (!searchParams.has('cuenta')) return
  const to = searchParams.has('datos') ? '/cuenta?datos' : '/cuenta'
  throw redirect(to, ['GET', 'HEAD'].includes(request.method) ? 301 : 308)
}

export const middleware = [accountMoved]

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const actor = requireActor(context)
  const [code, now] = [invitationCodeIn(url), new Date()]
  const [overview, staffing, invitation, asked, waiting] = await Promise.all([
    overviewOf(context.get(db), actor, now, context.get(enabledModules)),
    currentStaffing(context.get(db)),
    invitationAtHome(context.get(db), actor, code, now),
    termsToAccept(context.get(db), actor, context.get(caller).termsVersion),
    waitingOf(context.get(db), actor, services, now),
  ])
  const { privacyUrl, termsUrl } = context.get(site)
  const own = Object.values(overview.services)
  const active = own.flatMap((one) => one.active ?? [])
  const latest = own.flatMap(({ past }) => past.slice(0, 1)).sort((a, b) => +b.startsAt - +a.startsAt)
  const cards = active.length > 0 ? active : latest.slice(0, 1)
  return {
    code,
    invitation,
    terms: asked && { ...asked, privacyUrl, termsUrl },
    unverified: actor.emailVerified ? null : actor.email,
    name: actor.name ?? '',
    stage: overview.stage,
    offers: openOffersOf(overview, waiting),
    missedCall: isOwedAnApology(overview.services.videocall, now),
    line: overview.line,
    since: overview.since && relative(overview.since, now),
    municipality: overview.address && municipalityLabel(overview.address.municipality),
    next: overview.next,
    changesIn: overview.call?.changesIn ?? null,
    window: staffing.settings.arrivalWindowMinutes,
    cards: cards.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()).map(shown),
  }
}

const aWeek = 7 * 24 * 60 * 60_000

/** Whether no analyst came to the last call, lately, and no other is booked in its place. */
function isOwedAnApology({ active, past: [last] }: OwnService, now: Date): boolean {
  return (
    !active && last !== undefined && shown(last).isMissed && now.getTime() - last.startsAt.getTime() < aWeek
  )
}

export const action = forms(({ context }: Route.ActionArgs) => homeForms(context))

export default function CustomerHome({ loaderData }: Route.ComponentProps) {
  const {
    code,
    invitation,
    terms,
    unverified,
    name,
    missedCall,
    offers,
    stage,
    line,
    since,
    municipality,
    next,
    cards,
    window,
    changesIn,
  } = loaderData
  useRefreshIn(changesIn)
  return (
    <>
      <PageHeader
        title={`Hola, ${name}`}
        subtitle={municipality ? `Tu instalación en ${municipality}` : 'Tu instalación empieza aquí'}
      />
      <OrphanedFormError />
      {unverified && <VerifyBanner email={unverified} />}
      {terms && <NewTerms terms={terms} />}
      <InvitationCard invitation={invitation} code={code} />
      {missedCall && <MissedCallAtHome />}
      <OpenOffers offers={offers} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Turn stage={stage} line={line} since={since} />
        {cards.map((one) => (
          <AppointmentCard
            key={one.id}
            title={`Tu ${serviceFacts[one.service].label.toLowerCase()}`}
            appointment={one}
            window={window}
          >
            <div className="flex flex-wrap gap-3 *:flex-1">
              {isActive(one.state) && <CalendarLink appointmentId={one.id} />}
              <LinkButton variant="ghost" to={agendaPageOf[one.service]}>
                {isActive(one.state) ? 'Ver cita' : 'Ver más'}
              </LinkButton>
            </div>
          </AppointmentCard>
        ))}
      </div>
      {next && (
        <ActionBar>
          <LinkButton to={next.to}>{next.label}</LinkButton>
        </ActionBar>
      )}
    </>
  )
}

function Turn({ stage, line, since }: { stage: Stage; line: string; since: string | null }) {
  return (
    <Card title={stageLabels[stage]}>
      <StageLine stage={stage} />
      <p>
        {line} {since && <span className="text-mute">Desde {since}.</span>}
      </p>
    </Card>
  )
}

type NewTermsProps = { terms: TermsUrls & { version: string; why: 'first' | 'changed' } }

const titles: Record<NewTermsProps['terms']['why'], string> = {
  first: 'Acepta nuestros términos y el aviso de privacidad',
  changed: 'Cambiaron nuestros términos y el aviso de privacidad',
}

/** For a customer who agreed to an earlier text, or to none yet. It can wait: nothing is blocked meanwhile. */
function NewTerms({ terms: { privacyUrl, termsUrl, version, why } }: NewTermsProps) {
  return (
    <Alert
      tone="info"
      title={titles[why]}
      actions={
        <Form intent="accept-terms">
          <input type="hidden" name="terms" value={version} />
          <Submit variant="ghost">Acepto</Submit>
        </Form>
      }
    >
      Lee los <a href={termsUrl}>términos y condiciones</a> y el <a href={privacyUrl}>aviso de privacidad</a>.
      Mientras tanto puedes seguir con tus citas como siempre.
    </Alert>
  )
}
