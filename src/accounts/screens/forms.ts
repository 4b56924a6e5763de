import { data } from 'react-router'
import { isCustomer } from '../../access/rules/actor.ts'
import { endOwnReferral } from '../../agencies/attributions.ts'
import { makeFeed, removeFeed } from '../../appointments/calendar.ts'
import { feedPath } from '../../appointments/rules/paths.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
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

/** Who asks, and from which session. */
export const ownOf = (context: LoaderContext) => ({
  actor: signedIn(context).actor,
  sessionId: sessionIdOf(context),
})

/** The session that asks. */
export const sessionIdOf = (context: LoaderContext): string =>
  requestOf(context).session?.id ?? refuse('unauthenticated')

const linkEnded = 'El enlace de tu calendario dejó de servir: crea otro si lo usas.'

/** The forms of the account page that staff and customers share; `here` is the page. */
export function accountForms(context: LoaderContext, here: string) {
  const { db, actor, now, caller, calendarSource } = signedIn(context)
  const schemas = accountInput
  return {
    profile: form(schemas.profile, async (input) => {
      await editProfile(db, actor, input)
      // Their phone may turn out to be that of one of the agency's own allies.
      if (isCustomer(actor)) await endOwnReferral(db, { customerId: actor.id, now })
      return redirectWithToast(
        `${here}#perfil`,
        'Guardamos tus datos',
        'Desde ahora los usamos en tus citas y mensajes.',
      )
    }),
    email: form(schemas.email, async (input) => {
      const { address } = caller
      const begun = await changeOwnEmail(db, actor, sessionIdOf(context), { ...input, address }, now)
      return begun === 'changed'
        ? redirectWithToast(
            `${here}#correo`,
            'Cambiamos tu correo',
            `Abre el enlace que mandamos a ${input.email}.`,
          )
        : redirectWithToast(
            `${here}#correo`,
            'Falta un paso',
            `Abre el enlace que mandamos a ${input.email}.`,
            'default',
          )
    }),
    'cancel-email': form(schemas['cancel-email'], async () => {
      await cancelEmailChange(db, actor, now)
      return redirectWithToast(
        `${here}#correo`,
        'Cancelamos el cambio',
        `Tu correo sigue siendo ${actor.email}.`,
      )
    }),
    ...signInForms(context, here),
    ...secondFactorForms(context, `${here}#segundo-factor`),
    ...passkeyForms(context, `${here}#llaves`),
    keys: form(schemas.keys, ({ singleKeys }) =>
      redirectWithToast(
        `${here}#teclas`,
        singleKeys ? 'Usas atajos de una sola tecla' : 'Apagamos los atajos de una sola tecla',
        'Vale en este equipo, desde ahora.',
        'success',
        { 'set-cookie': choiceOf(singleKeysCookie, singleKeys ? null : 'no') },
      ),
    ),
    contrast: form(schemas.contrast, ({ high }) =>
      redirectWithToast(
        `${here}#pantalla`,
        high ? 'Encendimos el alto contraste' : 'Apagamos el alto contraste',
        'Vale en este equipo, desde ahora.',
        'success',
        { 'set-cookie': `${choiceOf(contrastCookie, high ? 'alto' : null)}; HttpOnly` },
      ),
    ),
    'calendar-link': form(schemas['calendar-link'], async () => {
      const secret = await makeFeed(db, actor, now)
      return data({ calendarLink: calendarSource.baseUrl + feedPath(secret) })
    }),
    'calendar-unlink': form(schemas['calendar-unlink'], async () => {
      await removeFeed(db, actor)
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
function newsForms(context: LoaderContext, place: string) {
  const { db, actor, webhooks } = signedIn(context)
  const schemas = accountInput
  return {
    'news-on': form(schemas['news-on'], async (subscription) => {
      await subscribe(db, actor, sessionIdOf(context), subscription, webhooks)
      return redirectWithToast(place, 'Activamos tus avisos', 'Te llegan en este dispositivo.')
    }),
    'news-off': form(schemas['news-off'], async () => {
      await unsubscribe(db, actor, sessionIdOf(context))
      return redirectWithToast(place, 'Apagamos tus avisos', 'Ya no te llegan en este dispositivo.')
    }),
    'news-kinds': form(schemas['news-kinds'], async (wanted) => {
      await chooseNews(db, actor, wanted)
      return redirectWithToast(place, 'Guardamos tus avisos', 'Valen en todos tus dispositivos.')
    }),
  }
}

/** What the card of notices shows. */
export async function newsOf(context: LoaderContext) {
  const { db, actor, pushKey } = signedIn(context)
  return { ...(await ownNews(db, actor, sessionIdOf(context))), publicKey: pushKey }
}

/** How one signs in, and where one is signed in. */
function signInForms(context: LoaderContext, here: string) {
  const { db, actor, now, caller } = signedIn(context)
  const schemas = accountInput
  const closed = (hadLink: boolean) =>
    hadLink ? `Cerramos tus demás sesiones. ${linkEnded}` : 'Cerramos tus demás sesiones.'
  return {
    password: form(schemas.password, async (input) => {
      const hadLink = await changePassword(db, actor, sessionIdOf(context), input, now)
      return redirectWithToast(`${here}#contrasena`, 'Cambiamos tu contraseña', closed(hadLink))
    }),
    'password-letter': form(schemas['password-letter'], async () => {
      await sendReset(caller, { email: actor.email })
      return redirectWithToast(
        `${here}#contrasena`,
        'Te enviamos un correo',
        `Llega a ${actor.email} en un momento.`,
      )
    }),
    'close-session': form(schemas['close-session'], async ({ sessionId }) => {
      await closeSession(db, actor, sessionId)
      return redirectWithToast(
        `${here}#sesiones`,
        'Cerramos esa sesión',
        'En ese equipo hay que iniciar sesión otra vez.',
      )
    }),
    'close-others': form(schemas['close-others'], async () => {
      const hadLink = await closeOtherSessions(db, actor, sessionIdOf(context))
      return redirectWithToast(
        `${here}#sesiones`,
        'Cerramos tus demás sesiones',
        hadLink ? linkEnded : 'Solo queda abierta la de este equipo.',
      )
    }),
    'unlink-provider': form(schemas['unlink-provider'], async (fields) => {
      const hadLink = await unlinkProvider(db, ownOf(context), fields, new Date())
      return redirectWithToast(`${here}#contrasena`, 'Quitamos esa forma de entrar', closed(hadLink))
    }),
  }
}

function secondFactorForms(context: LoaderContext, place: string) {
  const { db, ask, now } = requestOf(context).caller
  const own = ownOf(context)
  const schemas = accountInput
  return {
    'second-factor-start': form(schemas['second-factor-start'], async ({ currentPassword }) => {
      await startSecondFactor(db, ask, own, currentPassword, now)
      return redirectWithToast(
        place,
        'Lee el código QR con tu aplicación',
        'Luego escribe aquí el código que te muestra.',
      )
    }),
    'second-factor-confirm': form(schemas['second-factor-confirm'], async ({ code }) =>
      data({ codes: await confirmSecondFactor(db, ask, own, code, now) }),
    ),
    'second-factor-passkey': form(schemas['second-factor-passkey'], async ({ currentPassword }) =>
      data({ codes: await secureByPasskey(db, ask, own, currentPassword, now) }),
    ),
    'second-factor-codes': form(schemas['second-factor-codes'], async (proof) =>
      data({ codes: await renewRecoveryCodes(db, ask, own, proof, now) }),
    ),
    'second-factor-off': form(schemas['second-factor-off'], async (proof) => {
      await turnOffSecondFactor(db, ask, own, proof, now)
      return redirectWithToast(place, 'Desactivaste tu segundo factor', 'Actívalo otra vez cuando quieras.')
    }),
  }
}

function passkeyForms(context: LoaderContext, place: string) {
  const { caller, db } = requestOf(context)
  const own = ownOf(context)
  const schemas = accountInput
  return {
    'passkey-start': form(schemas['passkey-start'], async (proof) => {
      const { headers, value } = await startPasskey(caller, own, proof)
      return data({ toMake: value }, { headers: headers ?? {} })
    }),
    'passkey-add': form(schemas['passkey-add'], async ({ credential }) => {
      await addPasskey(caller, own, credential)
      return redirectWithToast(place, 'Agregamos tu llave de acceso', 'Ya puedes entrar con ella.')
    }),
    'passkey-remove': form(schemas['passkey-remove'], async (fields) => {
      await removePasskey(db, own, fields, new Date())
      return redirectWithToast(place, 'Quitamos esa llave de acceso', 'Cerramos tus demás sesiones.')
    }),
  }
}

/** The name of the service by which people sign in without a password. */
export const providerLabel = (context: LoaderContext): string =>
  requestOf(context).provider?.label ?? 'Otro servicio'

/** What the sign-in pages show of the provider; null where none is set. */
export function shownProvider(context: LoaderContext): ShownProvider | null {
  const { provider: chosen } = requestOf(context)
  return chosen && { label: chosen.label, origins: chosen.origins }
}
