import { lazy, Suspense } from 'react'
import { Outlet, useMatches } from 'react-router'
import { CleanFrame } from '../../../kit/frame/clean-frame.tsx'
import { requestOf } from '../../../kit/request.ts'
import { useMarker } from '../../../kit/site.ts'
import { markerOf } from '../../../platform/http/cookies.ts'
import { useHydrated } from '../../../ui/hydrated.ts'
import type { Route } from './+types/clean.ts'

/** Without a loader, going here from another screen would not ask the server, and its guard would not run. */
export const loader = ({ context }: Route.LoaderArgs) => ({ owner: markerOf(requestOf(context).actor?.id) })

const Drafts = lazy(() =>
  import('../../../accounts/screens/drafts.ts').catch(() => ({ default: () => null })),
)

/** A screen with `export const handle = { wide: true }` is more than one card. */
export default function Clean({ loaderData }: Route.ComponentProps) {
  const marker = useMarker()
  const isHydrated = useHydrated()
  const wide = useMatches().some(({ handle }) => (handle as { wide?: boolean } | undefined)?.wide)
  return (
    <CleanFrame wide={wide}>
      {isHydrated && (
        <Suspense>
          <Drafts owner={loaderData.owner} marker={marker} />
        </Suspense>
      )}
      <Outlet />
    </CleanFrame>
  )
}
