import { data, redirect } from 'react-router'
import { ownData } from '../../server/accounts/own-data.ts'
import { actor, db } from '../../server/app/context.ts'
import type { Route } from './+types/own-data.ts'
import { sessionIdOf } from './forms.ts'

/** Everything we hold about the customer who asks, as a file. It stands outside every layout, so it is its own guard. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(actor)
  if (!viewer) throw redirect('/signin')
  if (viewer.role !== 'customer') throw data(null, { status: 404 })
  const held = await ownData(context.get(db), viewer, sessionIdOf(context))
  const file = Object.fromEntries(held.map(({ heading, holdings }) => [heading, holdings]))
  return new Response(JSON.stringify(file, null, 2), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="mis-datos.json"',
      'cache-control': 'private, no-store',
    },
  })
}
