import type { RouterContextProvider } from 'react-router'
import {
  blockedDays,
  customerAccountInput,
  deletionDue,
  deletionWaitDays,
} from '../../domain/accounts/schema.ts'
import { askDeletion, inTheWayOf, inTheWayWords, keepAccount } from '../../server/accounts/deletion.ts'
import { ownData } from '../../server/accounts/own-data.ts'
import { accountPage, chooseNotices } from '../../server/accounts/profile.ts'
import { caller, db } from '../../server/app/context.ts'
import { feedOf } from '../../server/appointments/changes.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'
import type { Deletion } from './delete-card.tsx'
import { accountForms, sessionIdOf } from './forms.ts'
import { providerLabel } from './shown-provider.ts'

type Context = Readonly<RouterContextProvider>

const here = '/?cuenta'

/** What a customer's "Mi cuenta" shows; everything we hold only when it is asked for. */
export async function myAccount(context: Context, url: URL) {
  const [database, actor, sessionId] = [context.get(db), requireActor(context), sessionIdOf(context)]
  const [account, feed, obstacle, data] = await Promise.all([
    accountPage(database, actor, sessionId),
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
export function myAccountForms(context: Context) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const input = customerAccountInput
  return {
    ...accountForms(context, here),
    notices: form(input.notices, async (wish) => {
      await chooseNotices(database, actor, wish, context.get(caller).termsVersion, now)
      return redirectWithToast(
        `${here}#avisos`,
        'Guardamos tus avisos',
        'Valen desde el próximo que te toque.',
      )
    }),
    delete: form(input.delete, async ({ currentPassword }) => {
      await askDeletion(database, actor, currentPassword, now)
      return redirectWithToast(
        `${here}#eliminar`,
        'Vamos a eliminar tu cuenta',
        'Te escribimos la fecha por correo.',
        'default',
      )
    }),
    keep: form(input.keep, async () => {
      await keepAccount(database, actor)
      return redirectWithToast(`${here}#eliminar`, 'Conservamos tu cuenta', 'Todo sigue como estaba.')
    }),
  }
}
