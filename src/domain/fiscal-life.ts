import type { Actor } from './actor.ts'
import { refuse } from './refusal.ts'
import { isGeneric } from './rfc.ts'

export const fiscalStateFacts = {
  draft: { label: 'Borrador', tone: 'neutral' },
  submitted: { label: 'En revisión', tone: 'wait' },
  verified: { label: 'Verificados', tone: 'ok' },
  rejected: { label: 'Por corregir', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: 'ok' | 'wait' | 'bad' | 'neutral' }>
export type FiscalState = keyof typeof fiscalStateFacts

/** What a move of somebody's fiscal data is judged by. */
export type FiscalFacts = { state: FiscalState; customerId: string; rfc: string; hasConstancia: boolean }

type Move = {
  from: readonly FiscalState[]
  to: FiscalState
  by: (actor: Actor, facts: FiscalFacts) => boolean
  /** Why it is the wrong moment, in words; null when it is the right one. */
  wrongMoment?: (facts: FiscalFacts) => string | null
}

const itsCustomer = (actor: Actor, { customerId }: FiscalFacts) =>
  actor.role === 'customer' && actor.id === customerId
/** Whoever looks over what customers say to the SAT. */
export const reviewsFiscal = ({ kind }: Actor) => kind === 'manager' || kind === 'analyst'

/** Nobody in particular has none. */
const withoutConstancia = ({ hasConstancia, rfc }: FiscalFacts) =>
  hasConstancia || isGeneric(rfc) ? null : 'Para verificarlos falta la Constancia de Situación Fiscal.'

/** The life of somebody's fiscal data: each move, the states it may leave, and who may make it. */
const fiscalMoves = {
  /** Kept without being sent. */
  keep: { from: ['draft'], to: 'draft', by: itsCustomer },
  /** Any edit of what was sent is looked over again. */
  submit: { from: ['draft', 'submitted', 'verified', 'rejected'], to: 'submitted', by: itsCustomer },
  verify: { from: ['submitted'], to: 'verified', by: reviewsFiscal, wrongMoment: withoutConstancia },
  reject: { from: ['submitted'], to: 'rejected', by: reviewsFiscal },
} satisfies Record<string, Move>
export type FiscalMoveName = keyof typeof fiscalMoves

/** The state a move leads to, or a Refusal that says why not. */
export function fiscalStateAfter(name: FiscalMoveName, actor: Actor, facts: FiscalFacts): FiscalState {
  const move: Move = fiscalMoves[name]
  if (!move.by(actor, facts)) refuse('permission-denied')
  if (!move.from.includes(facts.state))
    refuse(
      'failed-precondition',
      `Su estado es «${fiscalStateFacts[facts.state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
    )
  const wrong = move.wrongMoment?.(facts)
  if (wrong) refuse('failed-precondition', wrong)
  return move.to
}
