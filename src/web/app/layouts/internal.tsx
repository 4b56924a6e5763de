import { lazy, Suspense, useEffect } from 'react'
import { type MiddlewareFunction, Outlet, redirect, useMatches, useParams } from 'react-router'
import { isTechnician } from '../../../domain/access/actor.ts'
import { actor, db, secondFactorMissing } from '../../../server/app/context.ts'
import { markerOf } from '../../../server/platform/http/cookies.ts'
import { positionOf } from '../../../server/platform/live/announcements.ts'
import { useLive } from '../../lib/live.ts'
import { useMarker } from '../../lib/site.ts'
import { unlessSectionChange } from '../../reports/section-change.ts'
import { useHydrated } from '../../ui/hydrated.ts'
import { ErrorScreen } from '../problem.tsx'
import type { Route } from './+types/internal.ts'
import { CleanFrame } from './clean-frame.tsx'
import { guarded } from './guarded.ts'
import { InternalFrame } from './internal-frame.tsx'
import { isMenuFolded, personOf } from './sidebar.tsx'

/** Also for a path that the guard does not know: nothing in this layout is for signed-out users (specification §2). */
const signedIn: MiddlewareFunction<Response> = ({ context }) => {
  if (!context.get(actor)) throw redirect('/signin')
}

export const middleware = [guarded, signedIn]

export const shouldRevalidate = unlessSectionChange

/** The person in the sidebar. Having a loader also makes every navigation ask the server, where the guard runs. */
export function loader({ context, request }: Route.LoaderArgs) {
  const viewer = context.get(actor)
  if (!viewer) throw redirect('/signin')
  const onsite = isTechnician(viewer) ? viewer.id : null
  return {
    person: personOf(viewer),
    owner: markerOf(viewer.id),
    folded: isMenuFolded(request.headers.get('cookie') ?? ''),
    onsite,
    // Sent with the stream: a change between this answer and the open stream is not missed.
    position: context.get(secondFactorMissing) ? null : positionOf(context.get(db)),
  }
}

export default function Internal({ loaderData }: Route.ComponentProps) {
  const marker = useMarker()
  return (
    <InternalFrame {...loaderData} strip={<Onsite personId={loaderData.onsite} />}>
      {useHydrated() && (
        <Suspense>
          <Drafts owner={loaderData.owner} marker={marker} />
        </Suspense>
      )}
      {loaderData.position !== null && <LiveUpdates position={loaderData.position} />}
      {/* The same screen of another person or thing begins anew: what is typed about one stays with it. */}
      <Outlet key={Object.values(useParams()).join('/')} />
    </InternalFrame>
  )
}

/** A screen that failed keeps the menu around it. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const problem = <ErrorScreen error={error} />
  if (!loaderData) return <CleanFrame>{problem}</CleanFrame>
  const strip = <Onsite personId={loaderData.onsite} />
  return (
    <InternalFrame {...loaderData} strip={strip}>
      {problem}
    </InternalFrame>
  )
}

/** A screen with `export const handle = { announcesUpdates: true }` announces its own changes to screen readers. */
type ScreenHandle = { announcesUpdates?: boolean }

/** Keeps the screen up to date, and announces changes where the screen asks for it; a call announces its own. */
function LiveUpdates({ position }: { position: string }) {
  const refreshes = useLive(position)
  const asked = useMatches().some(({ handle }) => (handle as ScreenHandle | undefined)?.announcesUpdates)
  return (
    <p role="status" className="sr-only group-has-data-[call=room]/frame:hidden">
      {/* A new key makes each refresh an addition, which is what a live region reads out. */}
      {asked && refreshes > 0 && <span key={refreshes}>La información se actualizó</span>}
    </p>
  )
}

/** The screen works without it: it may be requested where there is no network yet to load it. */
const OnsiteStrip = lazy(() =>
  import('../../offline/onsite-strip.tsx').catch(() => ({ default: () => null })),
)

/** What was typed when a session ends is kept; loaded after the screen, it takes in what was typed before. */
const Drafts = lazy(() => import('../../accounts/drafts.ts').catch(() => ({ default: () => null })))

/** The code for work without a network, loaded after the screen. Other users' browsers have it removed. */
function Onsite({ personId }: { personId: string | null }) {
  const isHydrated = useHydrated()
  useEffect(() => {
    if (personId === null && navigator.serviceWorker?.controller)
      void import('../../offline/remove-worker.ts').then(({ removeWorker }) => removeWorker())
  }, [personId])
  if (!personId || !isHydrated) return null
  return (
    <Suspense>
      <OnsiteStrip key={personId} personId={personId} />
    </Suspense>
  )
}
