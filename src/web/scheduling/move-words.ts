import { isBarred, type Verdict } from '../../domain/scheduling/board.ts'
import { isHard, reasonWords } from '../../domain/scheduling/eligibility.ts'

/** What is against a move, in words; those that nobody can set aside first. */
export const verdictWords = ({ past, reasons }: Verdict): string[] => [
  ...(past ? ['Esa hora ya pasó'] : []),
  ...reasons.toSorted((a, b) => Number(isHard(b)) - Number(isHard(a))).map(reasonWords),
]

/** How a move is judged: it can be made, with a reason, or not at all. */
export const verdictTitle = (verdict: Verdict) =>
  isBarred(verdict) ? 'No se puede' : verdict.reasons.length > 0 ? 'Se puede con un motivo' : 'Puede tomarla'

export const verdictTone = (verdict: Verdict) =>
  isBarred(verdict) ? 'bad' : verdict.reasons.length > 0 ? 'wait' : 'ok'
