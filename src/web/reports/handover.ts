import { redirect } from 'react-router'
import { hasName } from '../../domain/access/actor.ts'
import { actor, calendarSource, db, drive } from '../../server/app/context.ts'
import { handoverDocument } from '../../server/reports/handover-document.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import type { Route } from './+types/handover.ts'

/**
 * What a customer keeps of an installation, as a file. No path of the specification, since a screen can't be printed
 * so. It is outside every layout, so it is its own guard.
 */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const viewer = context.get(actor)
    if (!viewer) throw redirect('/signin')
    if (!hasName(viewer)) throw redirect('/completion')
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
