import type { ReactNode } from 'react'
import type { Schedule } from '../../server/staffing/schedule.ts'
import type { Failure } from '../submit.ts'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { AffectedAppointments, affectedIn } from './affected.tsx'

type ScheduleFormProps = {
  intent: string
  schedule: Pick<Schedule, 'version'>
  result: Failure | undefined
  children: ReactNode
  /** The words on its button. */
  submit: string
}

/** A form of somebody's working time: its fields, then the appointments it would touch, then its button. */
export function ScheduleForm({ intent, schedule, result, children, submit }: ScheduleFormProps) {
  return (
    <Form result={result}>
      <input type="hidden" name="version" value={schedule.version} />
      {children}
      <AffectedAppointments affected={affectedIn(result)} />
      <Submit name="intent" value={intent}>
        {submit}
      </Submit>
    </Form>
  )
}
