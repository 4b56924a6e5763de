import type { Actor } from './actor.ts'
import { reviewsPayments } from './payment.ts'
import { refuse } from './refusal.ts'

/** How a movement of the bank stands. */
export const bankLineStates = {
  open: 'Sin pareja',
  settled: 'Pago registrado',
  recorded: 'Ya estaba registrado',
  ignored: 'No es un pago',
} as const
export type BankLineState = keyof typeof bankLineStates

type Move = { from: BankLineState; to: BankLineState }

/** What becomes of a movement: it settles a payment, is one that was recorded before, or is none, which can be taken back. */
const moves = {
  settle: { from: 'open', to: 'settled' },
  tie: { from: 'open', to: 'recorded' },
  ignore: { from: 'open', to: 'ignored' },
  reopen: { from: 'ignored', to: 'open' },
  /** Its payment was taken back: it is looked for anew. */
  free: { from: 'settled', to: 'open' },
  untie: { from: 'recorded', to: 'open' },
} as const satisfies Record<string, Move>
export type BankLineMove = keyof typeof moves

/** Who compares the bank with the payments: whoever reviews these. */
export const reconciles = (actor: Actor) => reviewsPayments(actor)

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

const already: Record<BankLineState, string> = {
  open: 'Ese movimiento vuelve a estar sin pareja.',
  settled: 'Con ese movimiento ya se registró un pago.',
  recorded: 'Ese movimiento ya tiene su pago.',
  ignored: 'Alguien ya dijo que ese movimiento no es un pago.',
}

/** The state a move leads to, or a Refusal that says why not. */
export function bankLineAfter(name: BankLineMove, actor: Actor, state: BankLineState): BankLineState {
  if (!reconciles(actor)) refuse('permission-denied')
  const { from, to } = moves[name]
  if (state !== from) refuse('failed-precondition', already[state])
  return to
}
