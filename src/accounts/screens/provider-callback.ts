import { redirect } from 'react-router'
import { caller, provider } from '../../app/context.ts'
import type { Route } from './+types/provider-callback.ts'

/** Where the provider sends a person back to, with its answer. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const chosen = context.get(provider)
  if (!chosen) throw new Response(null, { status: 404 })
  const { to, headers } = await chosen.finish(context.get(caller), request.headers, url.search)
  return redirect(to, { headers })
}
