import { redirect } from 'react-router'
import { z } from 'zod'
import { type AppointmentState, appointmentStates } from '../../domain/appointment.ts'
import { assigningInput } from '../../domain/appointment-input.ts'
import { moves } from '../../domain/moves.ts'
import { refuse } from '../../domain/refusal.ts'
import { assign } from '../../server/appointments/assign.ts'
import { appointmentFor } from '../../server/appointments/detail.ts'
import { assigneesFor } from '../../server/appointments/options.ts'
import { db } from '../../server/context.ts'
import { afterRefusal } from '../after-refusal.ts'
import { AppointmentFacts } from '../appointments/appointment-facts.tsx'
import { StateBadge } from '../appointments/state-badge.tsx'
import { toast } from '../flash.ts'
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

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

const assignable: readonly AppointmentState[] = [...moves.assign.from, ...moves.reassign.from]

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const database = context.get(db)
    const appointment =
      (await appointmentFor(database, someone(context), params.id, appointmentStates)) ?? refuse('not-found')
    // Its person set out while this screen was open.
    if (!assignable.includes(appointment.state))
      throw redirect(`/admin/appointments-pending/${appointment.id}`)
    return { appointment, ...(await assigneesFor(database, appointment, new Date())) }
  })

const formInput = assigningInput.extend({ version: z.coerce.number().int().positive() })

export const action = ({ request, context, params }: Route.ActionArgs) =>
  submit(request, formInput, async (input) => {
    const { folio } = await assign(context.get(db), someone(context), params.id, input, new Date())
    return toast('/admin/assignations', 'Asignación confirmada', `${folio}. Le avisamos al cliente.`)
  })

export default function Assign({
  loaderData: { appointment, able, unable },
  actionData,
}: Route.ComponentProps) {
  const { folio, state, assignee, version } = appointment
  const current =
    assignee && [...able, ...unable.filter(({ hard }) => !hard)].some(({ id }) => id === assignee.id)
      ? assignee.id
      : able[0]?.id
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={<StateBadge state={state} />}
        back={{ to: '/admin/assignations', label: 'Asignaciones de citas' }}
      />
      <Form result={actionData}>
        <input type="hidden" name="version" value={version} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="grid gap-4 lg:order-last">
            <Card title="¿Quién la realiza?">
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
              <Submit>Confirmar asignación</Submit>
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
