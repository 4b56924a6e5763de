import { type RouterContextProvider, redirect, Form as SearchForm } from 'react-router'
import {
  appointmentStates,
  closingReasonCodes,
  closingReasons,
} from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { assignmentInput } from '../../domain/appointments/schema.ts'
import { appointmentMachine, assignableStates } from '../../domain/appointments/transitions.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { dayOf, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import {
  clockText,
  clockWords,
  counted,
  dateTime,
  duration,
  localDay,
  wallTime,
} from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { type Able, assigneesFor, releaseAssignee, type Unable } from '../../server/appointments/assign.ts'
import { cancel } from '../../server/appointments/cancel.ts'
import {
  type AppointmentDetail,
  appointmentFor,
  factsFor,
} from '../../server/appointments/project-appointments.ts'
import { moveOnBoard } from '../../server/scheduling/board-queries.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { AppointmentFacts } from '../appointments/appointment-facts.tsx'
import { whileHere } from '../appointments/pending-server.ts'
import { StateBadge } from '../appointments/state-badge.tsx'
import { redirectWithToast } from '../lib/flash.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { form, forms } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { ActionBar, Button, LinkButton } from '../ui/button.tsx'
import { Card, Details } from '../ui/card.tsx'
import { Field, FieldNotes, Select, TextArea } from '../ui/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit, useFieldResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/assign.ts'
import { dateIn } from './board-query.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
    const [found, foundFacts, { settings }] = await Promise.all([
      appointmentFor(database, actor, params.id, appointmentStates),
      factsFor(database, actor, params.id),
      currentStaffing(database),
    ])
    const [appointment, facts] = [found ?? refuse('not-found'), foundFacts ?? refuse('not-found')]
    // The assignee set out while this screen was open.
    if (!assignableStates.includes(appointment.state)) throw redirect(appointmentPath('pending', appointment))
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

export const action = forms(({ context, params }: Route.ActionArgs) => assignmentForms(context, params.id))

export default function Assign({
  loaderData: { appointment, able, isOver, mayMiss, mayRelease, starts, unable, wanted },
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
      <OrphanedFormError />
      {isOver && <Overdue appointment={appointment} mayMiss={mayMiss} />}
      <WhenCard appointment={appointment} wanted={wanted} starts={starts} />
      <Form key={wanted.getTime()} intent="give">
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
      <EndCards appointment={appointment} mayRelease={mayRelease} />
    </>
  )
}

const isTime = /^([01]\d|2[0-3]):[0-5]\d$/

/** The start in an address (`?dia=2026-11-24&hora=10:30`); without one, the appointment's own. */
function wantedStart({ searchParams }: URL, own: Date): Date {
  const [date, time] = [dateIn(searchParams.get('dia'), ''), searchParams.get('hora') ?? '']
  return date && isTime.test(time) ? toDate(minuteAt(date, time)) : own
}

/** The starts of a moment's day, as minutes after midnight: the grid within the hours, and the moment itself. */
function startsOn(moment: Date, { hours, stepMinutes }: Settings): number[] {
  const { base, weekday } = dayOf(toMinutes(moment))
  const { from, to } = hours[weekday] ?? { from: 9 * 60, to: 18 * 60 }
  const first = Math.ceil(from / stepMinutes) * stepMinutes
  const count = Math.max(0, Math.ceil((to - first) / stepMinutes))
  const grid = Array.from({ length: count }, (_, n) => first + n * stepMinutes)
  return [...new Set([...grid, toMinutes(moment) - base])].sort((a, b) => a - b)
}

type WhenCardProps = { appointment: AppointmentDetail; wanted: Date; starts: readonly number[] }

/** Another day or hour to try: who could take it then. Nothing changes until the user chooses a person below. */
function WhenCard({ appointment, wanted, starts }: WhenCardProps) {
  const moves = wanted.getTime() !== appointment.startsAt.getTime()
  return (
    <div className="grid gap-4">
      <Details summary="Cambiar el día o la hora" open={moves}>
        <SearchForm
          key={wanted.getTime()}
          method="get"
          className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[12rem_12rem_auto_1fr]"
        >
          <Field label="Día" name="dia" type="date" defaultValue={localDay(wanted)} className="min-w-0" />
          <Select
            label="Hora"
            name="hora"
            options={starts.map((minutes) => ({ value: clockText(minutes), label: clockWords(minutes) }))}
            defaultValue={wallTime(wanted)}
          />
          <Button type="submit" variant="ghost" className="sm:max-lg:col-span-2">
            Ver quién puede
          </Button>
        </SearchForm>
      </Details>
      {moves && (
        <Alert tone="info" title={`De ${dateTime(appointment.startsAt)} a ${dateTime(wanted)}`}>
          Al guardar le avisamos al cliente de su nueva hora.
        </Alert>
      )}
    </div>
  )
}

type Context = Readonly<RouterContextProvider>

const list = '/admin/assignations'
const at = (context: Context, id: string) => ({ context, id, states: assignableStates })

