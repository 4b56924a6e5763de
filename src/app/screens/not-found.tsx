import { data } from 'react-router'
import { screenAt } from '../../access/rules/routes.ts'
import { CleanFrame } from '../../kit/frame/clean-frame.tsx'
import { markerOf } from '../../platform/http/cookies.ts'
import { actor } from '../context.ts'
import type { Route } from './+types/not-found.ts'
import { InternalFrame } from './layouts/internal-frame.tsx'
import { isMenuFolded, personOf } from './layouts/sidebar.tsx'
import { NotFound } from './problem.tsx'

/** Any other path is the public not-found page (specification §2); a screen not built yet keeps the menu around it. */
export function loader({ url, context, request }: Route.LoaderArgs) {
  const viewer = context.get(actor)
  const isScreen = screenAt(url.pathname)?.layout === 'internal'
  const folded = isMenuFolded(request.headers.get('cookie') ?? '')
  const inside = viewer && isScreen ? { person: personOf(viewer), owner: markerOf(viewer.id), folded } : null
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
