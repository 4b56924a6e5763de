import { data } from 'react-router'
import { isCustomer } from '../../access/rules/actor.ts'
import { sessionIdOf } from '../../accounts/screens/forms.ts'
import { signedIn } from '../../kit/request.ts'
import { ownFiles } from '../deletion.ts'
import { archiveOf, ownData } from '../own-data.ts'
import type { Route } from './+types/own-data.ts'

/**
 * Everything we hold about the customer who asks, as a file; by the address of an archive with their pictures and
 * papers.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { actor, db, drive } = signedIn(context)
  if (!isCustomer(actor)) throw data(null, { status: 404 })
  const held = await ownData(db, actor, sessionIdOf(context))
  const file = Object.fromEntries(held.map(({ heading, holdings }) => [heading, holdings]))
  if (!url.pathname.toLowerCase().endsWith('.zip'))
    return download(JSON.stringify(file, null, 2), 'application/json; charset=utf-8', 'mis-datos.json')
  const archive = archiveOf(drive, file, await ownFiles(db, actor.id))
  return download(archive, 'application/zip', 'mis-datos.zip')
}

const download = (body: BodyInit, type: string, name: string) =>
  new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    },
  })
