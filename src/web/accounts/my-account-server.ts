import type { RouterContextProvider } from 'react-router'
import {
  blockedDays,
  type CustomerForm,
  customerAccountInput,
  deletionDue,
  deletionWaitDays,
} from '../../domain/own-account.ts'
import { askDeletion, inTheWayOf, inTheWayWords, keepAccount } from '../../server/accounts/deletion.ts'
import { ownAccount } from '../../server/accounts/own.ts'
import { ownData } from '../../server/accounts/own-data.ts'
import { chooseNotices } from '../../server/accounts/profile.ts'
import { feedOf } from '../../server/calendar/changes.ts'
import { caller, db } from '../../server/context.ts'
import { toast } from '../flash.ts'
import { providerLabel } from '../session/shown-provider.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import type { Deletion } from './delete-card.tsx'
import { everyonesAction, sessionIdOf } from './everyones-action.ts'

type Context = Readonly<RouterContextProvider>

const here = '/?cuenta'

/** What a customer's "Mi cuenta" shows; everything we hold only when it is asked for. */
export async function myAccount(context: Context, url: URL) {
  const [database, actor, sessionId] = [context.get(db), someone(context), sessionIdOf(context)]
  const [account, feed, obstacle, data] = await Promise.all([
    ownAccount(database, actor, sessionId),
    feedOf(database, actor),
    inTheWayOf(database, actor.id),
    url.searchParams.has('datos') ? ownData(database, actor, sessionId) : null,
  ])
  const { deletionRequestedAt } = account.user
  const deletion: Deletion = {
    dueAt: deletionRequestedAt && deletionDue(deletionRequestedAt),
    obstacle: obstacle && { words: inTheWayWords[obstacle], ...ways[obstacle] },
    waitDays: deletionWaitDays,
    blockedDays,
  }
  return { ...account, provider: providerLabel(context), feed, data, deletion, now: new Date() }
}

const ways = {
  installation: { to: '/', label: 'Ver mi instalación' },
  address: { to: '/address', label: 'Ver mi domicilio' },
}

/** The forms of "Mi cuenta". */
export const myAccountAction = (request: Request, context: Context) =>
  submit(request, customerAccountInput, (form) => answer(form, context))

async function answer(form: CustomerForm, context: Context) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  switch (form.intent) {
    case 'notices':
      await chooseNotices(database, actor, form, context.get(caller).termsVersion, now)
      return toast(`${here}#avisos`, 'Guardamos tus avisos', 'Valen desde el próximo que te toque.')
    case 'delete':
      await askDeletion(database, actor, form.currentPassword, now)
      return toast(
        `${here}#eliminar`,
        'Vamos a eliminar tu cuenta',
        'Te escribimos la fecha por correo.',
        'default',
      )
    case 'keep':
      await keepAccount(database, actor)
      return toast(`${here}#eliminar`, 'Conservamos tu cuenta', 'Todo sigue como estaba.')
    default:
      return everyonesAction(context, form, here)
  }
}
