import { data, type RouterContextProvider } from 'react-router'
import { isCustomer } from '../../access/rules/actor.ts'
import { endOwnReferral } from '../../agencies/attributions.ts'
import { calendarSource, caller, currentSession, db, provider, pushKey, webhooks } from '../../app/context.ts'
import { makeFeed, removeFeed } from '../../appointments/calendar.ts'
import { feedPath } from '../../appointments/rules/paths.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { requireActor } from '../../kit/require-actor.ts'
import { form } from '../../kit/submit.ts'
import { chooseNews, ownNews, subscribe, unsubscribe } from '../../notifications/push.ts'
import { choiceLife, contrastCookie, singleKeysCookie } from '../../shared/device.ts'
import { refuse } from '../../shared/refusal.ts'
import { cancelEmailChange, changeOwnEmail } from '../email-change.ts'
import { sendReset } from '../email-operations.ts'
import { unlinkProvider } from '../linked-providers.ts'
import { addPasskey, removePasskey, startPasskey } from '../passkeys.ts'
import { changePassword } from '../password.ts'
import { editProfile } from '../profile.ts'
import { closeOtherSessions, closeSession } from '../providers.ts'
import { accountInput } from '../rules/schema.ts'
import {
  confirmSecondFactor,
  renewRecoveryCodes,
  secureByPasskey,
  startSecondFactor,
  turnOffSecondFactor,
} from '../second-factor.ts'
import type { ShownProvider } from './provider-form.tsx'

type Context = Readonly<RouterContextProvider>

/** Who asks, and from which session. */
export const ownOf = (context: Context) => ({ actor: requireActor(context), sessionId: sessionIdOf(context) })

/** The session that asks. */
export const sessionIdOf = (context: Context): string =>
  context.get(currentSession)?.id ?? refuse('unauthenticated')

const linkEnded = 'El enlace de tu calendario dejó de servir: crea otro si lo usas.'

/** The forms of the account page that staff and customers share; `here` is the page. */
export function accountForms(context: Context, here: string) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const input = accountInput
  return {
    profile: form(input.profile, async (wish) => {
      await editProfile(database, actor, wish)
      // Their phone may turn out to be that of one of the agency's own allies.
      if (isCustomer(actor)) await endOwnReferral(database, { customerId: actor.id, now })
      return redirectWithToast(
        `${here}#perfil`,
        'Guardamos tus datos',
        'Desde ahora los usamos en tus citas y mensajes.',
      )
    }),
    email: form(input.email, async (wish) => {
      const { address } = context.get(caller)
      const begun = await changeOwnEmail(database, actor, sessionIdOf(context), { ...wish, address }, now)
      return begun === 'changed'
        ? redirectWithToast(
            `${here}#correo`,
            'Cambiamos tu correo',
            `Abre el enlace que mandamos a ${wish.email}.`,
          )
        : redirectWithToast(
            `${here}#correo`,
            'Falta un paso',
            `Abre el enlace que mandamos a ${wish.email}.`,
            'default',
          )
    }),
    'cancel-email': form(input['cancel-email'], async () => {
      await cancelEmailChange(database, actor, now)
      return redirectWithToast(
        `${here}#correo`,
        'Cancelamos el cambio',
        `Tu correo sigue siendo ${actor.email}.`,
      )
    }),
    ...signInForms(context, here),
    ...secondFactorForms(context, `${here}#segundo-factor`),
    ...passkeyForms(context, `${here}#llaves`),
    keys: form(input.keys, ({ singleKeys }) =>
      redirectWithToast(
        `${here}#teclas`,
        singleKeys ? 'Usas atajos de una sola tecla' : 'Apagamos los atajos de una sola tecla',
        'Vale en este equipo, desde ahora.',
        'success',
        { 'set-cookie': choiceOf(singleKeysCookie, singleKeys ? null : 'no') },
      ),
    ),
    contrast: form(input.contrast, ({ high }) =>
      redirectWithToast(
        `${here}#pantalla`,
        high ? 'Encendimos el alto contraste' : 'Apagamos el alto contraste',
        'Vale en este equipo, desde ahora.',
        'success',
        { 'set-cookie': `${choiceOf(contrastCookie, high ? 'alto' : null)}; HttpOnly` },
      ),
    ),
    'calendar-link': form(input['calendar-link'], async () => {
      const secret = await makeFeed(database, actor, now)
      return data({ calendarLink: context.get(calendarSource).baseUrl + feedPath(secret) })
    }),
    'calendar-unlink': form(input['calendar-unlink'], async () => {
      await removeFeed(database, actor)
      return redirectWithToast(
        `${here}#calendario`,
        'Quitamos el enlace de tu calendario',
        'Tus citas dejan de actualizarse ahí. Crea otro cuando quieras.',
      )
    }),
    ...newsForms(context, `${here}#avisos-dispositivo`),
  }
}

/** The cookie by which a device keeps a choice, or forgets it. */
const choiceOf = (name: string, value: string | null) =>
  `${name}=${value ?? ''}; Path=/; SameSite=Lax; Max-Age=${value ? choiceLife : 0}`

