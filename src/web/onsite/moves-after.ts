import type { MoveName } from '../../domain/moves.ts'
import type { DraftMove } from './draft.ts'

/** What can be done next once a move was made on the phone, before the server has heard of it. */
const next: Record<DraftMove['move'], readonly MoveName[]> = {
  setOut: ['start'],
  start: ['pause', 'finish'],
  pause: ['resume'],
  resume: ['pause', 'finish'],
  submit: [],
}

/** What can be done now: what the server says, or what follows from the last move that waits to be sent. */
export function movesAfter(offered: readonly MoveName[], waiting: readonly DraftMove[]): readonly MoveName[] {
  const last = waiting.at(-1)
  return last ? next[last.move] : offered
}
