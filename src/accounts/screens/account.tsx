import { type MiddlewareFunction, redirect } from 'react-router'
import { type Actor, isManager, isTechnician } from '../../access/rules/actor.ts'
import { feedOf } from '../../appointments/calendar.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { DeviceNotices } from '../../notifications/screens/device-notices.tsx'
import { settingsMovedTo, settingsPath } from '../../settings/rules/pages.ts'
import { configures } from '../../settings/rules/settings.ts'
import { areSingleKeysOn } from '../../shared/device.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ownCalendars } from '../../users/busy-calendars.ts'
import { dayStartOf } from '../../users/day-start.ts'
import { askTimeOff, ownTimeOff, withdrawTimeOff } from '../../users/own-time-off.ts'
import { ownTimeOffInput } from '../../users/rules/schema.ts'
import { BusyCalendarsCard } from '../../users/screens/busy-calendars.tsx'
import { DayStartCard } from '../../users/screens/day-start-card.tsx'
import { OwnTimeOffCard } from '../../users/screens/own-time-off.tsx'
import { securityPath } from '../../users/screens/security-parts.tsx'
import { PapersCard } from '../../users/screens/staff-papers.tsx'
import {
  busyCalendarForms,
  dayStartForms,
  paperForms,
  visitCardForms,
} from '../../users/screens/user-forms.ts'
import { VisitCard } from '../../users/screens/visit-card.tsx'
import { staffPapersOf } from '../../users/staff-papers.ts'
import { visitCardOf } from '../../users/visit-card.ts'
import { accountPage } from '../profile.ts'
import { secondFactorOf } from '../second-factor.ts'
import type { Route } from './+types/account.ts'
import {
  ContrastCard,
  calendarLinkIn,
  FeedCard,
  KeysCard,
  ProfileCard,
  ProvidersCard,
  Sections,
  SessionsCard,
} from './account-cards.tsx'
import { EmailCard } from './email-card.tsx'
import { accountForms, newsOf, ownOf, providerLabel } from './forms.ts'
import { PasskeyCards } from './passkeys/passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'

const timeOffPath = '/admin/account#permisos'

/** Requests time off, or withdraws a request. */
function timeOffForms(context: LoaderContext) {
  const { db, actor, now } = signedIn(context)
  return {
    'time-off-ask': form(ownTimeOffInput['time-off-ask'], async (input) => {
      await askTimeOff(db, actor, input, now)
      return redirectWithToast(
        timeOffPath,
        'Enviamos tu solicitud',
        'Te escribimos cuando la gerencia responda.',
      )
    }),
    'time-off-withdraw': form(ownTimeOffInput['time-off-withdraw'], async ({ timeOffId }) => {
      await withdrawTimeOff(db, actor, timeOffId, now)
      return redirectWithToast(
        timeOffPath,
        'Retiraste tu solicitud',
        'La gerencia ya no tiene que responderla.',
      )
    }),
  }
}

const here = '/admin/account'

/** The configuration was at this address once: its links redirect, and its forms are sent on. */
const settingsMoved: MiddlewareFunction<Response> = ({ request, url }) => {
  const to = settingsMovedTo(url)
  if (to) throw redirect(to, ['GET', 'HEAD'].includes(request.method) ? 301 : 308)
}

/** A technician's phone keeps this page as it is fetched ahead, without the key of a second factor that is being set up. */
const keptAhead: MiddlewareFunction<Response> = async ({ request }, next) => {
  const answer = await next()
  if (!isAhead(request)) answer.headers.set('x-once', '1')
  return answer
}

const isAhead = (request: Request) => request.headers.has('x-ahead')

/** The manager keeps the company's papers, a technician their own. */
const ownerOfPapers = (actor: Actor) => (isManager(actor) ? null : actor.id)

export const middleware = [settingsMoved, keptAhead]

export const shouldRevalidate = revalidateOnConflict

export const loader = async ({ context, request }: Route.LoaderArgs) => {
  const { db, actor, now, secondFactorMissing: held, caller, site } = signedIn(context)
  const own = ownOf(context)
  const papersOf = ownerOfPapers(actor)
  const [account, factor, feed, timeOff, visitCard, dayStart, busy, news, papers] = await Promise.all([
    accountPage(db, actor, own.sessionId),
    secondFactorOf(db, caller.ask, own, site.brand, now),
    feedOf(db, actor),
    ownTimeOff(db, actor),
    visitCardOf(db, actor, actor.id),
    dayStartOf(db, actor, actor.id),
    ownCalendars(db, actor, now),
    newsOf(context),
    staffPapersOf(db, actor, papersOf, actor.kind),
  ])
  // This very request may have turned it on; `actor` is as before the request.
  const missing = held && factor.state !== 'on'
  return {
    ...account,
    provider: providerLabel(context),
    factor: factor.state === 'begun' && isAhead(request) ? ({ state: 'off' } as const) : factor,
    feed,
    now,
    held: missing,
    timeOff,
    onPhoneOf: isTechnician(actor) ? actor.id : null,
    visitCard,
    dayStart,
    busy,
    news,
    papers: papers && { papers, now, name: null, ofCompany: papersOf === null, checks: papersOf === null },
    singleKeys: areSingleKeysOn(request.headers.get('cookie') ?? ''),
    canConfigure: configures(actor) && !missing,
  }
}

