import { redirect } from 'react-router'
import { releaseAssignee } from '../../appointments/assign.ts'
import { cancel, noShow } from '../../appointments/cancel.ts'
import { type AppointmentDetail, appointmentFor, factsFor } from '../../appointments/project-appointments.ts'
import {
  activeStates,
  appointmentStates,
  assignableStates,
  isActive,
} from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { visitedAppointment } from '../../appointments/rules/paths.ts'
import { assignmentInput, fieldInput } from '../../appointments/rules/schema.ts'
import { appointmentMachine, type MoveName } from '../../appointments/rules/transitions.ts'
import { AppointmentFacts } from '../../appointments/screens/appointment-facts.tsx'
import { EndForms } from '../../appointments/screens/day/appointment-ends.tsx'
import { AppointmentHistory, absenceLink, OfficeNotices } from '../../appointments/screens/office-notices.tsx'
import { whileHere } from '../../appointments/screens/pending-server.ts'
import { StateBadge } from '../../appointments/screens/state-badge.tsx'
import { undoableFor } from '../../appointments/undo.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast, redirectWithUndo } from '../../kit/flash.ts'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { isId } from '../../platform/database/client.ts'
import { historyOf } from '../../platform/database/lists.ts'
import { appointmentHistory } from '../../projects/screens/timeline-words.ts'
import { soonestOfEach } from '../../scheduling/choose.ts'
import { zoneOf } from '../../scheduling/roster.ts'
import {
  boardBehind,
  boardPath,
  keptBoard,
  startIn,
  withBoard,
} from '../../scheduling/screens/board-query.ts'
import { toDate, toMinutes } from '../../shared/calendar.ts'
import { dateTime, fullName, localDay } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Alert } from '../../ui/alert.tsx'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { boardOf } from '../board-queries.ts'
import { acceptMove, declineMove, openOfferOf } from '../move-offers.ts'
import { moveOnBoard } from '../move-on-board.ts'
import { type BoardVisit, hoursOf, isBarred, rankedFor } from '../rules/board.ts'
import type { Route } from './+types/assign.ts'
import { PeoplePicker } from './people-picker.tsx'

export const handle = { announcesUpdates: true, visited: visitedAppointment }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const [found, foundFacts, offer, history, undoable] = await Promise.all([
      appointmentFor(db, actor, params.id, appointmentStates),
      factsFor(db, actor, params.id),
      openOfferOf(db, actor, params.id, now),
      isId(params.id) ? historyOf(db, 'appointment', params.id) : [],
      undoableFor(db, actor, params.id),
    ])
    const appointment = found ?? refuse('not-found')
    const facts = foundFacts ?? refuse('not-found')
    // The assignee set out while this screen was open; the board's panel shows those too.
    if (!assignableStates.includes(appointment.state) && !url.searchParams.has('panel'))
      throw redirect(appointmentPath(isActive(appointment.state) ? 'pending' : 'done', appointment))
    const asked = startIn(url)
    const wanted = asked === null ? appointment.startsAt : toDate(asked)
    const board = await boardOf(db, actor, localDay(wanted), now, { withInactive: true })
    const zone = zoneOf(appointment.municipality)
    const ranked = rankedFor(board, visitFrom(appointment), toMinutes(wanted))
    const isMovable = url.searchParams.has('panel') && assignableStates.includes(appointment.state)
    const ids = ranked.map((one) => one.id)
    const next = isMovable ? await soonestOfEach(db, { ...appointment, zone }, ids, now) : []
    const may = (move: MoveName) => appointmentMachine.can(move, actor, facts, now)
    return {
      appointment,
      now,
      wanted,
      hours: hoursOf(board),
      ranked,
      /** For the panel: when each could take it next. */
      next: next.map((slot) => ({
        ...slot,
        name: ranked.find((one) => one.id === slot.personId)?.name ?? '',
      })),
      offer,
      undoable,
      history: appointmentHistory(history),
      mayRelease: may('release'),
      mayCancel: may('cancel'),
      mayMiss: may('noShow'),
      wait: appointmentMachine.blockedReason('noShow', actor, facts, now),
      isOver: appointment.startsAt.getTime() + appointment.minutes * 60_000 < now.getTime(),
      back: boardBehind(url, now, localDay(appointment.startsAt)),
      kept: keptBoard(url),
    }
  })

/** An appointment as the board's rules take it. */
const visitFrom = (appointment: AppointmentDetail): BoardVisit => ({
  ...appointment,
  zone: zoneOf(appointment.municipality),
  start: toMinutes(appointment.startsAt),
  end: toMinutes(appointment.startsAt) + appointment.minutes,
  customer: fullName(appointment.customer),
  surname: appointment.customer.lastname ?? '',
  personId: appointment.assignee?.id ?? null,
  personPhone: null,
  postalCode: null,
})

export const action = forms(({ context, params, url }: Route.ActionArgs) =>
  assignmentForms(context, params.id, url),
)

