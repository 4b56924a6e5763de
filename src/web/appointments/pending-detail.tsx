import { redirect } from 'react-router'
import { z } from 'zod'
import { appointmentStates, isActive } from '../../domain/appointment.ts'
import { finishingInput } from '../../domain/appointment-input.ts'
import { can, type MoveName, notYet } from '../../domain/moves.ts'
import { refuse } from '../../domain/refusal.ts'
import { finish, setOut, start } from '../../server/appointments/changes.ts'
import { appointmentFor, factsFor } from '../../server/appointments/detail.ts'
import { db } from '../../server/context.ts'
import { afterRefusal } from '../after-refusal.ts'
import { toast } from '../flash.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { type Failure, submit } from '../submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/pending-detail.ts'
import { AppointmentFacts } from './appointment-facts.tsx'
import { StateBadge } from './state-badge.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

const fieldMoves = ['setOut', 'start', 'finish'] as const satisfies readonly MoveName[]

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const actor = someone(context)
    const appointment =
      (await appointmentFor(context.get(db), actor, params.id, appointmentStates)) ?? refuse('not-found')
    // It ended while this screen was open, or its button was pressed twice.
    if (!isActive(appointment.state)) throw redirect(`/admin/appointments-done/${appointment.id}`)
    const facts = (await factsFor(context.get(db), actor, params.id, new Date())) ?? refuse('not-found')
    return {
      appointment,
      canReassign: can('assign', actor, facts) || can('reassign', actor, facts),
      moves: fieldMoves.filter((name) => can(name, actor, facts)),
      wait: fieldMoves.map((name) => notYet(name, actor, facts)).find((words) => words !== null) ?? null,
    }
  })

/** Three forms of one screen, told apart by the button that was pressed. */
const formInput = z.discriminatedUnion(
  'move',
  [
    z.object({ move: z.literal('setOut') }),
    z.object({ move: z.literal('start') }),
    finishingInput.extend({ move: z.literal('finish') }),
  ],
  'Ese botón ya no sirve. Vuelve a abrir la página.',
)

export const action = ({ request, context, params }: Route.ActionArgs) =>
  submit(request, formInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const here = `/admin/appointments-pending/${params.id}`
    if (input.move === 'setOut') {
      await setOut(database, actor, params.id, now)
      return toast(here, 'Vas en camino', 'Le avisamos al cliente.')
    }
    if (input.move === 'start') {
      await start(database, actor, params.id, now)
      return toast(here, 'Cita iniciada')
    }
    await finish(database, actor, params.id, input.closingNote, now)
    return toast(`/admin/appointments-done/${params.id}`, 'Cita terminada')
  })

export default function PendingDetail({
  loaderData: { appointment, moves, wait, canReassign },
  actionData,
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={appointment.folio}
        subtitle={<StateBadge state={appointment.state} />}
        back={{ to: '/admin/appointments-pending', label: 'Próximas citas' }}
        actions={
          canReassign && (
            <LinkButton variant="ghost" to={`/admin/assignations/${appointment.id}`}>
              {appointment.state === 'requested' ? 'Asignar' : 'Cambiar persona'}
            </LinkButton>
          )
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <AppointmentFacts appointment={appointment} />
        {moves.includes('finish') && <FinishForm result={actionData} />}
      </div>
      {(moves.includes('setOut') || moves.includes('start') || wait) && (
        <ActionBar>
          {wait && <p className="text-[0.9375rem] text-mute">{wait}</p>}
          <Form result={moves.includes('finish') ? undefined : actionData} className="flex gap-3 *:flex-1">
            {moves.includes('setOut') && (
              <Submit name="move" value="setOut" variant={moves.includes('start') ? 'ghost' : 'primary'}>
                En camino
              </Submit>
            )}
            {moves.includes('start') && (
              <Submit name="move" value="start">
                Iniciar
              </Submit>
            )}
          </Form>
        </ActionBar>
      )}
    </>
  )
}

function FinishForm({ result }: { result: Failure | undefined }) {
  return (
    <Card title="Terminar la cita">
      <Form result={result}>
        <input type="hidden" name="move" value="finish" />
        <TextArea
          label="Nota de cierre"
          name="closingNote"
          maxLength={2000}
          help="Cómo quedó y qué sigue. El cliente también la lee."
        />
        <Submit>Terminar</Submit>
      </Form>
    </Card>
  )
}
