import type { AppointmentState } from './appointment.ts'
import type { MoveName, Step } from './transitions.ts'

/**
 * What the assignee can do after a step that the server has not answered yet; a paused appointment is resumed first.
 * Written out so that a phone's form loads without the machine; a test compares it with the machine.
 */
export const stepsAfter: Record<Step, readonly MoveName[]> = {
  setOut: ['start', 'callOff', 'release'],
  start: ['pause', 'finish', 'callOff'],
  pause: ['resume', 'callOff'],
  resume: ['pause', 'finish', 'callOff'],
}

/** Ends an appointment in the field: its sheet, or the form of an end that is none. */
export type End = 'submit' | 'finish' | 'callOff' | 'noShow' | 'release'

/** What leaves an appointment as it stands, or belongs to none: nothing waits for it, and it waits for nothing. */
export type Aside = 'runLate' | 'askTimeOff' | 'withdrawTimeOff'

/** The state after a step or an end; written out for the same reason. */
export const stateAfter: Record<Step | End, AppointmentState> = {
  setOut: 'en_route',
  start: 'in_progress',
  pause: 'paused',
  resume: 'in_progress',
  submit: 'done',
  finish: 'done',
  callOff: 'cancelled',
  noShow: 'no_show',
  release: 'requested',
}

/** Whether a step of the day, after which others follow. */
export const isStep = (move: string): move is Step => Object.hasOwn(stepsAfter, move)

/** Whether nothing follows from it for the steps of a day. */
export const isAside = (move: string): move is Aside => !Object.hasOwn(stateAfter, move)

/** Whether it ends its appointment. */
export const isEnd = (move: string): move is End => Object.hasOwn(stateAfter, move) && !isStep(move)
