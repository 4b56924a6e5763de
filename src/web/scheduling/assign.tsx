import { redirect } from 'react-router'
import { appointmentStates } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { appointmentMachine, assignableStates } from '../../domain/appointments/transitions.ts'
import { dateTime, localDay } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { appointmentFor, factsFor } from '../../server/appointments/detail.ts'
import { assigneesFor } from '../../server/appointments/options.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { AppointmentFacts } from '../appointments/appointment-facts.tsx'
import { StateBadge } from '../appointments/state-badge.tsx'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/assign.ts'
import { assignAction } from './assign-action.ts'
import { AssigneePicker } from './assignee-picker.tsx'
import { EndCards, Overdue } from './end-cards.tsx'
import { startsOn, wantedStart } from './wanted-start.ts'
import { WhenCard } from './when-card.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  load(async () => {
    const database = context.get(db)
    const appointment =
      (await appointmentFor(database, someone(context), params.id, appointmentStates)) ?? refuse('not-found')
    // Its person set out while this screen was open.
    if (!assignableStates.includes(appointment.state)) throw redirect(appointmentPath('pending', appointment))
    const [{ settings }, actor, now] = [await currentStaffing(database), someone(context), new Date()]
    const facts = (await factsFor(database, actor, params.id)) ?? refuse('not-found')
    const wanted = wantedStart(url, appointment.startsAt)
    return {
      appointment,
      wanted,
      starts: startsOn(wanted, settings),
      mayRelease: appointmentMachine.can('release', actor, facts, now),
      isOver: appointment.startsAt.getTime() + appointment.minutes * 60_000 < now.getTime(),
      mayMiss: appointmentMachine.can('noShow', actor, facts, now),
      ...(await assigneesFor(database, appointment, now, wanted)),
    }
  })

export const action = ({ request, context, params }: Route.ActionArgs) =>
  assignAction(request, context, params.id)

export default function Assign({
  loaderData: { appointment, able, isOver, mayMiss, mayRelease, starts, unable, wanted },
  actionData,
}: Route.ComponentProps) {
  const given = actionData && 'intent' in actionData.values ? undefined : actionData
  const { folio, state, assignee, version } = appointment
  const moves = wanted.getTime() !== appointment.startsAt.getTime()
  const current =
    assignee && [...able, ...unable.filter(({ hard }) => !hard)].some(({ id }) => id === assignee.id)
      ? assignee.id
      : able[0]?.id
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={<StateBadge state={state} />}
        back={{
          to: `/admin/assignations?dia=${localDay(appointment.startsAt)}`,
          label: 'Asignaciones de citas',
        }}
      />
      {isOver && <Overdue appointment={appointment} mayMiss={mayMiss} />}
      <WhenCard appointment={appointment} wanted={wanted} starts={starts} />
      <Form key={wanted.getTime()} result={given}>
        <input type="hidden" name="version" value={version} />
        {moves && <input type="hidden" name="startsAt" value={wanted.toISOString()} />}
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="grid gap-4 lg:order-last">
            <Card title={moves ? `¿Quién la realiza el ${dateTime(wanted)}?` : '¿Quién la realiza?'}>
              <AssigneePicker able={able} unable={unable} current={current} />
              {unable.some(({ hard }) => !hard) && (
                <TextArea
                  label="Motivo para asignarla de todos modos"
                  name="overrideReason"
                  optional
                  maxLength={300}
                  help="Solo si eliges a alguien que hoy no cumple una regla."
                />
              )}
            </Card>
            <ActionBar>
              <Submit>{moves ? 'Cambiar la hora y avisar' : 'Confirmar asignación'}</Submit>
            </ActionBar>
          </div>
          <div className="grid gap-4">
            <AppointmentFacts appointment={appointment} />
          </div>
        </div>
      </Form>
      <EndCards appointment={appointment} mayRelease={mayRelease} result={actionData} />
    </>
  )
}
