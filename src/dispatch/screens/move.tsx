import { CalendarClock } from 'lucide-react'
import { redirect } from 'react-router'
import { changeTime } from '../../appointments/change-time.ts'
import { appointmentFor } from '../../appointments/project-appointments.ts'
import {
  appointmentStates,
  assignableStates,
  isActive,
  serviceFacts,
} from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { whoHearsOfMove } from '../../appointments/rules/rules.ts'
import { deskMoveInput } from '../../appointments/rules/schema.ts'
import { whileHere } from '../../appointments/screens/pending-server.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithUndo } from '../../kit/flash.ts'
import { Form, OrphanedFormError } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { submit } from '../../kit/submit.ts'
import { isId } from '../../platform/database/client.ts'
import { deskAgenda } from '../../scheduling/desk-slots.ts'
import { currentStaffing, zoneOf } from '../../scheduling/roster.ts'
import { dateIn, keptBoard, startIn, withBoard } from '../../scheduling/screens/board-query.ts'
import { dateTime, fullName } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Route } from './+types/move.ts'
import { AnyHour, DeskSlots, type ShownSlot, WithWhom } from './desk-slots.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

const pageOf = (id: string) => `/admin/assignations/${id}`

/** The manager's calendar for what is booked: another time, with the one who has it or whoever can. */
export const loader = ({ context, params: { id }, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const [found] = await Promise.all([
      appointmentFor(db, actor, id, appointmentStates),
      // Read meanwhile, for the calendar.
      currentStaffing(db),
    ])
    const appointment = found ?? refuse('not-found')
    // Its assignee set out, or it ended, while this screen was open.
    if (!assignableStates.includes(appointment.state))
      throw redirect(appointmentPath(isActive(appointment.state) ? 'pending' : 'done', appointment))
    const { assignee, municipality, service, startsAt } = appointment
    const con = url.searchParams.get('con') ?? ''
    const input = {
      service,
      zone: zoneOf(municipality),
      date: dateIn(url.searchParams.get('dia'), '') || null,
      asked: startIn(url),
      personId: isId(con) ? con : null,
      moved: { id, startsAt, assigneeId: assignee?.id ?? null },
    }
    return { appointment, agenda: await deskAgenda(db, input, now), kept: keptBoard(url) }
  })

export const action = ({ context, params: { id }, request, url }: Route.ActionArgs) =>
  submit(request, deskMoveInput, async (input) =>
    moved(context, id, input, withBoard(pageOf(id), keptBoard(url))),
  )

type Input = Parameters<typeof changeTime>[3]

async function moved(context: LoaderContext, id: string, input: Input, to: string) {
  const { db, actor } = signedIn(context)
  const here = { context, id, states: assignableStates }
  const { assigneeId, folio, startsAt, version } = await whileHere(here, input.overrideReason, () =>
    changeTime(db, actor, id, { ...input, confirm: true }, new Date()),
  )
  const { people } = await currentStaffing(db)
  const name = people.find((person) => person.id === assigneeId)?.name ?? ''
  const told = await customerWords(db, { of: 'appointments', id }, 'Les avisamos.')
  const words = `${folio}: ${dateTime(startsAt)}, con ${name}. ${told}`
  return redirectWithUndo(to, 'Cita movida', words, [{ id, version }])
}

export default function Move({ loaderData, actionData }: Route.ComponentProps) {
  const { agenda, appointment, kept } = loaderData
  const { assignee, confirmed, customer, folio, id, service, startsAt, version } = appointment
  const linkTo = (chosen: object) => `${pageOf(id)}/mover?${new URLSearchParams({ ...kept, ...chosen })}`
  const outcome = ({ name }: ShownSlot) =>
    whoHearsOfMove({
      customer: customer.name ?? fullName(customer),
      before: confirmed && assignee ? assignee.name : null,
      after: name,
    })
  return (
    <>
      <PageHeader
        title="Mover la cita"
        subtitle={`${serviceFacts[service].label} ${folio} de ${fullName(customer)}`}
        back={{ to: withBoard(pageOf(id), kept), label: folio }}
      />
      <OrphanedFormError />
      <div className="grid gap-5 lg:max-w-3xl">
        <p className="flex items-center gap-2">
          <CalendarClock aria-hidden className="size-5 shrink-0 text-mute" />
          <span>
            Ahora es el <b className="font-semibold">{dateTime(startsAt)}</b>
            {assignee && `, con ${assignee.name}${confirmed ? '' : ' (provisional)'}`}
          </span>
        </p>
        <WithWhom agenda={agenda} linkTo={linkTo} preferred={assignee} />
        <Form result={actionData} key={version}>
          <input type="hidden" name="version" value={version} />
          <DeskSlots agenda={agenda} linkTo={linkTo} outcome={outcome} submit="Mover y avisar" />
        </Form>
        <AnyHour agenda={agenda} linkTo={linkTo} />
      </div>
    </>
  )
}
