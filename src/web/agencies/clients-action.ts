import { data, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { inviteLink } from '../../domain/agencies/clients.ts'
import { clientInput } from '../../domain/agencies/referral-schema.ts'
import { staleForm } from '../../domain/shared/schema.ts'
import { registerAtCounter } from '../../server/agencies/counter.ts'
import { renewInvitation, withdrawInvitation } from '../../server/agencies/invite.ts'
import { calendarSource, caller, db } from '../../server/app/context.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import type { Invited } from './invite-panel.tsx'
import { listPath } from './list-query.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider>; url: URL }

const aboutClient = z.discriminatedUnion(
  'intent',
  [z.object({ intent: z.literal('invite') }), z.object({ intent: z.literal('withdraw') })],
  staleForm,
)

/** Answers the forms of an ally's clients: somebody registered, and an invitation sent again or taken back. */
export async function clientsAction({ request, context, url }: Args) {
  const id = url.searchParams.get('cliente')
  return id === null ? await register(request, context) : await aboutInvitation(request, context, id)
}

const register = (request: Request, context: Args['context']) => {
  const now = new Date()
  return submit(request, clientInput(now), async ({ client, requestKey }) => {
    const consentVersion = context.get(caller).termsVersion
    const wish = { client, requestKey, consentVersion }
    const { id, token } = await registerAtCounter(context.get(db), someone(context), wish, now)
    const { code, email, name, phone } = client
    return shownOnce(context, { id, token, code, name, phone, letter: email !== null })
  })
}

const aboutInvitation = (request: Request, context: Args['context'], id: string) =>
  submit(request, aboutClient, async ({ intent }) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (intent === 'invite') return shownOnce(context, await renewInvitation(database, actor, id, now))
    await withdrawInvitation(database, actor, id, now)
    return toast(listPath, 'Retiraste la invitación', 'Su enlace ya no sirve y borramos sus datos.')
  })

type Sent = { id: string; token: string; code: string | null } & Pick<Invited, 'name' | 'phone' | 'letter'>

function shownOnce(context: Args['context'], { code, id, letter, name, phone, token }: Sent) {
  const address = context.get(calendarSource).baseUrl + inviteLink(token, code)
  return data({ invited: { clientId: id, name, phone, address, letter } satisfies Invited })
}
