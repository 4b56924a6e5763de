import type { RouterContextProvider } from 'react-router'
import { attributionInput } from '../../domain/agencies/referral-schema.ts'
import { attributeByManager, endAttribution } from '../../server/agencies/attribute.ts'
import { db } from '../../server/app/context.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

/** Whether a form is about who brought a customer. */
export async function isAttribution(request: Request): Promise<boolean> {
  const form = await formOf(request)
  return String(form.get('intent')).startsWith('attribution.')
}

/** Says who brought the customer `params.id`, or that nobody did. */
export const attributionAction = ({ request, context, params: { id } }: Args) =>
  submit(request, attributionInput, async (wish) => {
    const [database, actor] = [context.get(db), someone(context)]
    const terms = { seen: wish.seen, reason: wish.reason, now: new Date() }
    if (wish.intent === 'attribution.end') {
      await endAttribution(database, actor, id, terms)
      return toast(`/admin/users/${id}`, 'Quitaste su concesionaria', 'Guardamos también tu motivo.')
    }
    await attributeByManager(database, actor, id, { ...terms, allyId: wish.allyId })
    return toast(`/admin/users/${id}`, 'Guardamos su concesionaria', 'Guardamos también tu motivo.')
  })
