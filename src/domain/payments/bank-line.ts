import { refuse } from '../shared/refusal.ts'
import { machine, type TransitionOf } from '../shared/state-machine.ts'
import { reviewsPayments } from './payment.ts'

/** How a movement of the bank stands. */
export const bankLineStates = {
  open: 'Sin pareja',
  settled: 'Pago registrado',
  recorded: 'Ya estaba registrado',
  ignored: 'No es un pago',
} as const
export type BankLineState = keyof typeof bankLineStates

/** Who compares the bank with the payments: whoever reviews these. */
export const reconciles = reviewsPayments

const alreadyWords: Record<BankLineState, string> = {
  open: 'Ese movimiento vuelve a estar sin pareja.',
  settled: 'Con ese movimiento ya se registró un pago.',
  recorded: 'Ese movimiento ya tiene su pago.',
  ignored: 'Alguien ya dijo que ese movimiento no es un pago.',
}

/** What becomes of a movement: it settles a payment, is one that was recorded before, or is none, which can be taken back. */
export const bankLineMachine = /* @__PURE__ */ machine<{ state: BankLineState }>()(
  {
    settle: { from: ['open'], to: 'settled', by: reconciles },
    tie: { from: ['open'], to: 'recorded', by: reconciles },
    ignore: { from: ['open'], to: 'ignored', by: reconciles },
    reopen: { from: ['ignored'], to: 'open', by: reconciles },
    /** Its payment was taken back: it is looked for anew. */
    free: { from: ['settled'], to: 'open', by: reconciles },
    untie: { from: ['recorded'], to: 'open', by: reconciles },
  },
  (state) => alreadyWords[state],
)
export type BankLineMove = TransitionOf<typeof bankLineMachine>

/** A file may be taken back as long as nobody said anything of its movements. */
export function demandUndecided(states: readonly BankLineState[]): void {
  if (states.some((state) => state === 'settled' || state === 'recorded'))
    refuse('failed-precondition', 'Un movimiento de este archivo ya es un pago, así que su lectura se queda.')
  if (states.includes('ignored'))
    refuse(
      'failed-precondition',
      'Alguien quitó de la lista movimientos de este archivo. Regrésalos a ella y vuelve a intentarlo.',
    )
}