export default function Assign({ loaderData }: Route.ComponentProps) {
  const { appointment, back, history, hours, isOver, kept, ranked, wanted } = loaderData
  const { folio, state, assignee, minutes, startsAt, version } = appointment
  const moves = wanted.getTime() !== startsAt.getTime()
  const free = ranked.filter(({ verdict }) => !isBarred(verdict))
  const current =
    free.find(({ id }) => id === assignee?.id) ?? free.find(({ verdict }) => verdict.reasons.length === 0)
  const start = toMinutes(wanted)
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={<StateBadge state={state} />}
        back={{ to: back, label: 'Asignaciones de citas' }}
      />
      <OrphanedFormError />
      <OfficeNotices {...loaderData} />
      {isOver && <Overdue />}
      <WhenCard appointment={appointment} wanted={wanted} kept={kept} />
      <Form key={wanted.getTime()} intent="give">
        <input type="hidden" name="version" value={version} />
        {moves && <input type="hidden" name="startsAt" value={wanted.toISOString()} />}
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="grid gap-4 lg:order-last">
            <Card title={moves ? `¿Quién la realiza el ${dateTime(wanted)}?` : '¿Quién la realiza?'}>
              <PeoplePicker
                ranked={ranked}
                span={{ start, end: start + minutes }}
                hours={hours}
                current={current?.id}
              />
              {free.some(({ verdict }) => verdict.reasons.length > 0) && (
                <TextArea
                  label="Motivo para asignarla de todos modos"
                  name="overrideReason"
                  optional="unsaid"
                  maxLength={300}
                  help="Escríbelo si eliges a alguien que no cumple una regla."
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
      <EndForms {...loaderData} />
      <AppointmentHistory events={history} />
    </>
  )
}

type WhenCardProps = { appointment: AppointmentDetail; wanted: Date; kept: Record<string, string> }

/** Its hour, and where another one is chosen; an hour outside the calendar is chosen with a person below. */
function WhenCard({ appointment: { id, startsAt }, wanted, kept }: WhenCardProps) {
  const moves = wanted.getTime() !== startsAt.getTime()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <LinkButton to={withBoard(`${boardPath}/${id}/mover`, kept)} variant="ghost">
        Mover
      </LinkButton>
      {moves && (
        <Alert tone="info" title={`De ${dateTime(startsAt)} a ${dateTime(wanted)}`}>
          Al guardar le avisamos al cliente de su nueva hora.
        </Alert>
      )}
    </div>
  )
}

const at = (context: LoaderContext, id: string) => ({ context, id, states: assignableStates })

/** The forms of one appointment: assigned to a person, unassigned for now, cancelled, or missed by its customer. Each leads back to the board one came from, or that of its day. */
function assignmentForms(context: LoaderContext, id: string, url: URL) {
  const { db, actor, now } = signedIn(context)
  const schemas = assignmentInput
  const told = (words: string) => customerWords(db, { of: 'appointments', id }, words)
  const board = (day: Date) => boardBehind(url, now, localDay(day))
  return {
    give: form(schemas.give, async (input) => {
      const { from, moved } = await whileHere(at(context, id), input.overrideReason, () =>
        moveOnBoard(db, actor, id, input, now),
      )
      const words = `${moved.folio}: ${dateTime(moved.startsAt)} ${await told('Le avisamos al cliente.')}`
      return redirectWithUndo(board(from), 'Asignación confirmada', words, [moved])
    }),
    release: form(schemas.release, async ({ releaseReason: reason, version }) => {
      const released = await whileHere(at(context, id), reason, () =>
        releaseAssignee(db, actor, id, { reason, version }, now),
      )
      const words = `${released.folio}. ${await told('Le avisamos al cliente.')} Elige a alguien más.`
      return redirectWithUndo(
        withBoard(`${boardPath}/${id}`, keptBoard(url)),
        'La cita quedó sin persona',
        words,
        [released],
      )
    }),
    'cancel-by-house': form(schemas['cancel-by-house'], async (input) => {
      const cancelled = await whileHere(at(context, id), input.note, () => cancel(db, actor, id, input, now))
      const words = `${cancelled.folio}. ${await told('Le avisamos al cliente.')}`
      return redirectWithUndo(board(cancelled.startsAt), 'Cita cancelada', words, [cancelled])
    }),
    ...offerForms(context, id, keptBoard(url)),
    'no-show': form(fieldInput.noShow, async (input) => {
      const missed = await whileHere({ context, id, states: activeStates }, input.note, () =>
        noShow(db, actor, id, input, now),
      )
      return redirectWithToast(
        board(missed.startsAt),
        'Registramos que no se presentó',
        `${missed.folio}. ${await told('Le avisamos al cliente.')}`,
      )
    }),
  }
}

/** What its customer said on the phone to another time that we proposed. Each leads to what the others answered. */
function offerForms(context: LoaderContext, id: string, kept: Record<string, string>) {
  const { db, actor, now } = signedIn(context)
  const schemas = assignmentInput
  const absence = async () => {
    const offer = await openOfferOf(db, actor, id, now)
    return withBoard(offer ? absenceLink(offer) : `${boardPath}/${id}`, kept)
  }
  return {
    'accept-move': form(schemas['accept-move'], async ({ offerId }) => {
      const back = await absence()
      await acceptMove(db, actor, offerId, now)
      const whose = { of: 'appointments', id } as const
      const told = await customerWords(db, whose, 'Le mandamos los datos al cliente.')
      return redirectWithToast(back, 'La cita ya tiene su nueva hora', told)
    }),
    'decline-move': form(schemas['decline-move'], async ({ offerId }) => {
      const back = await absence()
      await declineMove(db, actor, offerId, now)
      return redirectWithToast(
        back,
        'Anotamos que no puede a esa hora',
        'La cita sigue sin persona: acuerda otra hora.',
      )
    }),
  }
}

/** Its hour passed without a report of the outcome: nothing else happens automatically. */
const Overdue = () => (
  <Alert tone="wait" title="Ya pasó su hora y nadie registró el resultado">
    Cámbiala de día, cancélala o di que el cliente no se presentó. Después puede agendar otra.
  </Alert>
)
