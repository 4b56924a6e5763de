import { data } from 'react-router'
import { type StaffForm, staffAccountInput } from '../../domain/own-account.ts'
import { refuse } from '../../domain/refusal.ts'
import { ownAccount } from '../../server/accounts/own.ts'
import {
  confirmSecondFactor,
  secondFactorOf,
  startSecondFactor,
} from '../../server/accounts/second-factor.ts'
import { renewRecoveryCodes, turnOffSecondFactor } from '../../server/accounts/second-factor-changes.ts'
import { feedOf } from '../../server/calendar/changes.ts'
import { caller, db, isHeld, site } from '../../server/context.ts'
import { ownTimeOff } from '../../server/staffing/own-time-off.ts'
import { afterRefusal } from '../after-refusal.ts'
import { calendarLinkIn, FeedCard } from '../calendar/feed-card.tsx'
import { toast } from '../flash.ts'
import { formOf } from '../form.ts'
import { load } from '../load.ts'
import { providerLabel } from '../session/shown-provider.ts'
import { settingsPath } from '../settings/pages.ts'
import { Settings } from '../settings/settings.tsx'
import { isOfSettings, settingsAction } from '../settings/settings-action.ts'
import { loadSettings } from '../settings/settings-loader.ts'
import { someone } from '../someone.ts'
import { type Failure, submit } from '../submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { useLastAnswer } from '../ui/last-answer.ts'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/account.ts'
import { EmailCard } from './email-card.tsx'
import { everyonesAction, sessionIdOf } from './everyones-action.ts'
import { concerning } from './form-concerned.ts'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { ProvidersCard } from './providers-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { Sections } from './sections.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { isOfTimeOff, timeOffAction } from './time-off-action.ts'
import { TimeOffCard } from './time-off-card.tsx'

const here = '/admin/account'

export const shouldRevalidate = afterRefusal

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const own = { actor, sessionId: sessionIdOf(context) }
  const held = context.get(isHeld)
  const [account, factor, feed, settings, timeOff] = await Promise.all([
    ownAccount(database, actor, own.sessionId),
    secondFactorOf(database, context.get(caller).ask, own, context.get(site).brand, now),
    feedOf(database, actor),
    held ? null : loadSettings(database, actor, url, now),
    ownTimeOff(database, actor),
  ])
  // This very request may have turned it on; the actor is as the request found them.
  const missing = held && factor.state !== 'on'
  return {
    ...account,
    provider: providerLabel(context),
    factor,
    feed,
    now,
    held: missing,
    settings,
    timeOff,
    canConfigure: actor.kind === 'manager' && !missing,
  }
}

export const action = async ({ request, context }: Route.ActionArgs) => {
  const form = await formOf(request)
  if (isOfTimeOff(form.get('intent'))) return timeOffAction(request, context)
  if (!isOfSettings(form.get('intent')))
    return submit(request, staffAccountInput, (input) => answer(input, context))
  const asked = { request, db: context.get(db), actor: someone(context), now: new Date() }
  return load(async () => (context.get(isHeld) ? refuse('permission-denied') : settingsAction(asked)))
}

async function answer(form: StaffForm, context: Route.ActionArgs['context']) {
  const [database, ask, actor, now] = [context.get(db), context.get(caller).ask, someone(context), new Date()]
  const own = { actor, sessionId: sessionIdOf(context) }
  switch (form.intent) {
    case 'second-factor-start':
      await startSecondFactor(database, ask, own, form.currentPassword, now)
      return toast(
        `${here}#segundo-factor`,
        'Lee el código QR con tu aplicación',
        'Luego escribe aquí el código que te muestra.',
      )
    case 'second-factor-confirm':
      return data({ codes: await confirmSecondFactor(database, ask, own, form.code, now) })
    case 'second-factor-codes':
      return data({ codes: await renewRecoveryCodes(database, ask, actor, form, now) })
    case 'second-factor-off':
      await turnOffSecondFactor(database, ask, actor, form, now)
      return toast(
        `${here}#segundo-factor`,
        'Desactivaste tu segundo factor',
        'Actívalo otra vez cuando quieras.',
      )
    default:
      return everyonesAction(context, form, here)
  }
}

const sections = [
  { id: 'perfil', label: 'Tus datos' },
  { id: 'correo', label: 'Correo' },
  { id: 'contrasena', label: 'Contraseña' },
  { id: 'segundo-factor', label: 'Segundo factor' },
  { id: 'sesiones', label: 'Sesiones' },
]

/** In the order of the cards. */
const shownSections = (timeOff: boolean, calendar: boolean) => [
  ...sections.slice(0, 3),
  ...(timeOff ? [{ id: 'permisos', label: 'Permisos' }] : []),
  ...sections.slice(3, 4),
  ...(calendar ? [{ id: 'calendario', label: 'Calendario' }] : []),
  ...sections.slice(4),
]

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { user, hasPassword, sessions, linked, nextEmail, provider, factor, feed, now, held } = loaderData
  const { settings, timeOff, canConfigure } = loaderData
  const heard = useLastAnswer(actionData)
  const result = (intent: string) => concerning(heard, intent)
  const codes = heard && 'codes' in heard ? heard.codes : undefined
  if (settings)
    return <Settings data={settings} result={heard && 'values' in heard ? (heard as Failure) : undefined} />
  return (
    <>
      <PageHeader
        title="Mi cuenta"
        actions={
          canConfigure && (
            <LinkButton variant="ghost" to={settingsPath()}>
              Configuración del servicio
            </LinkButton>
          )
        }
      />
      {held && (
        <Alert tone="wait" title="Activa tu segundo factor para continuar">
          Tu cuenta de gerencia lo necesita. Mientras tanto solo puedes usar esta página.
        </Alert>
      )}
      <Sections sections={shownSections(Boolean(timeOff), feed !== undefined)} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <ProfileCard user={user} result={result('profile')} />
          <EmailCard {...{ user, nextEmail, hasPassword, result }} />
          <PasswordCard email={user.email} hasPassword={hasPassword} result={result} />
          {linked.length > 0 && (
            <ProvidersCard label={provider} {...{ linked, hasPassword }} result={result('unlink-provider')} />
          )}
        </div>
        <div className="grid gap-4">
          {timeOff && <TimeOffCard own={timeOff} result={result} />}
          <SecondFactorCard {...{ factor, hasPassword, codes, result }} />
          {feed !== undefined && (
            <FeedCard feed={feed} link={calendarLinkIn(heard)} now={now} result={result} />
          )}
          <SessionsCard sessions={sessions} now={now} result={result('close-session')} />
        </div>
      </div>
    </>
  )
}
