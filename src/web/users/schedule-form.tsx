import { type ReactNode, useState } from 'react'
import type { Schedule } from '../../server/users/time-off-requests.ts'
import type { Failure } from '../lib/submit.ts'
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
      <input type="hidden" name="version" value={useVersionSeen(schedule.version, result)} />
      {children}
      <AffectedAppointments affected={affectedIn(result)} />
      <Submit name="intent" value={intent} className="sm:justify-self-start">
        {submit}
      </Submit>
    </Form>
  )
}

/**
 * The version that what stands in a form's boxes belongs to: the one it was opened on, or sent with, although the page may
 * have read a newer one since. Once somebody heard that it is stale, what they send next is meant for the newest.
 */
export function useVersionSeen(newest: number, result: Failure | undefined): number | string {
  const [opened] = useState(newest)
  if (!result) return opened
  return result.refusal?.code === 'aborted'
    ? newest
    : ((result.values as { version?: string }).version ?? newest)
}
