import { randomUUID } from 'node:crypto'
import { data, type RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { inviteLink } from '../../domain/agencies/clients.ts'
import { clientInput } from '../../domain/agencies/referral-schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { staleForm } from '../../domain/shared/schema.ts'
import { renewInvitation, withdrawInvitation } from '../../server/agencies/invite.ts'
import {
  clientFor,
  clientOptions,
  codesToGive,
  listClients,
  registerAtCounter,
} from '../../server/agencies/list.ts'
import { calendarSource, caller, db, site } from '../../server/app/context.ts'
import { toast } from '../lib/flash.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import type { Invited } from './client-detail.tsx'
import { clientFilters, listPath } from './list-query.ts'

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

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** What an ally's address asks for: the list of their agency's clients, one of them, or the form that registers somebody. */
export async function loadClients({ context, url }: Asked) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const agencyId = actor.agencyId ?? refuse('not-found')
  const id = url.searchParams.get('cliente')
  if (id !== null) {
    const client = (await clientFor(database, actor, id, now)) ?? refuse('not-found')
    return { list: null, form: null, client, now }
  }
  if (url.searchParams.has('registrar')) {
    const codes = await codesToGive(database, actor, now)
    const form = { codes, requestKey: randomUUID(), privacyUrl: context.get(site).privacyUrl }
    return { list: null, form, client: null, now }
  }
  const { after, filters } = readFilters(clientFilters, url)
  const [{ next, ...page }, options] = await Promise.all([
    listClients(database, actor, agencyId, { ...filters, ...(after && { after }) }, now),
    clientOptions(database, actor, agencyId),
  ])
  const list = {
    ...{ ...page, filters, options, now },
    ...pageLinks(filters, after, next),
  }
  return { list, form: null, client: null, now }
}
