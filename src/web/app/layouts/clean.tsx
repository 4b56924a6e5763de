import { Outlet, useMatches } from 'react-router'
import { CleanFrame } from './clean-frame.tsx'
import { guarded } from './guarded.ts'

export const middleware = [guarded]

/** Without a loader, going here from another screen would not ask the server, and its guard would not run. */
export const loader = () => null

/** A screen with `export const handle = { wide: true }` is more than one card. */
export default function Clean() {
  const wide = useMatches().some(({ handle }) => (handle as { wide?: boolean } | undefined)?.wide)
  return (
    <CleanFrame wide={wide}>
      <Outlet />
    </CleanFrame>
  )
}
