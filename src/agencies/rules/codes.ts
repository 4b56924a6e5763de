import { isAlly, isManager, isSystem, type Mover } from '../../access/rules/actor.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { money, percent } from '../../shared/format.ts'
import { machine, type TransitionOf } from '../../shared/state-machine.ts'
import type { BenefitKind } from './agency.ts'

export const codeStates = {
  draft: 'Borrador',
  active: 'Activo',
  paused: 'En pausa',
  exhausted: 'Agotado',
  expired: 'Vencido',
  revoked: 'Revocado',
} as const
export type CodeState = keyof typeof codeStates

/** The benefit of a code: `value` in hundredths of a percent, or in centavos before IVA. */
export type Benefit =
  | { kind: Extract<BenefitKind, 'none' | 'free_visit'> }
  | { kind: Extract<BenefitKind, 'percent' | 'amount'>; value: number }

/** A benefit from its two columns. */
export const benefitFrom = ({ kind, value }: { kind: BenefitKind; value: number }): Benefit =>
  kind === 'percent' || kind === 'amount' ? { kind, value } : { kind }

/** "10 % de descuento", "$1,000.00 de descuento antes de IVA", "Visita técnica gratis". */
export function benefitWords(benefit: Benefit): string {
  switch (benefit.kind) {
    case 'none':
      return 'Sin beneficio'
    case 'percent':
      return `${percent(benefit.value)} de descuento`
    case 'amount':
      return `${money(benefit.value)} de descuento antes de IVA`
    case 'free_visit':
      return 'Visita técnica gratis'
  }
}

/**
 * Whether an agency's limit allows a benefit; only the manager gives more. A limit of one kind does not allow another
 * kind.
 */
export function isWithin(benefit: Benefit, limit: Benefit): boolean {
  if (benefit.kind === 'none') return true
  if (benefit.kind !== limit.kind) return false
  return 'value' in benefit && 'value' in limit ? benefit.value <= limit.value : true
}

/** The local date of the moment, in Mexico City. */
const today = (now: Date) => localDate(toMinutes(now))

/** Whether a code's last day is over. */
const isCodeOver = ({ endsOn }: { endsOn: string | null }, now: Date) =>
  endsOn !== null && endsOn < today(now)

/** The states that expire with a code's last day. */
export const endingStates = ['draft', 'active', 'paused'] as const satisfies readonly CodeState[]

/** The final states. */
export const endedCodeStates = ['expired', 'revoked'] as const satisfies readonly CodeState[]

/** The state of a code: one past its last day counts as expired, even before it is stored so. */
export const codeStateBy = (
  { endsOn, state }: { state: CodeState; endsOn: string | null },
  now: Date,
): CodeState => (endingStates.some((one) => one === state) && isCodeOver({ endsOn }, now) ? 'expired' : state)

/** The filters of a list of codes, as its address holds them. */
export type CodeFilters = { text?: string; state?: CodeState }

/** The facts that a transition of a code is judged by. */
export type CodeFacts = {
  state: CodeState
  ownerId: string
  agencyId: string
  benefit: Benefit
  /** The most that its agency's allies may give without approval. */
  limit: Benefit
  /** Its last day in Mexico City, as 2026-12-31; null where it has none. */
  endsOn: string | null
  uses: number
  maxUses: number
}

/** The ally who made it, as long as they sell for the same agency. */
const isOwner = (actor: Mover, { agencyId, ownerId }: CodeFacts) =>
  actor !== 'system' && isAlly(actor) && actor.id === ownerId && actor.agencyId === agencyId
const ownerOrManager = (actor: Mover, facts: CodeFacts) => isOwner(actor, facts) || isManager(actor)

/** Whether it gives more than its agency's limit and waits for the manager's approval. */
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

/** Who approves a code that gives more than its agency's limit. */
export const approvesCodes = isManager

/** Why a transition does not leave a state, in words for the actor. */
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
    /** Asks the manager to approve more than the agency's limit. */
    ask: {
      from: ['draft'],
      to: 'draft',
      by: isOwner,
      blocked: (actor, facts, now) =>
        over(actor, facts, now) ??
        (awaitsApproval(facts) ? null : 'No necesita aprobación: ya puedes activarlo.'),
    },
    /** The manager approves more than the agency's limit; the code is active from then on. */
    approve: { from: ['draft'], to: 'active', by: approvesCodes, blocked: over },
    refuse: { from: ['draft'], to: 'revoked', by: approvesCodes },
    pause: { from: ['active'], to: 'paused', by: ownerOrManager },
    resume: { from: ['paused'], to: 'active', by: ownerOrManager, blocked: over },
    /** Final. A customer who used the code keeps its benefit. */
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
    /** A use that did not count becomes available again. */
    giveBack: { from: ['exhausted'], to: 'active', by: isSystem, blocked: usedUp },
  },
  (state) => alreadyWords[state],
)
export type CodeMoveName = TransitionOf<typeof codeMachine>

/** The code in typed text or a link, in capitals: 6 to 12 characters of A-Z and 2-9 without I and O, or null. Spaces and hyphens are ignored. */
export function referralCodeIn(typed: string | null): string | null {
  const code = typed?.slice(0, 100).replace(/[\s-]/g, '').toUpperCase() ?? ''
  return /^[A-HJ-NP-Z2-9]{6,12}$/.test(code) ? code : null
}
