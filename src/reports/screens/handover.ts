import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { handoverDocument } from '../handover-document.ts'
import type { Route } from './+types/handover.ts'

/** What a customer keeps of an installation, as a file: a screen can't be printed so. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, db, drive, calendarSource } = signedIn(context)
    const { folio, pdf } = await handoverDocument(
      { db, drive, house: calendarSource },
      actor,
      params.file.replace(/\.pdf$/, ''),
    )
    return new Response(pdf, {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${folio}.pdf"`,
        'cache-control': 'private, no-store',
      },
    })
  })
