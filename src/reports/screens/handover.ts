import { calendarSource, db, drive } from '../../app/context.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requireActor } from '../../kit/require-actor.ts'
import { handoverDocument } from '../handover-document.ts'
import type { Route } from './+types/handover.ts'

/** What a customer keeps of an installation, as a file: a screen can't be printed so. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const viewer = requireActor(context)
    const { folio, pdf } = await handoverDocument(
      { db: context.get(db), drive: context.get(drive), house: context.get(calendarSource) },
      viewer,
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
