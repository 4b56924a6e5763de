import type { MoveName, Step } from './transitions.ts'

/** What its assignee can do after a step that the server has not answered yet; what is paused is resumed first. It is written out
 * so that a phone's form loads without the machine, and compared with it by a test. */
export const stepsAfter: Record<Step, readonly MoveName[]> = {
  setOut: ['start'],
  start: ['pause', 'finish'],
  pause: ['resume'],
  resume: ['pause', 'finish'],
}