/** The forms of one appointment: assigned to a person, unassigned for now, or cancelled. */
function assignmentForms(context: Context, id: string) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const input = assignmentInput
  return {
    give: form(input.give, async (wish) => {
      const moved = await whileHere(at(context, id), wish.overrideReason, () =>
        moveOnBoard(database, actor, id, wish, now),
      )
      const words = `${moved.folio}: ${dateTime(moved.startsAt)} Le avisamos al cliente.`
      return redirectWithToast(list, 'Asignación confirmada', words)
    }),
    release: form(input.release, async ({ releaseReason: reason, version }) => {
      const { folio } = await whileHere(at(context, id), reason, () =>
        releaseAssignee(database, actor, id, { reason, version }, now),
      )
      const words = `${folio}. Elige a alguien más; el cliente ya lo sabe.`
      return redirectWithToast(`${list}/${id}`, 'La cita quedó sin persona', words, 'default')
    }),
    'cancel-by-house': form(input['cancel-by-house'], async (wish) => {
      const cancelled = await whileHere(at(context, id), wish.note, () =>
        cancel(database, actor, id, wish, now),
      )
      const words = `${cancelled.folio}. Le avisamos al cliente.`
      return redirectWithToast(appointmentPath('done', cancelled), 'Cita cancelada', words)
    }),
  }
}

type AssigneePickerProps = { able: readonly Able[]; unable: readonly Unable[]; current: string | undefined }

/** The people who can take an appointment, the best first; below, the others with what prevents each. */
function AssigneePicker({ able, unable, current }: AssigneePickerProps) {
  const { error, typed } = useFieldResult('assigneeId')
  const chosen = typed ?? current
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? 'assigneeId-error' : undefined}>
      <legend className="sr-only">Persona</legend>
      {able.length === 0 && <p className="font-semibold text-bad">Nadie puede tomarla a esa hora.</p>}
      {able.map(({ id, name, addedTravel, load }) => (
        <Person key={id} id={id} name={name} isChosen={id === chosen}>
          {addedTravel > 0 ? `${duration(addedTravel)} más de traslado` : 'Sin traslado adicional'} ·{' '}
          {counted(load, 'cita ese día', 'citas ese día')}
        </Person>
      ))}
      {unable.length > 0 && <p className="mt-2 text-sm text-mute">No pueden</p>}
      {unable.map(({ id, name, reasons, hard }) => (
        <Person key={id} id={id} name={name} isChosen={id === chosen} isOut={hard}>
          {reasons.join('; ')}
        </Person>
      ))}
      <FieldNotes id="assigneeId" error={error} help={undefined} />
    </fieldset>
  )
}

type PersonProps = { id: string; name: string; isChosen: boolean; isOut?: boolean; children: React.ReactNode }

function Person({ id, name, isChosen, isOut = false, children }: PersonProps) {
  return (
    <label className="flex min-h-14 items-center gap-3 rounded-control border border-line px-3.5 py-2.5 has-checked:border-brand has-checked:bg-brand-soft has-disabled:bg-hover">
      <input
        type="radio"
        name="assigneeId"
        value={id}
        defaultChecked={isChosen && !isOut}
        disabled={isOut}
        className="size-5 shrink-0 accent-brand"
      />
      <span className="grid">
        <span className="font-semibold">{name}</span>
        <span className="text-sm text-mute">{children}</span>
      </span>
    </label>
  )
}

type EndCardsProps = {
  appointment: Pick<AppointmentDetail, 'id' | 'version' | 'assignee'>
  mayRelease: boolean
}

/** What the manager can do with an appointment besides assigning it: release its assignee, or cancel it. */
function EndCards({ appointment: { assignee, version }, mayRelease }: EndCardsProps) {
  return (
    <div className="mt-6 grid items-start gap-4 lg:grid-cols-2">
      {mayRelease && assignee && (
        <FormDetails summary={`Quitar a ${assignee.name}`} intent="release">
          <input type="hidden" name="version" value={version} />
          <TextArea
            label="Motivo"
            name="releaseReason"
            maxLength={300}
            help="Le avisamos al cliente que buscamos a alguien más."
          />
          <Submit variant="ghost">Quitar de la cita</Submit>
        </FormDetails>
      )}
      <FormDetails summary="Cancelar la cita" intent="cancel-by-house">
        <input type="hidden" name="version" value={version} />
        <Select
          label="Motivo"
          name="reason"
          placeholder="Elige un motivo"
          options={closingReasonCodes.map((value) => ({ value, label: closingReasons[value] }))}
        />
        <TextArea label="Nota" name="note" optional maxLength={500} help="El cliente la puede leer." />
        <Submit variant="destructive">Cancelar la cita</Submit>
      </FormDetails>
    </div>
  )
}

type OverdueProps = { appointment: Pick<AppointmentDetail, 'id' | 'service'>; mayMiss: boolean }

/** Its hour passed without a report of the outcome: nothing else happens automatically. */
const Overdue = ({ appointment, mayMiss }: OverdueProps) => (
  <Alert
    tone="wait"
    title="Ya pasó su hora y nadie dijo cómo quedó"
    className="mb-4"
    actions={
      mayMiss && (
        <LinkButton to={appointmentPath('pending', appointment)} variant="ghost">
          No se presentó
        </LinkButton>
      )
    }
  >
    Cámbiala de día o cancélala aquí. Después el cliente puede agendar otra.
  </Alert>
)
