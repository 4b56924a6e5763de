import { activeStates } from '../../domain/appointments/appointment.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { forms } from '../lib/submit.ts'
import { Claimed, OwnSheet } from '../reports/own-sheet.tsx'
import { afterSheet } from '../reports/section-change.ts'
import { sheetForms } from '../reports/sheet-forms.ts'
import { sectionIn } from '../reports/sheet-path.ts'
import type { Route } from './+types/pending-detail.ts'
import { fieldForms } from './field-forms.ts'
import { leadToCall } from './lead-to-call.ts'
import { loadPending } from './pending-loader.ts'
import { PendingScreen } from './pending-screen.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterSheet

export const loader = (asked: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { shown } = await loadPending(asked)
    leadToCall('pending', shown.appointment, requireActor(asked.context))
    return { ...shown, section: sectionIn(asked.request) }
  })

const pathOf = (id: string) => `/admin/appointments-pending/${id}`

/** What is done with the appointment says `move`, what is written in its sheet `intent`. */
export const action = forms(
  ({ context, params: { id } }: Route.ActionArgs) => ({
    ...fieldForms(context, id),
    ...sheetForms(context, id, { here: pathOf(id), states: activeStates }),
  }),
  ({ move, intent }) => move ?? intent,
)

/** On a technician's phone the network may be there and dead. */
export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const { sendForm } = await import('../reports/no-answer.ts')
  return sendForm(request, serverAction)
}

export default function PendingDetail({ loaderData }: Route.ComponentProps) {
  const { sheet, section, ...shown } = loaderData
  const before = { visit: sheet?.visit ?? null, scope: sheet?.scope ?? null }
  if (!sheet?.mayWrite)
    return (
      <>
        <Claimed claim={sheet?.claim ?? null} />
        <PendingScreen {...{ shown, sheet, before }} draft={null} />
      </>
    )
  return (
    <OwnSheet
      {...{ sheet, section }}
      here={pathOf(sheet.appointmentId)}
      author={shown.appointment.assignee?.name ?? ''}
      moves={shown.moves}
    >
      {(own) => (
        <>
          <Claimed claim={sheet.claim} />
          <PendingScreen {...{ shown, before, ...own }} />
        </>
      )}
    </OwnSheet>
  )
}
