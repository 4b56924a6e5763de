import { type ReactNode, useState } from 'react'
import type { Schedule } from '../../server/users/schedule.ts'
import { Form, type FormResult, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { AffectedAppointments } from './affected.tsx'

type ScheduleFormProps = {
  intent: string
  target?: Readonly<Record<string, string>>
  schedule: Pick<Schedule, 'version'>
  children?: ReactNode
  /** The words on its button. */
  submit: string
}

/** A form of somebody's working time: its fields, then the appointments it would touch, then its button. */
export function ScheduleForm({ intent, target, schedule, children, submit }: ScheduleFormProps) {
  const version = useVersionSeen(schedule.version, useFormResult(intent, target))
  return (
    <Form intent={intent} target={target}>
      <input type="hidden" name="version" value={version} />
      {children}
      <AffectedAppointments />
      <Submit className="sm:justify-self-start">{submit}</Submit>
    </Form>
  )
}

/**
 * The version that what stands in a form's boxes belongs to: the one it was opened on, or sent with, although the page may
 * have read a newer one since. Once somebody heard that it is stale, what they send next is meant for the newest.
 */
export function useVersionSeen(newest: number, result: FormResult | undefined): number | string {
  const [opened] = useState(newest)
  if (!result) return opened
  return result.refusal?.code === 'aborted' ? newest : (result.values.version ?? newest)
}
