import { stepsAfter } from '../../domain/appointments/field-steps.ts'
import type { MoveName } from '../../domain/appointments/transitions.ts'
import type { DraftMove } from './draft.ts'

/** What can be done now: what the server says, or what follows from the last step that waits to be sent. */
export function movesAfter(offered: readonly MoveName[], waiting: readonly DraftMove[]): readonly MoveName[] {
  const last = waiting.at(-1)
  if (!last) return offered
  return last.move === 'submit' ? [] : stepsAfter[last.move]
}
