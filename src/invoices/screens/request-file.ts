import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { requestFile } from '../queries.ts'
import type { Route } from './+types/request-file.ts'

/** What an invoice was requested with, for the staff who stamp it by hand. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, db } = signedIn(context)
    const { name, request } = await requestFile(db, actor, params.file.replace(/\.json$/, ''))
    return new Response(JSON.stringify(request, null, 2), {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store',
      },
    })
  })
