import { currentSession } from '../../app/context.ts'
import type { Route } from './+types/current.ts'

/** Whether the request has a session. Like every request, it extends a session that ends soon. */
export const loader = ({ context }: Route.LoaderArgs) =>
  Response.json(
    { signedIn: context.get(currentSession) !== null },
    { headers: { 'cache-control': 'no-store' } },
  )
