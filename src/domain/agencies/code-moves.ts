import { isManager, isSystem, type Mover } from '../access/actor.ts'
import { machine, type TransitionOf } from '../shared/state-machine.ts'
import { type Benefit, type CodeState, endingStates, isCodeOver, isWithin } from './code.ts'

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
/** An ally's, as long as they sell for the agency that they made it for. */
const isOwner = (actor: Mover, { agencyId, ownerId }: CodeFacts) =>
  actor !== 'system' && actor.kind === 'alliate' && actor.id === ownerId && actor.agencyId === agencyId
const ownerOrManager = (actor: Mover, facts: CodeFacts) => isOwner(actor, facts) || isManager(actor)

/** Whether it gives more than its agency may without asking: it waits for the manager. */
export const awaitsApproval = ({ benefit, limit, state }: Pick<CodeFacts, 'benefit' | 'limit' | 'state'>) =>
  state === 'draft' && !isWithin(benefit, limit)

const over = (_: Mover, facts: CodeFacts, now: Date) =>
  isCodeOver(facts, now) ? 'Ya pasó su último día. Crea otro código con fechas nuevas.' : null
const usedUp = (_: Mover, { maxUses, uses }: CodeFacts) =>
  uses < maxUses ? null : 'Ya se usó todas las veces.'
const beyond = (facts: CodeFacts) =>
  awaitsApproval(facts)
    ? 'Su beneficio pasa del límite de la concesionaria: primero lo aprueba la gerencia.'
    : null

/** Why a transition does not leave a state, in words for whoever tried. */
const alreadyWords: Record<CodeState, string> = {
  draft: 'Este código todavía no está activo.',
  active: 'Este código está activo.',
  paused: 'Este código está en pausa.',
  exhausted: 'Este código ya se usó todas las veces.',
  expired: 'Este código ya venció.',
  revoked: 'Este código ya se revocó.',
}

/** The whole life of a code: each transition, the states it may leave, and who may make it. */
export const codeMachine = /* @__PURE__ */ machine<CodeFacts, [now: Date]>()(
  {
    activate: {
      from: ['draft'],
      to: 'active',
      by: ownerOrManager,
      blocked: (actor, facts, now) => over(actor, facts, now) ?? beyond(facts),
    },
    /** The manager is asked for more than the agency may give by itself. */
    ask: {
      from: ['draft'],
      to: 'draft',
      by: isOwner,
      blocked: (actor, facts, now) =>
        over(actor, facts, now) ??
        (awaitsApproval(facts) ? null : 'No necesita aprobación: ya puedes activarlo.'),
    },
    /** The manager says yes to more than the agency's limit, and it works from then on. */
    approve: { from: ['draft'], to: 'active', by: isManager, blocked: over },
    refuse: { from: ['draft'], to: 'revoked', by: isManager },
    pause: { from: ['active'], to: 'paused', by: ownerOrManager },
    resume: { from: ['paused'], to: 'active', by: ownerOrManager, blocked: over },
    /** For good. Whoever used it keeps what it gave. */
    revoke: { from: [...endingStates, 'exhausted'], to: 'revoked', by: ownerOrManager },
    exhaust: {
      from: ['active'],
      to: 'exhausted',
      by: isSystem,
      blocked: (actor, facts) => (usedUp(actor, facts) ? null : 'Todavía le quedan usos.'),
    },
    expire: {
      from: endingStates,
      to: 'expired',
      by: isSystem,
      blocked: (_, facts, now) => (isCodeOver(facts, now) ? null : 'Todavía no pasa su último día.'),
    },
    /** A use that did not count is free again. */
    giveBack: { from: ['exhausted'], to: 'active', by: isSystem, blocked: usedUp },
  },
  (state) => alreadyWords[state],
)
export type CodeMoveName = TransitionOf<typeof codeMachine>
