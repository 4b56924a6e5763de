import { dateSpan } from '../../domain/shared/format.ts'
import type { Absence, Schedule, TimeOffRequest } from '../../server/users/time-off-requests.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { intents } from './shifts-card.tsx'

type TimeOffCardProps = {
  schedule: Schedule
  result: Failure | undefined
  /** What taking one back was answered with. */
  removal: Failure | undefined
  approval: Failure | undefined
  refusal: Failure | undefined
}

/** Time off and holidays of one person: those to come, and a form for one more. */
export function TimeOffCard({ schedule, result, removal, approval, refusal }: TimeOffCardProps) {
  const { absences, requests } = schedule
  // Not at its line: what could not be taken back, or answered, may be gone from the list.
  const gone = [removal, approval, refusal].find(
    (heard) => heard && !requests.some(({ id }) => id === (heard.values as { timeOffId?: string }).timeOffId),
  )
  return (
    <Card title="Permisos y vacaciones">
      {gone?.refusal && (
        <Alert tone="bad" title={gone.refusal.title}>
          {gone.refusal.description}
        </Alert>
      )}
      <TimeOffRequests schedule={schedule} approval={approval} refusal={refusal} />
      {absences.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">No tiene permisos ni vacaciones por delante.</p>
      ) : (
        <ul className="grid">
          {absences.map((absence) => (
            <Taken key={absence.id} absence={absence} version={schedule.version} />
          ))}
        </ul>
      )}
      <ScheduleForm intent={intents.timeOff} schedule={schedule} result={result} submit="Guardar permiso">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Desde el día" name="from" type="date" />
          <Field label="Desde la hora" name="fromTime" type="time" optional="unsaid" />
          <Field label="Hasta el día" name="to" type="date" />
          <Field label="Hasta la hora" name="toTime" type="time" optional="unsaid" />
          <Field
            label="Motivo"
            name="reason"
            maxLength={200}
            autoComplete="off"
            className="sm:col-span-2"
            help="Solo lo ve la gerencia. Sin horas, el permiso es de días completos."
          />
        </div>
      </ScheduleForm>
    </Card>
  )
}

type TakenProps = { absence: Absence; version: number }

function Taken({ absence: { id, from, to, reason }, version }: TakenProps) {
  const words = dateSpan(from, to)
  return (
    <li className="border-t border-line py-2 first:border-0 first:pt-0">
      <Form className="gap-2">
        <input type="hidden" name="intent" value={intents.removeTimeOff} />
        <input type="hidden" name="version" value={version} />
        <div className="flex items-center justify-between gap-3">
          <div className="grid min-w-0 gap-0.5">
            <p className="font-semibold">{words}</p>
            {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
          </div>
          <Submit name="timeOffId" value={id} variant="ghost" aria-label={`Quitar ${words}`}>
            Quitar
          </Submit>
        </div>
      </Form>
    </li>
  )
}

type RequestsProps = {
  schedule: Schedule
  /** What approving, and refusing, was answered with. */
  approval: Failure | undefined
  refusal: Failure | undefined
}

/** The time off somebody asked for and nobody answered: approve it, settling what it touches, or say why not. */
function TimeOffRequests({ schedule, approval, refusal }: RequestsProps) {
  if (schedule.requests.length === 0) return null
  return (
    <ul className="grid gap-4">
      {schedule.requests.map((request) => (
        <li key={request.id} className="grid gap-4 border-b border-line pb-4">
          <Request
            request={request}
            schedule={schedule}
            approval={about(approval, request)}
            refusal={about(refusal, request)}
          />
        </li>
      ))}
    </ul>
  )
}

const about = (result: Failure | undefined, { id }: TimeOffRequest) =>
  (result?.values as { timeOffId?: string } | undefined)?.timeOffId === id ? result : undefined

type RequestProps = RequestsProps & { request: TimeOffRequest }

function Request({ request: { id, from, reason, to }, schedule, approval, refusal }: RequestProps) {
  return (
    <>
      <div className="grid gap-1">
        <p>
          <Badge tone="wait">Por aprobar</Badge>
        </p>
        <p className="font-semibold">{dateSpan(from, to)}</p>
        {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
      </div>
      <ScheduleForm intent={intents.approveTimeOff} schedule={schedule} result={approval} submit="Aprobar">
        <input type="hidden" name="timeOffId" value={id} />
      </ScheduleForm>
      <Details summary="Rechazar" open={refusal !== undefined}>
        <Form result={refusal}>
          <input type="hidden" name="timeOffId" value={id} />
          <Field
            label="Por qué no"
            name="refusal"
            maxLength={300}
            autoComplete="off"
            help="La persona lo lee."
          />
          <Submit name="intent" value={intents.refuseTimeOff} variant="destructive">
            Rechazar
          </Submit>
        </Form>
      </Details>
    </>
  )
}
