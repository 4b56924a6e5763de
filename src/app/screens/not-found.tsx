import { data } from 'react-router'
import { screenAt } from '../../access/rules/routes.ts'
import { CleanFrame } from '../../kit/frame/clean-frame.tsx'
import { requestOf } from '../../kit/request.ts'
import { markerOf } from '../../platform/http/cookies.ts'
import type { Route } from './+types/not-found.ts'
import { InternalFrame } from './layouts/internal-frame.tsx'
import { isMenuFolded, personOf } from './layouts/sidebar.tsx'
import { NotFound } from './problem.tsx'

/** Any other path is the public not-found page (specification §2); a screen not built yet keeps the menu around it. */
export function loader({ url, context, request }: Route.LoaderArgs) {
  const { actor } = requestOf(context)
  const isScreen = screenAt(url.pathname)?.layout === 'internal'
  const folded = isMenuFolded(request.headers.get('cookie') ?? '')
  const inside = actor && isScreen ? { person: personOf(actor), owner: markerOf(actor.id), folded } : null
  return data({ inside }, { status: 404 })
}

export const action = () => data(null, { status: 404 })

export default function Missing({ loaderData: { inside } }: Route.ComponentProps) {
  if (!inside)
    return (
      <CleanFrame>
        <NotFound />
      </CleanFrame>
    )
  return (
    <InternalFrame {...inside}>
      <NotFound />
    </InternalFrame>
  )
}