/** Notices on the person's devices. */
function newsForms(context: Context, place: string) {
  const [database, actor, input] = [context.get(db), requireActor(context), accountInput]
  return {
    'news-on': form(input['news-on'], async (subscription) => {
      await subscribe(database, actor, sessionIdOf(context), subscription, context.get(webhooks))
      return redirectWithToast(place, 'Activamos tus avisos', 'Te llegan en este dispositivo.')
    }),
    'news-off': form(input['news-off'], async () => {
      await unsubscribe(database, actor, sessionIdOf(context))
      return redirectWithToast(place, 'Apagamos tus avisos', 'Ya no te llegan en este dispositivo.')
    }),
    'news-kinds': form(input['news-kinds'], async (wanted) => {
      await chooseNews(database, actor, wanted)
      return redirectWithToast(place, 'Guardamos tus avisos', 'Valen en todos tus dispositivos.')
    }),
  }
}

/** What the card of notices shows. */
export const newsOf = async (context: Context) => ({
  ...(await ownNews(context.get(db), requireActor(context), sessionIdOf(context))),
  publicKey: context.get(pushKey),
})

/** How one signs in, and where one is signed in. */
function signInForms(context: Context, here: string) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const input = accountInput
  const closed = (hadLink: boolean) =>
    hadLink ? `Cerramos tus demás sesiones. ${linkEnded}` : 'Cerramos tus demás sesiones.'
  return {
    password: form(input.password, async (wish) => {
      const hadLink = await changePassword(database, actor, sessionIdOf(context), wish, now)
      return redirectWithToast(`${here}#contrasena`, 'Cambiamos tu contraseña', closed(hadLink))
    }),
    'password-letter': form(input['password-letter'], async () => {
      await sendReset(context.get(caller), { email: actor.email })
      return redirectWithToast(
        `${here}#contrasena`,
        'Te enviamos un correo',
        `Llega a ${actor.email} en un momento.`,
      )
    }),
    'close-session': form(input['close-session'], async ({ sessionId }) => {
      await closeSession(database, actor, sessionId)
      return redirectWithToast(
        `${here}#sesiones`,
        'Cerramos esa sesión',
        'En ese equipo hay que iniciar sesión otra vez.',
      )
    }),
    'close-others': form(input['close-others'], async () => {
      const hadLink = await closeOtherSessions(database, actor, sessionIdOf(context))
      return redirectWithToast(
        `${here}#sesiones`,
        'Cerramos tus demás sesiones',
        hadLink ? linkEnded : 'Solo queda abierta la de este equipo.',
      )
    }),
    'unlink-provider': form(input['unlink-provider'], async (fields) => {
      const hadLink = await unlinkProvider(database, ownOf(context), fields, new Date())
      return redirectWithToast(`${here}#contrasena`, 'Quitamos esa forma de entrar', closed(hadLink))
    }),
  }
}

function secondFactorForms(context: Context, place: string) {
  const { db: database, ask, now } = context.get(caller)
  const [own, input] = [ownOf(context), accountInput]
  return {
    'second-factor-start': form(input['second-factor-start'], async ({ currentPassword }) => {
      await startSecondFactor(database, ask, own, currentPassword, now)
      return redirectWithToast(
        place,
        'Lee el código QR con tu aplicación',
        'Luego escribe aquí el código que te muestra.',
      )
    }),
    'second-factor-confirm': form(input['second-factor-confirm'], async ({ code }) =>
      data({ codes: await confirmSecondFactor(database, ask, own, code, now) }),
    ),
    'second-factor-passkey': form(input['second-factor-passkey'], async ({ currentPassword }) =>
      data({ codes: await secureByPasskey(database, ask, own, currentPassword, now) }),
    ),
    'second-factor-codes': form(input['second-factor-codes'], async (proof) =>
      data({ codes: await renewRecoveryCodes(database, ask, own, proof, now) }),
    ),
    'second-factor-off': form(input['second-factor-off'], async (proof) => {
      await turnOffSecondFactor(database, ask, own, proof, now)
      return redirectWithToast(place, 'Desactivaste tu segundo factor', 'Actívalo otra vez cuando quieras.')
    }),
  }
}

function passkeyForms(context: Context, place: string) {
  const [own, input] = [ownOf(context), accountInput]
  return {
    'passkey-start': form(input['passkey-start'], async (proof) => {
      const { headers, value } = await startPasskey(context.get(caller), own, proof)
      return data({ toMake: value }, { headers: headers ?? {} })
    }),
    'passkey-add': form(input['passkey-add'], async ({ credential }) => {
      await addPasskey(context.get(caller), own, credential)
      return redirectWithToast(place, 'Agregamos tu llave de acceso', 'Ya puedes entrar con ella.')
    }),
    'passkey-remove': form(input['passkey-remove'], async (fields) => {
      await removePasskey(context.get(db), own, fields, new Date())
      return redirectWithToast(place, 'Quitamos esa llave de acceso', 'Cerramos tus demás sesiones.')
    }),
  }
}

/** The name of the service by which people sign in without a password. */
export const providerLabel = (context: Readonly<RouterContextProvider>): string =>
  context.get(provider)?.label ?? 'Otro servicio'

/** What the sign-in pages show of the provider; null where none is set. */
export function shownProvider(context: Readonly<RouterContextProvider>): ShownProvider | null {
  const chosen = context.get(provider)
  return chosen && { label: chosen.label, origins: chosen.origins }
}
