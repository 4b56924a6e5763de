import { doneStates } from '../../domain/appointments/appointment.ts'
import { whyNoQuote, writesQuotes } from '../../domain/quotes/quote.ts'
import type { SheetView } from '../../domain/reports/report.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { type AppointmentDetail, appointmentFor } from '../../server/appointments/detail.ts'
import { proposalsAfter } from '../../server/appointments/proposals.ts'
import { historyOf } from '../../server/platform/database/queries.ts'
import { facadeOf } from '../../server/platform/storage/queries.ts'
import { permitAfterVisit } from '../../server/projects/permit.ts'
import { quotesFrom } from '../../server/quotes/of-appointment.ts'
import { sheetFor } from '../../server/reports/queries.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { Claimed } from '../reports/claimed.tsx'
import { OwnSheet } from '../reports/own-sheet.tsx'
import { isReview, reviewAction } from '../reports/review-action.ts'
import { afterSheet } from '../reports/section-change.ts'
import { correctParam } from '../reports/section-param.ts'
import { sheetAction } from '../reports/sheet-action.ts'
import { sectionIn } from '../reports/sheet-path.ts'
import type { Route } from './+types/done-detail.ts'
import { DoneScreen } from './done-screen.tsx'
import { leadToCall } from './lead-to-call.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterSheet

const pathOf = (id: string) => `/admin/appointments-done/${id}`

export const loader = ({ context, params, request, url }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor] = [context.get(db), someone(context)]
    const appointment = (await appointmentFor(database, actor, params.id, doneStates)) ?? refuse('not-found')
    leadToCall('done', appointment, actor)
    const now = new Date()
    const [proposals, facade, sheet, trail, permit, quotes] = await Promise.all([
      proposalsAfter(database, actor, params.id, now),
      facadeOf(database, actor, params.id),
      sheetFor(database, actor, params.id),
      historyOf(database, 'sheet', params.id),
      permitAfterVisit(database, actor, params.id),
      quotesFrom(database, actor, params.id, now),
    ])
    return {
      ...{ appointment, proposals, facade, permit, sheet, quotes, section: sectionIn(request) },
      // Whoever may not read the sheet is not told what was done to it.
      trail: sheet ? trail : [],
      correcting: url.searchParams.get(correctParam),
      // The versions after the first begin from the one before.
      mayQuote: writesQuotes(actor) && quotes?.length === 0 && isQuoted(appointment, sheet),
    }
  })

/** Whether a quote may be made of a visit. */
const isQuoted = ({ service, state }: AppointmentDetail, sheet: SheetView | null) =>
  service === 'technical_visit' &&
  whyNoQuote({
    ...{ service, state, report: sheet?.state ?? null, isProjectClosed: false },
    isViable: sheet?.answers.feasibility?.value !== 'not_viable',
  }) === null

/** What came back to its technician is written here; the office looks it over. */
export const action = async (args: Route.ActionArgs) =>
  (await isReview(args.request))
    ? reviewAction(args)
    : sheetAction(args, { here: pathOf(args.params.id), states: doneStates })

export default function DoneDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { section, ...shown } = loaderData
  const { appointment, sheet } = shown
  if (!sheet?.mayWrite)
    return (
      <>
        <Claimed claim={sheet?.claim ?? null} />
        <DoneScreen shown={shown} own={null} result={actionData} />
      </>
    )
  return (
    <OwnSheet
      {...{ sheet, section }}
      here={pathOf(sheet.appointmentId)}
      author={appointment.assignee?.name ?? ''}
      moves={[]}
      result={actionData}
    >
      {(own) => <DoneScreen {...{ shown, own }} result={actionData} />}
    </OwnSheet>
  )
}
