import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { ownCalendarFile } from '../calendar.ts'
import { fileName, isCalendar } from '../rules/paths.ts'
import type { Route } from './+types/own-file.ts'

/** The user's own appointment as a file that calendars open. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { actor, db, calendarSource } = signedIn(context)
    const { folio, file } = await ownCalendarFile(db, actor, fileName(params.file), calendarSource)
    return new Response(file, {
      headers: {
        ...isCalendar,
        // Phones offer to import what they open, and only store what they download.
        'content-disposition': `inline; filename="${folio}.ics"`,
        'cache-control': 'private, no-store',
      },
    })
  })
