import { calendarSource, db } from '../../app/context.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requireActor } from '../../kit/require-actor.ts'
import { ownCalendarFile } from '../calendar.ts'
import { fileName, isCalendar } from '../rules/paths.ts'
import type { Route } from './+types/own-file.ts'

/** The user's own appointment as a file that calendars open. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const viewer = requireActor(context)
    const { folio, file } = await ownCalendarFile(
      context.get(db),
      viewer,
      fileName(params.file),
      context.get(calendarSource),
    )
    return new Response(file, {
      headers: {
        ...isCalendar,
        // Phones offer to import what they open, and only store what they download.
        'content-disposition': `inline; filename="${folio}.ics"`,
        'cache-control': 'private, no-store',
      },
    })
  })
