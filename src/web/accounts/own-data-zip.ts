import { data, redirect } from 'react-router'
import { ownFiles } from '../../server/accounts/deletion.ts'
import { archiveOf, ownData } from '../../server/accounts/own-data.ts'
import { actor, db, drive } from '../../server/app/context.ts'
import type { Route } from './+types/own-data-zip.ts'
import { sessionIdOf } from './forms.ts'

/** Everything we hold about the customer who asks, with their pictures and papers. It stands outside every layout, so it is its own guard. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(actor)
  if (!viewer) throw redirect('/signin')
  if (viewer.role !== 'customer') throw data(null, { status: 404 })
  const database = context.get(db)
  const held = await ownData(database, viewer, sessionIdOf(context))
  const told = Object.fromEntries(held.map(({ heading, holdings }) => [heading, holdings]))
  const files = await ownFiles(database, viewer.id)
  return new Response(archiveOf(context.get(drive), told, files), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="mis-datos.zip"',
      'cache-control': 'private, no-store',
    },
  })
}
