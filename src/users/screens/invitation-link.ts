import { screenAt } from '../../access/rules/routes.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { form } from '../../kit/submit.ts'
import { acceptInvitation } from '../accept.ts'
import { acceptInvitationInput, invitationCode } from '../rules/schema.ts'

const param = 'invitacion'

/** Where a signed-in visitor of an invitation's link goes: to their own home, with the code in the address. */
export function withInvitation(elsewhere: string, url: URL): string {
  const code = screenAt(url.pathname)?.path === '/signup' ? invitationCodeIn(url) : null
  return code === null ? elsewhere : `${elsewhere}?${new URLSearchParams({ [param]: code })}`
}

/** The code of an invitation in an address; null without one. */
export const invitationCodeIn = (url: URL): string | null =>
  invitationCode.safeParse(url.searchParams.get(param)).data ?? null

/** Accepts the invitation of the signed-in user, and redirects them to the staff's home. */
export const invitationForms = (context: LoaderContext) => ({
  'accept-invitation': form(acceptInvitationInput, async ({ invitacion }) => {
    const { session, db, actor } = signedIn(context)
    const sessionId = session?.id
    const given = { code: invitacion, now: new Date(), sessionId }
    await acceptInvitation(db, actor, given)
    return redirectWithToast('/admin', 'Ya eres parte del equipo', 'Este es tu nuevo inicio.')
  }),
})
