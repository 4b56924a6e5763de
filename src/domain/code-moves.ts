import type { Actor } from './actor.ts'
import { type Benefit, type CodeState, endingStates, isCodeOver, isWithin } from './code.ts'
import { refuse } from './refusal.ts'

/** What a move of a code is judged by. */
export type CodeFacts = {
  state: CodeState
  ownerId: string
  agencyId: string
  benefit: Benefit
  /** The most its agency's allies may give without asking. */
  limit: Benefit
  /** Its last day in Mexico City, as 2026-12-31; null where it has none. */
  endsOn: string | null
  uses: number
  maxUses: number
}
export type CodeMover = Actor | 'system'

type Move = {
  from: readonly CodeState[]
  to: CodeState
  by: (mover: CodeMover, facts: CodeFacts) => boolean
  /** Why it can't be made now, in words for the mover; null when it can. */
  wrongMoment?: (facts: CodeFacts, now: Date) => string | null
}

const isManager = (mover: CodeMover) => mover !== 'system' && mover.kind === 'manager'
const isSystem = (mover: CodeMover) => mover === 'system'
/** An ally's, as long as they sell for the agency that they made it for. */
const isOwner = (mover: CodeMover, { agencyId, ownerId }: CodeFacts) =>
  mover !== 'system' && mover.kind === 'alliate' && mover.id === ownerId && mover.agencyId === agencyId
const ownerOrManager = (mover: CodeMover, facts: CodeFacts) => isOwner(mover, facts) || isManager(mover)

/** Whether it gives more than its agency may without asking: it waits for the manager. */
export const awaitsApproval = ({ benefit, limit, state }: Pick<CodeFacts, 'benefit' | 'limit' | 'state'>) =>
  state === 'draft' && !isWithin(benefit, limit)

const over = (facts: CodeFacts, now: Date) =>
  isCodeOver(facts, now) ? 'Ya pasó su último día. Crea otro código con fechas nuevas.' : null
const usedUp = ({ maxUses, uses }: CodeFacts) => (uses < maxUses ? null : 'Ya se usó todas las veces.')
const beyond = (facts: CodeFacts) =>
  awaitsApproval(facts)
    ? 'Su beneficio pasa del límite de la concesionaria: primero lo aprueba la gerencia.'
    : null

/** The whole life of a code: each move, the states it may leave, and who may make it. */
export const codeMoves = {
  activate: {
    from: ['draft'],
    to: 'active',
    by: ownerOrManager,
    wrongMoment: (facts, now) => over(facts, now) ?? beyond(facts),
  },
  /** The manager is asked for more than the agency may give by itself. */
  ask: {
    from: ['draft'],
    to: 'draft',
    by: isOwner,
    wrongMoment: (facts, now) =>
      over(facts, now) ?? (awaitsApproval(facts) ? null : 'No necesita aprobación: ya puedes activarlo.'),
  },
  /** The manager says yes to more than the agency's limit, and it works from then on. */
  approve: { from: ['draft'], to: 'active', by: isManager, wrongMoment: over },
  refuse: { from: ['draft'], to: 'revoked', by: isManager },
  pause: { from: ['active'], to: 'paused', by: ownerOrManager },
  resume: { from: ['paused'], to: 'active', by: ownerOrManager, wrongMoment: over },
  /** For good. Whoever used it keeps what it gave. */
  revoke: { from: ['draft', 'active', 'paused', 'exhausted'], to: 'revoked', by: ownerOrManager },
  exhaust: {
    from: ['active'],
    to: 'exhausted',
    by: isSystem,
    wrongMoment: (facts) => (usedUp(facts) ? null : 'Todavía le quedan usos.'),
  },
  expire: {
    from: endingStates,
    to: 'expired',
    by: isSystem,
    wrongMoment: (facts, now) => (isCodeOver(facts, now) ? null : 'Todavía no pasa su último día.'),
  },
  /** A use that did not count is free again. */
  giveBack: { from: ['exhausted'], to: 'active', by: isSystem, wrongMoment: usedUp },
} as const satisfies Record<string, Move>
export type CodeMoveName = keyof typeof codeMoves

/** Why a state can't be left by a move, in words for whoever tried. */
const alreadyWords: Record<CodeState, string> = {
  draft: 'Este código todavía no está activo.',
  active: 'Este código está activo.',
  paused: 'Este código está en pausa.',
  exhausted: 'Este código ya se usó todas las veces.',
  expired: 'Este código ya venció.',
  revoked: 'Este código ya se revocó.',
}

/** The state a move leads to, or a Refusal that says why not. The server asks this before it writes; `canCode` asks for the screens. */
export function codeStateAfter(name: CodeMoveName, mover: CodeMover, facts: CodeFacts, now: Date): CodeState {
  const move: Move = codeMoves[name]
  if (!move.by(mover, facts)) refuse('permission-denied')
  if (!move.from.includes(facts.state)) refuse('failed-precondition', alreadyWords[facts.state])
  const wrong = move.wrongMoment?.(facts, now)
  if (wrong) refuse('failed-precondition', wrong)
  return move.to
}

/** Whether somebody may make a move now. */
export function canCode(name: CodeMoveName, mover: CodeMover, facts: CodeFacts, now: Date): boolean {
  const move: Move = codeMoves[name]
  return move.by(mover, facts) && move.from.includes(facts.state) && !move.wrongMoment?.(facts, now)
}
