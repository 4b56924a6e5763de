import { data, type RouterContextProvider } from 'react-router'
import type { EveryonesForm } from '../../domain/own-account.ts'
import { refuse } from '../../domain/refusal.ts'
import { cancelEmailChange, changeOwnEmail } from '../../server/accounts/email-change.ts'
import { changePassword } from '../../server/accounts/own-password.ts'
import { closeOtherSessions, closeSession } from '../../server/accounts/own-sessions.ts'
import { editProfile } from '../../server/accounts/profile.ts'
import { unlinkProvider } from '../../server/accounts/providers.ts'
import { sendReset } from '../../server/accounts/reset.ts'
import { makeFeed, removeFeed } from '../../server/calendar/changes.ts'
import { endOwnReferral } from '../../server/clients/attribute.ts'
import { calendarSource, caller, db, session } from '../../server/context.ts'
import { feedPath } from '../calendar/paths.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'

type Context = Readonly<RouterContextProvider>

/** The session that asks. */
export const sessionIdOf = (context: Context): string => context.get(session)?.id ?? refuse('unauthenticated')

const linkEnded = 'El enlace de tu calendario dejó de servir: crea otro si lo usas.'

/** Does what a form of the account page asks that staff and customers share; `here` is the page. */
export async function everyonesAction(context: Context, form: EveryonesForm, here: string) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  switch (form.intent) {
    case 'profile':
      await editProfile(database, actor, form)
      // Their phone may turn out to be that of one of the agency's own allies.
      if (actor.role === 'customer') await endOwnReferral(database, actor.id, now)
      return toast(`${here}#perfil`, 'Guardamos tus datos', 'Desde ahora los usamos en tus citas y mensajes.')
    case 'password':
      return toast(
        `${here}#contrasena`,
        'Cambiamos tu contraseña',
        (await changePassword(database, actor, sessionIdOf(context), form, now))
          ? `Cerramos tus demás sesiones. ${linkEnded}`
          : 'Cerramos tus demás sesiones.',
      )
    case 'password-letter':
      await sendReset(context.get(caller), { email: actor.email })
      return toast(`${here}#contrasena`, 'Te enviamos la carta', `Llega a ${actor.email} en un momento.`)
    case 'close-session':
      await closeSession(database, actor, form.sessionId)
      return toast(
        `${here}#sesiones`,
        'Cerramos esa sesión',
        'En ese equipo hay que iniciar sesión otra vez.',
      )
    case 'close-others':
      return toast(
        `${here}#sesiones`,
        'Cerramos tus demás sesiones',
        (await closeOtherSessions(database, actor, sessionIdOf(context)))
          ? linkEnded
          : 'Solo queda abierta la de este equipo.',
      )
    case 'email': {
      const begun = await changeOwnEmail(database, actor, sessionIdOf(context), form, now)
      return begun === 'changed'
        ? toast(`${here}#correo`, 'Cambiamos tu correo', `Abre el enlace que mandamos a ${form.email}.`)
        : toast(`${here}#correo`, 'Falta un paso', `Abre el enlace que mandamos a ${form.email}.`, 'default')
    }
    case 'cancel-email':
      await cancelEmailChange(database, actor, now)
      return toast(`${here}#correo`, 'Cancelamos el cambio', `Tu correo sigue siendo ${actor.email}.`)
    case 'unlink-provider':
      return toast(
        `${here}#contrasena`,
        'Quitamos esa forma de entrar',
        (await unlinkProvider(database, actor, sessionIdOf(context), form.linkId))
          ? `Cerramos tus demás sesiones. ${linkEnded}`
          : 'Cerramos tus demás sesiones.',
      )
    case 'calendar-link': {
      const secret = await makeFeed(database, actor, now)
      return data({ calendarLink: context.get(calendarSource).baseUrl + feedPath(secret) })
    }
    case 'calendar-unlink':
      await removeFeed(database, actor)
      return toast(
        `${here}#calendario`,
        'Quitamos el enlace de tu calendario',
        'Tus citas dejan de actualizarse ahí. Crea otro cuando quieras.',
      )
  }
}
