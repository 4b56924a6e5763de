import type { Actor } from '../access/rules/actor.ts'
import { followed } from '../platform/follows.ts'
import type { AppointmentRow } from './transition.ts'

/** An appointment is at another time, or back at its former one. */
export const appointmentMoved = followed<{ appointment: AppointmentRow; now: Date }>('appointment moved')

/** Work begins on site. `ticked`: the risks checked with that step. */
export const appointmentBegun = followed<{
  actor: Actor
  appointment: AppointmentRow
  ticked: readonly string[]
  now: Date
}>('appointment begun')

/** It ended without its aim, for a reason. */
export const appointmentUnfinished = followed<{
  appointment: AppointmentRow
  reason: 'half_done' | 'not_possible'
}>('appointment unfinished')

/** Its customer was absent. A follow adds what the form lacks to `errors`, by field, and the form is refused. */
export const customerAbsent = followed<{
  actor: Actor
  appointment: AppointmentRow
  errors: Record<string, string>
}>('customer absent')
