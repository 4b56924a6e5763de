import { dateSpan } from '../../domain/shared/format.ts'
import type { Absence, Schedule, TimeOffRequest } from '../../server/users/schedule.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormDetails } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { ScheduleForm } from './schedule-form.tsx'

/** Time off and holidays of one person: those to come, and a form for one more. */
export function TimeOffCard({ schedule }: { schedule: Schedule }) {
  const { absences } = schedule
  return (
    <Card title="Permisos y vacaciones">
      <TimeOffRequests schedule={schedule} />
      {absences.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">No tiene permisos ni vacaciones por delante.</p>
      ) : (
        <ul className="grid">
          {absences.map((absence) => (
            <Taken key={absence.id} absence={absence} version={schedule.version} />
          ))}
        </ul>
      )}
      <ScheduleForm intent="staffing.timeOff" schedule={schedule} submit="Guardar permiso">
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
      <Form intent="staffing.removeTimeOff" target={{ timeOffId: id }} className="gap-2">
        <input type="hidden" name="version" value={version} />
        <div className="flex items-center justify-between gap-3">
          <div className="grid min-w-0 gap-0.5">
            <p className="font-semibold">{words}</p>
            {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
          </div>
          <Submit variant="ghost" aria-label={`Quitar ${words}`}>
            Quitar
          </Submit>
        </div>
      </Form>
    </li>
  )
}

/** The time off somebody asked for and nobody answered: approve it, settling what it touches, or say why not. */
function TimeOffRequests({ schedule }: { schedule: Schedule }) {
  if (schedule.requests.length === 0) return null
  return (
    <ul className="grid gap-4">
      {schedule.requests.map((request) => (
        <li key={request.id} className="grid gap-4 border-b border-line pb-4">
          <Request request={request} schedule={schedule} />
        </li>
      ))}
    </ul>
  )
}

type RequestProps = { schedule: Schedule; request: TimeOffRequest }

function Request({ request: { id, from, reason, to }, schedule }: RequestProps) {
  const target = { timeOffId: id }
  return (
    <>
      <div className="grid gap-1">
        <p>
          <Badge tone="wait">Por aprobar</Badge>
        </p>
        <p className="font-semibold">{dateSpan(from, to)}</p>
        {reason && <p className="text-[0.9375rem] wrap-anywhere text-mute">{reason}</p>}
      </div>
      <ScheduleForm intent="staffing.approveTimeOff" target={target} schedule={schedule} submit="Aprobar" />
      <FormDetails summary="Rechazar" intent="staffing.refuseTimeOff" target={target}>
        <Field
          label="Por qué no"
          name="refusal"
          maxLength={300}
          autoComplete="off"
          help="La persona lo lee."
        />
        <Submit variant="destructive">Rechazar</Submit>
      </FormDetails>
    </>
  )
}
