import { useMatches } from 'react-router'
import { useLive } from '../../lib/live.ts'

/** A screen with `export const handle = { announcesUpdates: true }` tells screen readers when it changed by itself. */
export type ScreenHandle = { announcesUpdates?: boolean }

/** Keeps the screen true to what others do, and says so where the screen asks for it; a call says itself what matters. */
export function LiveUpdates() {
  const refreshes = useLive()
  const asked = useMatches().some(({ handle }) => (handle as ScreenHandle | undefined)?.announcesUpdates)
  return (
    <p role="status" className="sr-only group-has-data-[call=room]/frame:hidden">
      {/* A new key makes each refresh an addition, which is what a live region reads out. */}
      {asked && refreshes > 0 && <span key={refreshes}>La información se actualizó</span>}
    </p>
  )
}
