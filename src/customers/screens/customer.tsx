import { type MiddlewareFunction, redirect } from 'react-router'
import { acceptNewTerms, termsToAccept } from '../../accounts/privacy.ts'
import { newTermsInput } from '../../accounts/rules/schema.ts'
import type { TermsUrls } from '../../accounts/screens/accept-terms.tsx'
import { accountForms } from '../../accounts/screens/forms.ts'
import { VerifyBanner } from '../../accounts/screens/verify-banner.tsx'
import { OutOfArea } from '../../app/screens/out-of-area.tsx'
import { DiscardHome } from '../../app/screens/saved-home.tsx'
import {
  isActive,
  isUpcoming,
  type Service,
  serviceFacts,
  services,
  stateToCustomer,
} from '../../appointments/rules/appointment.ts'
import { agendaPageOf } from '../../appointments/rules/paths.ts'
import {
  AppointmentCard,
  CalendarLink,
  HowItGoes,
  MissedCallAtHome,
  Prepare,
} from '../../appointments/screens/appointment-card.tsx'
import { arrivalOfShown, isPrepared, shown } from '../../appointments/screens/service-server.ts'
import { standingBooking } from '../../appointments/unverified.ts'
import { waitingOf } from '../../dispatch/waiting-list.ts'
import { fiscalFor } from '../../invoices/fiscal-data.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useRefreshIn } from '../../kit/refresh-in.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { form, forms } from '../../kit/submit.ts'
import { InstallHint } from '../../notifications/screens/install-hint.tsx'
import { refundsWithoutAccount } from '../../payments/rows.ts'
import { deletionDueOf } from '../../privacy/deletion.ts'
import type { ProjectStatus } from '../../projects/rules/stages.ts'
import { StageLine } from '../../projects/screens/stage-line.tsx'
import { ChargerAtHome } from '../../reports/screens/charger-card.tsx'
import { newestInstalled } from '../../reports/screens/own-reports-server.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { dateTime, longDate, money, relative, shortDate } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { invitationAtHome } from '../../users/accept.ts'
import { InvitationCard } from '../../users/screens/invitation-card.tsx'
import { invitationCodeIn, invitationForms } from '../../users/screens/invitation-link.ts'
import { type Overview, type OwnService, overviewOf } from '../overview.ts'
import { alsoOpen, homeWords, preparations } from '../rules/customer-home.ts'
import type { Route } from './+types/customer.ts'

