import { createHash } from 'node:crypto'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { readFeed } from '../calendar.ts'
import { fileName, isCalendar } from '../rules/paths.ts'
import type { Route } from './+types/feed.ts'

/**
 * The appointments of a user for a calendar program, which has no session: the secret in the path identifies it. No
 * path of the specification, since programs subscribe to an address of their own.
 */
export const loader = ({ context, params, request }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { caller, db, calendarSource } = requestOf(context)
    const { address, now } = caller
    const file = await readFeed(db, fileName(params.file), address, calendarSource, now)
    // Weak, since the answer may travel compressed.
    const etag = `W/"${createHash('sha256').update(file).digest('base64url')}"`
    const headers = { ...isCalendar, etag, 'cache-control': 'private, no-cache' }
    const known = request.headers.get('if-none-match')?.split(/,\s*/) ?? []
    return known.includes(etag)
      ? new Response(null, { status: 304, headers })
      : new Response(file, { headers })
  })
