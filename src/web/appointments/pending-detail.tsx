import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { Claimed, OwnSheet } from '../reports/own-sheet.tsx'
import { afterSheet } from '../reports/section-change.ts'
import { sectionIn } from '../reports/sheet-path.ts'
import type { Route } from './+types/pending-detail.ts'
import { fieldAction } from './field-action.ts'
import { leadToCall } from './lead-to-call.ts'
import { loadPending } from './pending-loader.ts'
import { PendingScreen } from './pending-screen.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterSheet

export const loader = (asked: Route.LoaderArgs) =>
  load(async () => {
    const { shown } = await loadPending(asked)
    leadToCall('pending', shown.appointment, someone(asked.context))
    return { ...shown, section: sectionIn(asked.request) }
  })

export const action = fieldAction

/** On a technician's phone the network may be there and dead. */
export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const { sendForm } = await import('../reports/no-answer.ts')
  return sendForm(request, serverAction)
}

export default function PendingDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { sheet, section, ...shown } = loaderData
  const before = { visit: sheet?.visit ?? null, scope: sheet?.scope ?? null }
  if (!sheet?.mayWrite)
    return (
      <>
        <Claimed claim={sheet?.claim ?? null} />
        <PendingScreen {...{ shown, sheet, before }} draft={null} result={actionData} />
      </>
    )
  return (
    <OwnSheet
      {...{ sheet, section }}
      here={`/admin/appointments-pending/${sheet.appointmentId}`}
      author={shown.appointment.assignee?.name ?? ''}
      moves={shown.moves}
      result={actionData}
    >
      {(own) => (
        <>
          <Claimed claim={sheet.claim} />
          <PendingScreen {...{ shown, before, ...own }} result={actionData} />
        </>
      )}
    </OwnSheet>
  )
}