/** The forms of a customer's home. */
const homeForms = (context: LoaderContext) => ({
  ...invitationForms(context),
  // For a customer who mistyped it, and has yet to verify it.
  email: accountForms(context, '/cuenta').email,
  'accept-terms': form(newTermsInput, async ({ terms: shown }) => {
    const { caller, db, actor } = signedIn(context)
    const { now, termsVersion: inForce } = caller
    await acceptNewTerms(db, actor, { shown, inForce }, now)
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
  const { actor, db, modules, now, caller, site, openProjects } = signedIn(context)
  const code = invitationCodeIn(url)
  const [overview, staffing, invitation, asked, waiting, leavesAt, installed, fiscal, refunds, standing] =
    await Promise.all([
      overviewOf(db, actor, now, modules),
      currentStaffing(db),
      invitationAtHome(db, actor, code, now),
      termsToAccept(db, actor, caller.termsVersion),
      waitingOf(db, actor, services, now),
      deletionDueOf(db, actor.id),
      newestInstalled(context),
      fiscalFor(db, actor, actor.id),
      refundsWithoutAccount(db, actor),
      actor.emailVerified ? null : standingBooking(db, actor.id),
    ])
  const { privacyUrl, termsUrl } = site
  const { arrivalWindowMinutes: window } = staffing.settings
  const own = Object.values(overview.services)
  const active = own.flatMap((one) => one.active ?? [])
  const latest = own.flatMap(({ past }) => past.slice(0, 1)).sort((a, b) => +b.startsAt - +a.startsAt)
  const isFinished = overview.stage === 'closed' && installed !== null
  const isOver = active.length === 0 && !isFinished
  // While money is the matter, what is over is one line.
  const past = isOver && overview.charge ? (latest[0] ?? null) : null
  const chosen = isOver && !past ? latest.slice(0, 1) : active
  const cards = await Promise.all(
    chosen.map(async (one) => ({ ...one, arrival: await arrivalOfShown(context, one, now) })),
  )
  const words = homeWords(
    {
      status: overview,
      booked: active.length > 0 ? cards : [],
      asked: overview.asked[0] ?? null,
      isCallOpen: Boolean(overview.call?.turn),
    },
    { now, window },
  )
  return {
    code,
    invitation,
    terms: asked && { ...asked, privacyUrl, termsUrl },
    unverified: actor.emailVerified ? null : { email: actor.email, keptUntil: standing?.keptUntil ?? null },
    leavesAt,
    name: actor.name ?? '',
    stage: overview.stage,
    offers: openOffersOf(overview, waiting),
    missedCall: isOwedAnApology(overview.services.videocall, now),
    words: { ...words, since: words.since && isLong(words.since, now) ? relative(words.since, now) : null },
    also: alsoOpen([...overview.turns, ...moreTurns(fiscal, refunds)], words, now),
    past: past && shown(past),
    empty: overview.area === 'none' && actor.projectId ? actor.projectId : null,
    nextHome: openProjects.find((id) => id !== actor.projectId) ?? '',
    municipality: overview.address && municipalityLabel(overview.address.municipality),
    outside:
      overview.area === 'outside'
        ? {
            isAsked: overview.address?.wantsNotice ?? false,
            hasCall: overview.services.videocall.active !== null,
          }
        : null,
    prepare: active.some(isPrepared) ? preparations(overview.prepared) : [],
    installed: isFinished ? installed : null,
    changesIn: overview.call?.changesIn ?? null,
    window,
    now,
    cards: cards
      .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
      .map((one) => ({ ...shown(one), arrival: one.arrival })),
  }
}

type Fiscal = Awaited<ReturnType<typeof fiscalFor>>
type Refunds = Awaited<ReturnType<typeof refundsWithoutAccount>>

/** What else the customer owes: data for invoices that the office found wrong, and the account of a refund. */
const moreTurns = (fiscal: Fiscal, refunds: Refunds): ProjectStatus[] => [
  ...(fiscal?.state === 'rejected'
    ? [theirs(`Corrige tus datos fiscales: ${fiscal.rejectedReason ?? ''}`, 'Corregir', '/fiscal')]
    : []),
  ...refunds.map(({ amount }) =>
    theirs(`Tienes ${money(amount)} a tu favor: dinos a qué cuenta va.`, 'Dar mi cuenta', '/payments'),
  ),
]

const theirs = (line: string, label: string, to: string): ProjectStatus => ({
  stage: 'installing',
  waitingOn: 'customer',
  line,
  since: null,
  next: { label, to },
})

const aDay = 24 * 60 * 60_000
/** A shorter wait is not worth a word. */
const isLong = (since: Date, now: Date) => now.getTime() - since.getTime() >= aDay

const aWeek = 7 * aDay

/** Whether no analyst came to the last call, lately, and no other is booked in its place. */
function isOwedAnApology({ active, past: [last] }: OwnService, now: Date): boolean {
  return (
    !active && last !== undefined && shown(last).isMissed && now.getTime() - last.startsAt.getTime() < aWeek
  )
}

export const action = forms(({ context }: Route.ActionArgs) => homeForms(context))

export default function CustomerHome({ loaderData }: Route.ComponentProps) {
  const { code, invitation, terms, unverified, leavesAt, name, missedCall, offers, municipality } = loaderData
  const { also, nextHome, cards, empty, past, window, words, now, prepare, installed, outside, stage } =
    loaderData
  useRefreshIn(loaderData.changesIn)
  return (
    <>
      <PageHeader
        title={`Hola, ${name}`}
        subtitle={municipality ? `Tu instalación en ${municipality}` : 'Tu instalación empieza aquí'}
      />
      <OrphanedFormError />
      <Turn {...loaderData} />
      <AlsoOpen also={also} />
      {empty && <DiscardHome home={empty} nextHome={nextHome} />}
      {outside && isNext(loaderData) && <FarHome {...outside} />}
      {leavesAt && <Leaving at={leavesAt} />}
      {unverified && <VerifyBanner {...unverified} now={now} />}
      {terms && <NewTerms terms={terms} />}
      <InvitationCard invitation={invitation} code={code} />
      {missedCall && <MissedCallAtHome />}
      <OpenOffers offers={offers} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {installed && <ChargerAtHome installed={installed} />}
        {cards.map((one) => (
          <AppointmentCard
            key={one.id}
            appointment={one}
            window={window}
            now={now}
            isTold={words.about === one.service}
          >
            <div className="flex flex-wrap gap-3 *:flex-1 empty:hidden">
              {isUpcoming(one.state) && <CalendarLink appointmentId={one.id} />}
              {words.next.to !== agendaPageOf[one.service] && (
                <LinkButton variant="ghost" to={agendaPageOf[one.service]}>
                  {isActive(one.state) ? 'Ver cita' : 'Ver más'}
                </LinkButton>
              )}
            </div>
          </AppointmentCard>
        ))}
        {prepare.length > 0 && <Prepare items={prepare} />}
        {stage === 'intake' && cards.length === 0 && !outside && <WhatComes />}
      </div>
      {past && (
        <Link to={agendaPageOf[past.service]} className="justify-self-start text-mute underline">
          Tu {serviceFacts[past.service].label.toLowerCase()}: {stateToCustomer(past).label.toLowerCase()},{' '}
          {shortDate(past.startsAt)}
        </Link>
      )}
      {cards.some(({ state }) => isActive(state)) && <InstallHint />}
    </>
  )
}

/** Below the first sentence: all else that is owed or waited for. */
const AlsoOpen = ({ also }: { also: ReturnType<typeof alsoOpen> }) =>
  also.length > 0 && (
    <Card title="También tienes pendiente">
      <ul className="divide-y divide-line">
        {also.map(({ id, next, words }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
          >
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">{words}</span>
            {next && (
              <LinkButton variant="ghost" to={next.to} className="max-sm:w-full">
                {next.label}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )

/** Before anything is booked: what the visit is, and whom to ask first. */
const WhatComes = () => (
  <>
    <HowItGoes service="technical_visit" />
    <Card title="¿Prefieres preguntar antes?">
      <p className="text-[0.9375rem] text-mute">
        Un analista resuelve tus dudas por video. Es gratis y no te compromete a nada.
      </p>
      <LinkButton variant="ghost" to="/videocall" className="sm:justify-self-start">
        Asesoría virtual
      </LinkButton>
    </Card>
  </>
)

/** Whether the first sentence has an action of its own: one about a home out of area has those of its notice. */
const isNext = ({ outside, words }: Pick<TurnProps, 'outside' | 'words'>) =>
  !outside || words.next.to !== '/address'

const FarHome = ({ hasCall, isAsked }: NonNullable<TurnProps['outside']>) => (
  <OutOfArea postalCode={null} isAsked={isAsked} hasCall={hasCall} fixAt="/address?editar" />
)

type TurnProps = Pick<Route.ComponentProps['loaderData'], 'words' | 'stage' | 'outside'>

/** What happens next in one sentence, its one action, and how far it all is. */
function Turn({ outside, stage, words }: TurnProps) {
  const { detail, next, sentence, since } = words
  const isShown = isNext({ outside, words })
  return (
    <Card className="gap-5 lg:p-7" aria-label="Qué sigue">
      <div className="grid gap-4 lg:flex lg:items-center lg:justify-between lg:gap-8">
        <div className="grid gap-1">
          <p className="text-[1.375rem]/tight font-semibold tracking-tight text-balance lg:text-[1.75rem]/tight">
            {sentence}
          </p>
          {detail && <p className="text-mute">{detail}</p>}
          {since && <p className="text-mute">Desde {since}.</p>}
        </div>
        {isShown && (
          <LinkButton to={next.to} className="lg:shrink-0 lg:px-7">
            {next.label}
          </LinkButton>
        )}
      </div>
      {!isShown && outside && <FarHome {...outside} />}
      <div className="border-t border-line pt-4">
        <StageLine stage={stage} />
      </div>
    </Card>
  )
}

/** For a customer who requested the deletion of their account: until then everything works. */
const Leaving = ({ at }: { at: Date }) => (
  <Alert
    tone="wait"
    title={`Tu cuenta se elimina el ${longDate(at)}`}
    actions={
      <LinkButton to="/cuenta#eliminar" variant="ghost">
        Conservar mi cuenta
      </LinkButton>
    }
  >
    Tú lo pediste. Hasta ese día puedes cambiar de opinión.
  </Alert>
)

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
