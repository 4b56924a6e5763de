import { Outlet } from 'react-router'
import { CleanFrame } from './clean-frame.tsx'
import { guarded } from './guarded.ts'

export const middleware = [guarded]

/** Without a loader, going here from another screen would not ask the server, and its guard would not run. */
export const loader = () => null

export default function Clean() {
  return (
    <CleanFrame>
      <Outlet />
    </CleanFrame>
  )
}
