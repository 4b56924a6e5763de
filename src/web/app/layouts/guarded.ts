import { type MiddlewareFunction, redirect } from 'react-router'
import { forbids, guard, isLetterLink, screenAt } from '../../../domain/access/routes.ts'
import { nextPath } from '../../../domain/accounts/schema.ts'
import { Refusal } from '../../../domain/shared/refusal.ts'
import { hasSessionCookie } from '../../../server/accounts/session.ts'
import { actor, enabledModules } from '../../../server/app/context.ts'
import { endedParam, endedValue } from '../../accounts/paths.ts'
import { screenOf } from '../../lib/refusals-as-responses.ts'
import { withCode } from '../../projects/first-touch.ts'
import { withInvitation } from '../../users/invitation-link.ts'

type Guard = MiddlewareFunction<Response>

/** Redirects a user who may not see this path, and refuses a change that is outside their rights (specification §5). */
export const guarded: Guard = ({ request, url, context }) => {
  if (isLetterLink(url)) return
  const viewer = context.get(actor)
  const on = context.get(enabledModules)
  if (!['GET', 'HEAD'].includes(request.method) && forbids(url.pathname, viewer, on))
    throw screenOf(new Refusal('permission-denied'))
  const elsewhere = guard(url.pathname, viewer, on)
  if (elsewhere) throw redirect(onward(elsewhere, url, hasSessionCookie(request.headers.get('cookie'))))
}

/**
 * Where a guard's redirect leads, with what the requested address carried: an invitation, a code, or, to a sign-in
 * or a profile to complete, the way back. A user who is signed in already goes on to the `next` address of /signin.
 */
function onward(elsewhere: string, url: URL, sessionEnded: boolean): string {
  const carried = withCode(withInvitation(elsewhere, url), url)
  if (carried !== elsewhere) return carried
  const path = screenAt(url.pathname)?.path
  const asked = path === '/signin' ? nextPath.parse(url.searchParams.get('next')) : null
  if (elsewhere !== '/signin' && elsewhere !== '/completion') return asked ?? elsewhere
  const query = new URLSearchParams()
  const next = asked ?? wayBack(url)
  if (next) query.set('next', next)
  if (elsewhere === '/signin' && sessionEnded) query.set(endedParam, endedValue)
  return query.size > 0 ? `${elsewhere}?${query}` : elsewhere
}

/** The address itself; null for a home, which everyone reaches anyway, and for pages of signed-out users. */
function wayBack({ pathname, searchParams }: URL): string | null {
  const screen = screenAt(pathname)
  if (!screen || screen.layout === 'clean') return null
  const query = new URLSearchParams(searchParams)
  for (const own of ['index', '_routes']) query.delete(own)
  if (query.size === 0 && (screen.path === '/' || screen.path === '/admin')) return null
  return nextPath.parse(query.size > 0 ? `${pathname}?${query}` : pathname)
}
