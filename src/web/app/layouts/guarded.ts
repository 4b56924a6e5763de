import { type MiddlewareFunction, redirect } from 'react-router'
import { forbids, guard, isLetterLink } from '../../../domain/access/routes.ts'
import { Refusal } from '../../../domain/shared/refusal.ts'
import { hasSessionCookie } from '../../../server/accounts/session.ts'
import { actor, modules } from '../../../server/app/context.ts'
import { screenOf } from '../../lib/load.ts'
import { onward } from './onward.ts'

type Guard = MiddlewareFunction<Response>

/** Sends away whoever may not see this path, and refuses a change that is outside their rights (specification §5). */
export const guarded: Guard = (asked) => guardAt(asked.url.pathname, asked)

/** The same for a part of a screen that has an address of its own, which the specification does not know. */
export const guardedAs =
  (path: string): Guard =>
  (asked) =>
    guardAt(path, asked)

function guardAt(path: string, { request, url, context }: Parameters<Guard>[0]) {
  if (isLetterLink(url)) return
  const viewer = context.get(actor)
  const on = context.get(modules)
  if (!['GET', 'HEAD'].includes(request.method) && forbids(path, viewer, on))
    throw screenOf(new Refusal('permission-denied'))
  const elsewhere = guard(path, viewer, on)
  if (elsewhere) throw redirect(onward(elsewhere, url, hasSessionCookie(request.headers.get('cookie'))))
}
