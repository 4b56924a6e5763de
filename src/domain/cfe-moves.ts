import type { Actor } from './actor.ts'
import { type CaseKind, type CaseState, caseStateFacts, isOpenCase, openCaseStates } from './cfe-case.ts'
import { refuse } from './refusal.ts'

/** What a move of a case is judged by. */
export type CaseFacts = {
  state: CaseState
  kind: CaseKind
  /** Where it was before it was put on hold. */
  heldFrom: CaseState | null
  /** Who handles it; null where nobody does yet. */
  gesterId: string | null
  /** How many of its papers are not validated. */
  unvalidated: number
}

export type CaseMover = Pick<Actor, 'id' | 'kind'> | 'system'

type Move = {
  label: string
  from: readonly CaseState[]
  /** `held` is the state it was in before its pause. */
  to: CaseState | 'held'
  /** Whether it has to be said why. */
  because?: true
  /** Why it is the wrong moment, in words; null when it is the right one. */
  wrongMoment?: (facts: CaseFacts) => string | null
}

/** Whether somebody works on a case: who handles it, any gester where nobody does yet, or the manager. */
export const worksOn = (mover: CaseMover, { gesterId }: Pick<CaseFacts, 'gesterId'>) =>
  mover !== 'system' &&
  (mover.kind === 'manager' || (mover.kind === 'gester' && (gesterId === null || gesterId === mover.id)))

const incomplete = ({ unvalidated }: CaseFacts) =>
  unvalidated === 0
    ? null
    : `Falta${unvalidated === 1 ? '' : 'n'} ${unvalidated} documento${unvalidated === 1 ? '' : 's'} por validar.`

/** A change of name has its new contract and no other meter. */
const meterMissing = ({ kind, state }: CaseFacts) =>
  state === 'contract_signed' && kind !== 'name_change' ? 'Falta que CFE instale el medidor.' : null
const noMeter = ({ kind }: CaseFacts) =>
  kind === 'name_change' ? 'Un cambio de nombre no lleva medidor: conclúyelo.' : null

const withCfe = ['filed', 'inspection', 'observed', 'corrected'] as const satisfies readonly CaseState[]
const running = openCaseStates.filter((state) => state !== 'on_hold')

/** The whole life of a case with CFE: each move and the states it may leave. Who works on the case may make any of them. */
const caseMoves = {
  complete: {
    ...{ label: 'Expediente completo', from: ['gathering'], to: 'ready_to_file' },
    wrongMoment: incomplete,
  },
  reopen: { label: 'Volver a reunir documentos', from: ['ready_to_file'], to: 'gathering' },
  file: {
    ...{ label: 'Ingresar en CFE', from: ['ready_to_file'], to: 'filed' },
    wrongMoment: incomplete,
  },
  inspect: { label: 'CFE lo revisa', from: ['filed', 'corrected'], to: 'inspection' },
  observe: { label: 'CFE hizo observaciones', from: ['inspection'], to: 'observed', because: true },
  correct: { label: 'Ya se corrigió', from: ['observed'], to: 'corrected' },
  approve: { label: 'CFE lo aprobó', from: ['inspection'], to: 'approved' },
  sign: { label: 'El contrato quedó firmado', from: ['approved'], to: 'contract_signed' },
  installMeter: {
    ...{ label: 'CFE instaló el medidor', from: ['contract_signed'], to: 'meter_installed' },
    wrongMoment: noMeter,
  },
  close: {
    ...{ label: 'Concluir trámite', from: ['meter_installed', 'contract_signed'], to: 'closed' },
    wrongMoment: meterMissing,
  },
  hold: { label: 'Poner en pausa', from: running, to: 'on_hold', because: true },
  resume: { label: 'Reanudar', from: ['on_hold'], to: 'held' },
  reject: { label: 'CFE lo rechazó', from: withCfe, to: 'rejected', because: true },
  cancel: { label: 'Cancelar trámite', from: openCaseStates, to: 'cancelled', because: true },
} as const satisfies Record<string, Move>
export type CaseMoveName = keyof typeof caseMoves
export const caseMoveNames = Object.keys(caseMoves) as CaseMoveName[]
export const caseMoveLabels = Object.fromEntries(
  caseMoveNames.map((name) => [name, caseMoves[name].label]),
) as Record<CaseMoveName, string>

const moveOf = (name: CaseMoveName): Move => caseMoves[name]
/** Whether a move has to be said a reason for. */
export const needsReason = (name: CaseMoveName) => moveOf(name).because === true

/** The state a move leads to, or a Refusal that says why not. The system only ever cancels what nobody handed in. */
export function caseStateAfter(name: CaseMoveName, mover: CaseMover, facts: CaseFacts): CaseState {
  const { from, to, wrongMoment } = moveOf(name)
  const isOurs = mover === 'system' && name === 'cancel' && isUnfiled(facts.state)
  if (!isOurs && !worksOn(mover, facts)) refuse('permission-denied')
  if (!from.includes(facts.state))
    refuse(
      'failed-precondition',
      `El trámite está «${caseStateFacts[facts.state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
    )
  const wrong = wrongMoment?.(facts)
  if (wrong) refuse('failed-precondition', wrong)
  return to === 'held' ? (facts.heldFrom ?? 'gathering') : to
}

/** Whether nothing of a case is with CFE yet. */
export const isUnfiled = (state: CaseState) => state === 'gathering' || state === 'ready_to_file'

/** The moves that somebody may make now. */
export const openCaseMoves = (mover: CaseMover, facts: CaseFacts): CaseMoveName[] =>
  worksOn(mover, facts)
    ? caseMoveNames.filter((name) => {
        const { from, wrongMoment } = moveOf(name)
        return from.includes(facts.state) && !wrongMoment?.(facts)
      })
    : []

/** Whether papers of a case are taken in and looked over: until it is with CFE, and while CFE wants something corrected. */
export const takesPapers = (state: CaseState) =>
  isOpenCase(state) && (isUnfiled(state) || state === 'observed')
