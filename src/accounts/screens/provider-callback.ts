import { redirect } from 'react-router'
import { requestOf } from '../../kit/request.ts'
import type { Route } from './+types/provider-callback.ts'

/** Where the provider sends a person back to, with its answer. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { provider: chosen, caller } = requestOf(context)
  if (!chosen) throw new Response(null, { status: 404 })
  const { to, headers } = await chosen.finish(caller, request.headers, url.search)
  return redirect(to, { headers })
}
