import { isHard, type Reason, reasonWords } from '../../domain/scheduling/eligibility.ts'
import { refuse } from '../../domain/shared/refusal.ts'

/** Ends a manager's choice that rules are against: the hard ones always, the soft ones unless a reason is written. */
export function mindRules(against: readonly Reason[], overrideReason: string | null | undefined) {
  if (against.some(isHard)) refuse('failed-precondition', `No se puede: ${inWords(against.filter(isHard))}.`)
  if (against.length > 0 && !overrideReason)
    refuse('failed-precondition', `${inWords(against)}. Para hacerlo de todos modos, escribe el motivo.`, {
      errors: { overrideReason: 'Escribe por qué lo haces de todos modos.' },
    })
}

const inWords = (reasons: readonly Reason[]) => reasons.map(reasonWords).join('; ')
