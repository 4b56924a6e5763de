import { type Consequence, consequenceWords, isSure, type Sure } from '../../domain/payments/payment.ts'
import { Refusal } from '../../domain/shared/refusal.ts'

/** What a form is asked that has to say its amount again: `twice`, by typing it. */
export type ToConfirm = { amount: number; twice: boolean }

/** Refuses an amount whose consequence nobody has confirmed yet, in words that say it; the form answers by a second press. */
export function demandSure(consequence: Consequence | null, amount: number, sure: Sure): void {
  if (!consequence || isSure(consequence, amount, sure)) return
  const twice = consequence.kind === 'over'
  const confirm: ToConfirm = { amount, twice }
  const again = twice && sure.again !== null && { errors: { again: 'No es la misma cantidad.' } }
  throw new Refusal('failed-precondition', {
    title: 'Revisa la cantidad',
    description: consequenceWords(consequence),
    details: { confirm, ...again },
  })
}
