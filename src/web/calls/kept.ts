import type { Notes } from '../../server/calls/notes.ts'
import type { Failure } from '../lib/submit.ts'

/** The answer of a form of the screen of a call; nothing when the server could not be heard. */
export type CallAnswer = Failure | { kept: number } | null | undefined

/** What a form hears that was not accepted. */
export const failureIn = (answer: CallAnswer): Failure | undefined =>
  answer && 'errors' in answer ? answer : undefined

/** What came of keeping notes: their version, what somebody else wrote meanwhile, a refusal in words, or nothing heard. */
export type Kept = { version: number } | { theirs: Notes } | { refused: string } | 'unheard'

export function keptIn(answer: CallAnswer): Kept {
  if (!answer) return 'unheard'
  if ('kept' in answer) return { version: answer.kept }
  const theirs = theirsIn(answer)
  if (theirs) return { theirs }
  if (answer.errors.notes) return { refused: answer.errors.notes }
  return answer.refusal?.code === 'permission-denied' ? { refused: answer.refusal.description } : 'unheard'
}

/** The notes that somebody else wrote in the meantime. */
export const theirsIn = ({ refusal }: Failure): Notes | null =>
  refusal?.code === 'aborted' ? (refusal.details as Notes) : null
