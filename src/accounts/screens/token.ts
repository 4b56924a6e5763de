import { requestOf } from '../../kit/request.ts'
import type { Route } from './+types/token.ts'

/** The ID token of the signed-in user, for AUTH_SYNC_PATH; null when the session is too old for one. */
export const loader = ({ context }: Route.LoaderArgs) => {
  const { newIdToken: issue } = requestOf(context)
  if (!issue) throw new Response(null, { status: 404 })
  return Response.json({ token: issue() }, { headers: { 'cache-control': 'no-store' } })
}
