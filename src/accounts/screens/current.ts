import { requestOf } from '../../kit/request.ts'
import type { Route } from './+types/current.ts'

/** Whether the request has a session. Like every request, it extends a session that ends soon. */
export const loader = ({ context }: Route.LoaderArgs) =>
  Response.json(
    { signedIn: requestOf(context).session !== null },
    { headers: { 'cache-control': 'no-store' } },
  )
