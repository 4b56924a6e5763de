import { moneyPapers } from '../../app/papers.ts'
import { chosenIn } from '../../kit/list/export-file.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { refuse } from '../../shared/refusal.ts'
import type { Route } from './+types/paper.ts'

/** A quote as it was sent, or a receipt, as a file. */
export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, modules, drive, calendarSource, db } = signedIn(context)
    const read = (Object.hasOwn(moneyPapers, params.kind) && moneyPapers[params.kind]) || refuse('not-found')
    const { baseUrl, brand } = calendarSource
    const from = { db, drive, brand, baseUrl, modules }
    // Of rows ticked in a list, the address carries their ids.
    const id = chosenIn(url)?.join('~') ?? params.file.replace(/\.pdf$/, '')
    const { folio, pdf } = await read(from, actor, id)
    return new Response(pdf, {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${folio}.pdf"`,
        'cache-control': 'private, no-store',
      },
    })
  })
