import { data } from 'react-router'
import { staffAccountInput } from '../../domain/accounts/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { ownAccount } from '../../server/accounts/own.ts'
import {
  confirmSecondFactor,
  secondFactorOf,
  startSecondFactor,
} from '../../server/accounts/second-factor.ts'
import { renewRecoveryCodes, turnOffSecondFactor } from '../../server/accounts/second-factor-changes.ts'
import { caller, db, isHeld, site } from '../../server/app/context.ts'
import { feedOf } from '../../server/appointments/changes.ts'
import { ownTimeOff } from '../../server/users/own-time-off.ts'
import { calendarLinkIn, FeedCard } from '../appointments/feed-card.tsx'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { type Failure, form, forms } from '../lib/submit.ts'
import { settingsPath } from '../settings/pages.ts'
import { Settings } from '../settings/settings.tsx'
import { isOfSettings, settingsAction } from '../settings/settings-action.ts'
import { loadSettings } from '../settings/settings-loader.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { OrphanedFormError } from '../ui/form.tsx'
import { useLastAnswer } from '../ui/last-answer.ts'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/account.ts'
import { EmailCard } from './email-card.tsx'
import { accountForms, sessionIdOf } from './forms.ts'
import { PasswordCard } from './password-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { ProvidersCard } from './providers-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { Sections } from './sections.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { providerLabel } from './shown-provider.ts'
import { TimeOffCard } from './time-off-card.tsx'
import { timeOffForms } from './time-off-forms.ts'

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

const answerAccount = forms(({ context }: Route.ActionArgs) => ({
  ...accountForms(context, here),
  ...timeOffForms(context),
  ...secondFactorForms(context),
}))

export const action = async (args: Route.ActionArgs) => {
  const { request, context } = args
  const sent = await formOf(request)
  if (!isOfSettings(sent.get('intent'))) return answerAccount(args)
  const asked = { request, db: context.get(db), actor: someone(context), now: new Date() }
  return load(async () => (context.get(isHeld) ? refuse('permission-denied') : settingsAction(asked)))
}

function secondFactorForms(context: Route.ActionArgs['context']) {
  const [database, ask, actor, now] = [context.get(db), context.get(caller).ask, someone(context), new Date()]
  const own = { actor, sessionId: sessionIdOf(context) }
  const [input, place] = [staffAccountInput, `${here}#segundo-factor`]
  return {
    'second-factor-start': form(input['second-factor-start'], async ({ currentPassword }) => {
      await startSecondFactor(database, ask, own, currentPassword, now)
      return toast(
        place,
        'Lee el código QR con tu aplicación',
        'Luego escribe aquí el código que te muestra.',
      )
    }),
    'second-factor-confirm': form(input['second-factor-confirm'], async ({ code }) =>
      data({ codes: await confirmSecondFactor(database, ask, own, code, now) }),
    ),
    'second-factor-codes': form(input['second-factor-codes'], async (wish) =>
      data({ codes: await renewRecoveryCodes(database, ask, actor, wish, now) }),
    ),
    'second-factor-off': form(input['second-factor-off'], async (wish) => {
      await turnOffSecondFactor(database, ask, actor, wish, now)
      return toast(place, 'Desactivaste tu segundo factor', 'Actívalo otra vez cuando quieras.')
    }),
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
      <OrphanedFormError />
      <Sections sections={shownSections(Boolean(timeOff), feed !== undefined)} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <ProfileCard user={user} />
          <EmailCard {...{ user, nextEmail, hasPassword }} />
          <PasswordCard email={user.email} hasPassword={hasPassword} />
          {linked.length > 0 && <ProvidersCard label={provider} {...{ linked, hasPassword }} />}
        </div>
        <div className="grid gap-4">
          {timeOff && <TimeOffCard own={timeOff} />}
          <SecondFactorCard {...{ factor, hasPassword, codes }} />
          {feed !== undefined && <FeedCard feed={feed} link={calendarLinkIn(heard)} now={now} />}
          <SessionsCard sessions={sessions} now={now} />
        </div>
      </div>
    </>
  )
}
