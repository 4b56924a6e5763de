import { type MiddlewareFunction, redirect } from 'react-router'
import { hasName, type Viewer } from '../../../access/rules/actor.ts'
import { forbids, guard, isLetterLink, screenAt } from '../../../access/rules/routes.ts'
import { endedParam, endedValue } from '../../../accounts/rules/paths.ts'
import { nextPath } from '../../../accounts/rules/schema.ts'
import { hasSessionCookie } from '../../../accounts/session.ts'
import { screenOf } from '../../../kit/refusals-as-responses.ts'
import { requestOf } from '../../../kit/request.ts'
import { withCode } from '../../../projects/screens/first-touch.ts'
import { Refusal } from '../../../shared/refusal.ts'
import { withInvitation } from '../../../users/screens/invitation-link.ts'

type Guard = MiddlewareFunction<Response>

/**
 * Who may ask for a route that is no screen, by its pattern: anybody, signed-in users, or those with a name. Most then
 * check what the user may read. A route that is neither here nor a screen is not found.
 */
const others: Readonly<Record<'anybody' | 'signedIn' | 'named', readonly string[]>> = {
  anybody: [
    '/*',
    '/api/v1',
    '/app.webmanifest',
    '/calendar/feed/:file',
    '/dev/correo',
    '/garantia/:secret',
    '/robots.txt',
    '/session/callback/oidc',
    '/session/provider/done',
    '/session/provider/start',
    '/signout',
    '/sitemap.xml',
    '/v1/session',
    '/v1/session/:operation',
    '/v1/token',
    '/visita/:secret',
    '/visita/:secret/foto',
  ],
  signedIn: ['/account/data', '/account/data.zip'],
  named: [
    '/admin/agency/:id/clientes-por-etapa.csv',
    '/admin/agency/:id/comisiones-por-mes.csv',
    '/admin/agency/:id/comisiones.csv',
    '/admin/agency/:id/instalaciones-por-mes.csv',
    '/admin/alliate/clients.csv',
    '/admin/appointments-done.csv',
    '/admin/appointments-pending.csv',
    '/admin/buscar.json',
    '/admin/cifras/:file',
    '/admin/clients.csv',
    '/admin/cotizations.csv',
    '/admin/gesties.csv',
    '/admin/payments.csv',
    '/admin/payments/cobrar.csv',
    '/calendar/:file',
    '/handover/:file',
    '/invoices/:file',
    '/papers/:kind/:file',
  ],
}

/** Where who asks for a route that is no screen is redirected, or null to continue. */
export function guardOther(route: string, viewer: Viewer): string | null {
  const pattern = route.startsWith('/') ? route : `/${route}`
  if (others.anybody.includes(pattern)) return null
  const isNamed = others.named.includes(pattern)
  if (!isNamed && !others.signedIn.includes(pattern)) throw screenOf(new Refusal('not-found'))
  if (!viewer) return '/signin'
  return isNamed && !hasName(viewer) ? '/completion' : null
}

/**
 * Before every route: redirects a user who may not see this path, and refuses a change that is outside their rights
 * (specification §5).
 */
export const guarded: Guard = ({ request, url, context, pattern }) => {
  if (isLetterLink(url)) return
  const { actor, modules } = requestOf(context)
  if (!screenAt(url.pathname)) {
    const elsewhere = guardOther(pattern, actor)
    if (elsewhere) throw redirect(elsewhere)
    return
  }
  if (!['GET', 'HEAD'].includes(request.method) && forbids(url.pathname, actor, modules))
    throw screenOf(new Refusal('permission-denied'))
  const elsewhere = guard(url.pathname, actor, modules)
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
