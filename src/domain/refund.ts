import type { Actor } from './actor.ts'
import { refuse } from './refusal.ts'

export const refundStateFacts = {
  requested: { label: 'Solicitado', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'info' },
  paid: { label: 'Pagado', tone: 'ok' },
  refused: { label: 'No procede', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: 'ok' | 'wait' | 'info' | 'bad' | 'neutral' }>
export type RefundState = keyof typeof refundStateFacts

export type RefundMover = Actor | 'system'
type Move = { from: readonly RefundState[]; to: RefundState; by: (mover: RefundMover) => boolean }

const isManager = (mover: RefundMover) => mover !== 'system' && mover.kind === 'manager'

/** The whole life of a refund once it is asked for. */
export const refundMoves = {
  approve: { from: ['requested'], to: 'approved', by: isManager },
  refuse: { from: ['requested', 'approved'], to: 'refused', by: isManager },
  /** The cards' provider may say so, too. */
  pay: { from: ['approved'], to: 'paid', by: (mover) => isManager(mover) || mover === 'system' },
  /** The cards' provider refused it: it has to go back in another way. */
  reopen: { from: ['approved'], to: 'requested', by: (mover) => mover === 'system' },
} as const satisfies Record<string, Move>
export type RefundMoveName = keyof typeof refundMoves

/** The state a move leads to, or a Refusal that says why not. */
export function refundStateAfter(name: RefundMoveName, mover: RefundMover, state: RefundState): RefundState {
  const move: Move = refundMoves[name]
  if (!move.by(mover)) refuse('permission-denied')
  if (!move.from.includes(state))
    refuse('failed-precondition', `Este reembolso ya está ${refundStateFacts[state].label.toLowerCase()}.`)
  return move.to
}

/** Whether somebody may make a move. */
export const canRefund = (name: RefundMoveName, mover: RefundMover, state: RefundState) =>
  refundMoves[name].by(mover) && (refundMoves[name].from as readonly RefundState[]).includes(state)
