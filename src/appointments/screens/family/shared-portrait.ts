import { refusalsAsResponses } from '../../../kit/refusals-as-responses.ts'
import { requestOf } from '../../../kit/request.ts'
import { sharedPortrait } from '../../shared-visit.ts'
import type { Route } from './+types/shared-portrait.ts'

/** The portrait of whoever comes, for the holder of a link, as long as the link shows its visit. */
export const loader = ({ context, params: { secret } }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, address, now } = requestOf(context).caller
    const photo = await sharedPortrait(db, { secret, address }, now)
    return photo
      ? new Response(new Uint8Array(photo), {
          headers: { 'content-type': 'image/webp', 'content-security-policy': "default-src 'none'; sandbox" },
        })
      : new Response('No lo encontramos.', { status: 404 })
  })
