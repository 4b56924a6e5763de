import type { MoveName } from '../../domain/moves.ts'
import { afterRefusal } from '../after-refusal.ts'
import { dateTime } from '../format.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/pending-detail.ts'
import { AppointmentFacts } from './appointment-facts.tsx'
import { fieldAction } from './field-action.ts'
import { barMoves, FieldBar } from './field-bar.tsx'
import { FinishForm } from './finish-form.tsx'
import { leadToCall } from './lead-to-call.ts'
import { MoreActions } from './more-actions.tsx'
import { loadPending } from './pending-loader.ts'
import { StateBadge } from './state-badge.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = (asked: Route.LoaderArgs) =>
  load(async () => {
    const { shown } = await loadPending(asked)
    leadToCall('pending', shown.appointment, someone(asked.context))
    return shown
  })

export const action = fieldAction

export default function PendingDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment, moves, wait, waits, canReassign, proposals } = loaderData
  const { id, folio, service, state, nobodyCameAt } = appointment
  const sent = actionData?.values.move as MoveName | undefined
  const heard = (move: MoveName) => (sent === move && moves.includes(move) ? actionData : undefined)
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={<StateBadge state={state} />}
        back={{ to: '/admin/appointments-pending', label: 'Próximas citas' }}
        actions={
          canReassign && (
            <LinkButton variant="ghost" to={`/admin/assignations/${id}`}>
              {state === 'requested' ? 'Asignar' : 'Cambiar persona'}
            </LinkButton>
          )
        }
      />
      {/* Its form is not on the screen any more: somebody else was faster. */}
      {actionData?.refusal && !(sent && heard(sent)) && (
        <Alert tone="bad" title={actionData.refusal.title}>
          {actionData.refusal.description}
        </Alert>
      )}
      {nobodyCameAt && (
        <Alert tone="bad" title="El cliente dice que nadie llegó">
          Nos lo dijo el {dateTime(nobodyCameAt)} Llámale y acuerden qué sigue.
        </Alert>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <AppointmentFacts appointment={appointment} />
        {moves.includes('finish') && <FinishForm service={service} result={heard('finish')} />}
        <MoreActions {...{ service, moves, waits, proposals, heard }} />
      </div>
      <FieldBar moves={moves} wait={wait} result={barMoves.map(heard).find(Boolean)} />
    </>
  )
}
