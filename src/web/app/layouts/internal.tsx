import { type MiddlewareFunction, Outlet, redirect } from 'react-router'
import { actor, isHeld } from '../../../server/app/context.ts'
import { markerOf } from '../../../server/platform/http/session-marker.ts'
import { useDrafts } from '../../accounts/drafts.ts'
import { useMarker } from '../../lib/site.ts'
import { unlessSectionChange } from '../../reports/section-change.ts'
import { Problem } from '../problem.tsx'
import type { Route } from './+types/internal.ts'
import { CleanFrame } from './clean-frame.tsx'
import { guarded } from './guarded.ts'
import { InternalFrame } from './internal-frame.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { Onsite } from './onsite.tsx'
import { personOf } from './user-block.tsx'

/** Also for a path that the guard does not know: nothing in this layout is for the signed out (specification §2). */
const signedIn: MiddlewareFunction<Response> = ({ context }) => {
  if (!context.get(actor)) throw redirect('/signin')
}

export const middleware = [guarded, signedIn]

export const shouldRevalidate = unlessSectionChange

/** Who the sidebar speaks of. Having a loader also makes every navigation ask the server, where the guard stands. */
export function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(actor)
  if (!viewer) throw redirect('/signin')
  const onsite = viewer.kind === 'tecnician' ? viewer.id : null
  return { person: personOf(viewer), owner: markerOf(viewer.id), onsite, isLive: !context.get(isHeld) }
}

export default function Internal({ loaderData }: Route.ComponentProps) {
  useDrafts({ owner: loaderData.owner, marker: useMarker() })
  return (
    <InternalFrame person={loaderData.person} strip={<Onsite personId={loaderData.onsite} />}>
      {loaderData.isLive && <LiveUpdates />}
      <Outlet />
    </InternalFrame>
  )
}

/** A screen that failed keeps the menu around it. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const problem = <Problem error={error} />
  if (!loaderData) return <CleanFrame>{problem}</CleanFrame>
  const strip = <Onsite personId={loaderData.onsite} />
  return (
    <InternalFrame person={loaderData.person} strip={strip}>
      {problem}
    </InternalFrame>
  )
}
