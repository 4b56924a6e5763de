import { isItsCustomer, isOffice, type Mover } from '../access/actor.ts'
import { machine, type StateFacts } from '../shared/state-machine.ts'
import { isGeneric } from './rfc.ts'

export const fiscalStateFacts = {
  draft: { label: 'Borrador', tone: 'neutral' },
  submitted: { label: 'En revisión', tone: 'wait' },
  verified: { label: 'Verificados', tone: 'ok' },
  rejected: { label: 'Por corregir', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type FiscalState = keyof typeof fiscalStateFacts
const fiscalStates = Object.keys(fiscalStateFacts) as FiscalState[]

/** What a move of somebody's fiscal data is judged by. */
export type FiscalFacts = { state: FiscalState; customerId: string; rfc: string; hasConstancia: boolean }

/** Whoever looks over what customers say to the SAT. */
export const reviewsFiscal = isOffice

/** Nobody in particular has none. */
const withoutConstancia = (_: Mover, { hasConstancia, rfc }: FiscalFacts) =>
  hasConstancia || isGeneric(rfc) ? null : 'Para verificarlos falta la Constancia de Situación Fiscal.'

/** The life of somebody's fiscal data: each transition, the states it may leave, and who may make it. */
export const fiscalMachine = /* @__PURE__ */ machine<FiscalFacts>()(
  {
    /** Kept without being sent. */
    keep: { from: ['draft'], to: 'draft', by: isItsCustomer },
    /** Any edit of what was sent is looked over again. */
    submit: { from: fiscalStates, to: 'submitted', by: isItsCustomer },
    verify: { from: ['submitted'], to: 'verified', by: reviewsFiscal, blocked: withoutConstancia },
    reject: { from: ['submitted'], to: 'rejected', by: reviewsFiscal },
  },
  (state) =>
    `Su estado es «${fiscalStateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
)