export const action = forms(({ context }: Route.ActionArgs) => ({
  ...accountForms(context, here),
  ...timeOffForms(context),
  ...visitCardForms(context, signedIn(context).actor.id, here),
  ...dayStartForms(context, signedIn(context).actor.id, here),
  ...busyCalendarForms(context, here),
  ...paperForms(context, ownerOfPapers(signedIn(context).actor), here),
}))

const sections = [
  { id: 'perfil', label: 'Tus datos' },
  { id: 'correo', label: 'Correo' },
  { id: 'contrasena', label: 'Contraseña' },
  { id: 'llaves', label: 'Llaves de acceso' },
  { id: 'segundo-factor', label: 'Segundo factor' },
  { id: 'avisos-dispositivo', label: 'Avisos' },
  { id: 'teclas', label: 'Teclas' },
  { id: 'pantalla', label: 'Pantalla' },
  { id: 'sesiones', label: 'Sesiones' },
]

type Having = Record<'visitCard' | 'dayStart' | 'papers' | 'timeOff' | 'calendar', boolean>

/** In the order of the cards. */
const shownSections = ({ calendar, dayStart, papers, timeOff, visitCard }: Having) => [
  ...sections.slice(0, 3),
  ...(visitCard ? [{ id: 'quien-llega', label: 'Foto y vehículo' }] : []),
  ...(dayStart ? [{ id: 'salida', label: 'Salida' }] : []),
  ...(papers ? [{ id: 'papeles', label: 'Papeles' }] : []),
  ...(timeOff
    ? [
        { id: 'permisos', label: 'Permisos' },
        { id: 'ocupado', label: 'Horas ocupadas' },
      ]
    : []),
  ...sections.slice(3, 5),
  ...(calendar ? [{ id: 'calendario', label: 'Calendario' }] : []),
  ...sections.slice(5),
]

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { user, hasPassword, sessions, linked, passkeys, nextEmail, provider, factor, feed, now, held } =
    loaderData
  const { busy, timeOff, onPhoneOf, canConfigure, dayStart, papers, singleKeys, visitCard, news } = loaderData
  const answer = useLastActionData(actionData)
  return (
    <>
      <PageHeader
        title="Mi cuenta"
        actions={
          canConfigure && (
            <>
              <LinkButton variant="ghost" to={securityPath}>
                Seguridad
              </LinkButton>
              <LinkButton variant="ghost" to={settingsPath()}>
                Configuración del servicio
              </LinkButton>
            </>
          )
        }
      />
      {held && (
        <Alert tone="wait" title="Activa tu segundo factor para continuar">
          Tu cuenta de gerencia lo necesita. Mientras tanto solo puedes usar esta página.
        </Alert>
      )}
      <OrphanedFormError />
      <Sections
        sections={shownSections({
          visitCard: visitCard !== null,
          dayStart: dayStart !== null,
          papers: papers !== null,
          timeOff: Boolean(timeOff),
          calendar: feed !== undefined,
        })}
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <ProfileCard user={user} />
          <EmailCard user={user} nextEmail={nextEmail} hasPassword={hasPassword} />
          <PasswordCard email={user.email} hasPassword={hasPassword} />
          {linked.length > 0 && <ProvidersCard label={provider} linked={linked} hasPassword={hasPassword} />}
        </div>
        <div className="grid gap-4">
          {visitCard && <VisitCard card={visitCard} />}
          {dayStart && <DayStartCard start={dayStart} isOwn />}
          {papers && <PapersCard {...papers} />}
          {timeOff && <OwnTimeOffCard own={timeOff} personId={onPhoneOf} />}
          {busy && <BusyCalendarsCard own={busy} now={now} />}
          <PasskeyCards
            passkeys={passkeys}
            factor={factor}
            hasPassword={hasPassword}
            answer={answer}
            now={now}
          />
          {feed !== undefined && <FeedCard feed={feed} link={calendarLinkIn(answer)} now={now} />}
          <DeviceNotices news={news} />
          <KeysCard isOn={singleKeys}>
            Con «/» se abre la búsqueda; con j, k y x se recorren y marcan las listas, y con j y k las fotos
            de un reporte. En una llamada, M, V, S y C.
          </KeysCard>
          <ContrastCard />
          <SessionsCard sessions={sessions} now={now} />
        </div>
      </div>
    </>
  )
}
