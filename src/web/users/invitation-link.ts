import { screenAt } from '../../domain/access/routes.ts'
import { invitationCode } from '../../domain/users/schema.ts'

const param = 'invitacion'

/** Where a signed-in visitor of an invitation's link is sent: on to their own place, with the code still in sight. */
export function withInvitation(elsewhere: string, url: URL): string {
  const code = screenAt(url.pathname)?.path === '/signup' ? invitationCodeIn(url) : null
  return code === null ? elsewhere : `${elsewhere}?${new URLSearchParams({ [param]: code })}`
}

/** The code of an invitation in an address; null without one. */
export const invitationCodeIn = (url: URL): string | null =>
  invitationCode.safeParse(url.searchParams.get(param)).data ?? null
