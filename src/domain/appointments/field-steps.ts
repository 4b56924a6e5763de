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
