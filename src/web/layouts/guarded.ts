import { type MiddlewareFunction, redirect } from 'react-router'
import { Refusal } from '../../domain/refusal.ts'
import { forbids, guard, holdsForSecondFactor, isLetterLink } from '../../domain/screens.ts'
import { actor, secondFactorRequired } from '../../server/context.ts'
import { screenOf } from '../load.ts'
import { withInvitation } from '../users/invitation-link.ts'

/** Sends away whoever may not see this path, and refuses a change that is outside their rights (specification §5). */
export const guarded: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (isLetterLink(url)) return
  const viewer = context.get(actor)
  if (!['GET', 'HEAD'].includes(request.method) && forbids(url.pathname, viewer))
    throw screenOf(new Refusal('permission-denied'))
  const elsewhere = guard(url.pathname, viewer)
  if (elsewhere) throw redirect(withInvitation(elsewhere, url))
  const held = context.get(secondFactorRequired) && holdsForSecondFactor(url.pathname, viewer)
  if (held) throw redirect(held)
}
