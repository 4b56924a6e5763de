import type { AppointmentState } from './appointment.ts'
import type { MoveName, Step } from './transitions.ts'

/**
 * What the assignee can do after a step that the server has not answered yet; a paused appointment is resumed first.
 * Written out so that a phone's form loads without the machine; a test compares it with the machine.
 */
export const stepsAfter: Record<Step, readonly MoveName[]> = {
  setOut: ['start'],
  start: ['pause', 'finish'],
  pause: ['resume'],
  resume: ['pause', 'finish'],
}

/** The state after a step, or after the sheet that ends it was handed in; written out for the same reason. */
export const stateAfter: Record<Step | 'submit', AppointmentState> = {
  setOut: 'en_route',
  start: 'in_progress',
  pause: 'paused',
  resume: 'in_progress',
  submit: 'done',
}
