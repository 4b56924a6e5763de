import { redirect } from 'react-router'
import { type AppointmentState, appointmentStates } from '../../domain/appointment.ts'
import { givingInput } from '../../domain/appointment-input.ts'
import { moves } from '../../domain/moves.ts'
import { refuse } from '../../domain/refusal.ts'
import { appointmentFor } from '../../server/appointments/detail.ts'
import { assigneesFor } from '../../server/appointments/options.ts'
import { moveOnBoard } from '../../server/board/move.ts'
import { db } from '../../server/context.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { afterRefusal } from '../after-refusal.ts'
import { AppointmentFacts } from '../appointments/appointment-facts.tsx'
import { StateBadge } from '../appointments/state-badge.tsx'
import { toast } from '../flash.ts'
import { dateTime, localDay } from '../format.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/assign.ts'
import { AssigneePicker } from './assignee-picker.tsx'
import { startsOn, wantedStart } from './wanted-start.ts'
import { WhenCard } from './when-card.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

const assignable: readonly AppointmentState[] = [...moves.assign.from, ...moves.reassign.from]

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  load(async () => {
    const database = context.get(db)
    const appointment =
      (await appointmentFor(database, someone(context), params.id, appointmentStates)) ?? refuse('not-found')
    // Its person set out while this screen was open.
    if (!assignable.includes(appointment.state))
      throw redirect(`/admin/appointments-pending/${appointment.id}`)
    const { settings } = await currentStaffing(database)
    const wanted = wantedStart(url, appointment.startsAt)
    return {
      appointment,
      wanted,
      starts: startsOn(wanted, settings),
      ...(await assigneesFor(database, appointment, new Date(), wanted)),
    }
  })

export const action = ({ request, context, params }: Route.ActionArgs) =>
  submit(request, givingInput, async (input) => {
    const moved = await moveOnBoard(context.get(db), someone(context), params.id, input, new Date())
    const words = `${moved.folio}: ${dateTime(moved.startsAt)}. Le avisamos al cliente.`
    return toast('/admin/assignations', 'Asignación confirmada', words)
  })

export default function Assign({
  loaderData: { appointment, able, starts, unable, wanted },
  actionData,
}: Route.ComponentProps) {
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
      <WhenCard appointment={appointment} wanted={wanted} starts={starts} />
      <Form key={wanted.getTime()} result={actionData}>
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
    </>
  )
}
