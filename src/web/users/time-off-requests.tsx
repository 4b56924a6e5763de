import { dateSpan } from '../../domain/shared/format.ts'
import type { Schedule } from '../../server/users/schedule.ts'
import type { TimeOffRequest } from '../../server/users/time-off-requests.ts'
import type { Failure } from '../lib/submit.ts'
import { Badge } from '../ui/badge.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { intents } from './intents.ts'
import { ScheduleForm } from './schedule-form.tsx'

type RequestsProps = {
  schedule: Schedule
  /** What approving, and refusing, was answered with. */
  approval: Failure | undefined
  refusal: Failure | undefined
}

/** The time off somebody asked for and nobody answered: approve it, settling what it touches, or say why not. */
export function TimeOffRequests({ schedule, approval, refusal }: RequestsProps) {
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
