import { isManager, isSystem, type Mover } from '../access/actor.ts'
import { machine, type TransitionOf } from '../shared/state-machine.ts'
import {
  type CaseKind,
  type CaseState,
  caseStateFacts,
  isOpenCase,
  isUnfiled,
  openCaseStates,
} from './cfe-case.ts'

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

/** Whether somebody works on a case: who handles it, any gester where nobody does yet, or the manager. */
export const worksOn = (actor: Mover, { gesterId }: Pick<CaseFacts, 'gesterId'>) =>
  isManager(actor) ||
  (actor !== 'system' && actor.kind === 'gester' && (gesterId === null || gesterId === actor.id))

const incomplete = (_: Mover, { unvalidated }: CaseFacts) =>
  unvalidated === 0
    ? null
    : `Falta${unvalidated === 1 ? '' : 'n'} ${unvalidated} documento${unvalidated === 1 ? '' : 's'} por validar.`

/** A change of name has its new contract and no other meter. */
const meterMissing = (_: Mover, { kind, state }: CaseFacts) =>
  state === 'contract_signed' && kind !== 'name_change' ? 'Falta que CFE instale el medidor.' : null
const noMeter = (_: Mover, { kind }: CaseFacts) =>
  kind === 'name_change' ? 'Un cambio de nombre no lleva medidor: conclúyelo.' : null

const withCfe = ['filed', 'inspection', 'observed', 'corrected'] as const satisfies readonly CaseState[]
const running = openCaseStates.filter((state) => state !== 'on_hold')

/** The whole life of a case with CFE: each transition, the states it may leave, and who may make it. */
export const caseMachine = /* @__PURE__ */ machine<CaseFacts>()(
  {
    complete: { from: ['gathering'], to: 'ready_to_file', by: worksOn, blocked: incomplete },
    reopen: { from: ['ready_to_file'], to: 'gathering', by: worksOn },
    file: { from: ['ready_to_file'], to: 'filed', by: worksOn, blocked: incomplete },
    inspect: { from: ['filed', 'corrected'], to: 'inspection', by: worksOn },
    observe: { from: ['inspection'], to: 'observed', by: worksOn },
    correct: { from: ['observed'], to: 'corrected', by: worksOn },
    approve: { from: ['inspection'], to: 'approved', by: worksOn },
    sign: { from: ['approved'], to: 'contract_signed', by: worksOn },
    installMeter: { from: ['contract_signed'], to: 'meter_installed', by: worksOn, blocked: noMeter },
    close: { from: ['meter_installed', 'contract_signed'], to: 'closed', by: worksOn, blocked: meterMissing },
    hold: { from: running, to: 'on_hold', by: worksOn },
    /** Back to where it was before its pause. */
    resume: { from: ['on_hold'], to: ({ heldFrom }) => heldFrom ?? 'gathering', by: worksOn },
    reject: { from: withCfe, to: 'rejected', by: worksOn },
    cancel: {
      from: openCaseStates,
      to: 'cancelled',
      // By itself, only what nobody handed in.
      by: (actor, facts) => worksOn(actor, facts) || (isSystem(actor) && isUnfiled(facts.state)),
    },
  },
  (state) =>
    `El trámite está «${caseStateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
)
export type CaseMoveName = TransitionOf<typeof caseMachine>

/** How the buttons of the transitions are called. */
export const caseMoveLabels: Record<CaseMoveName, string> = {
  complete: 'Expediente completo',
  reopen: 'Volver a reunir documentos',
  file: 'Ingresar en CFE',
  inspect: 'CFE lo revisa',
  observe: 'CFE hizo observaciones',
  correct: 'Ya se corrigió',
  approve: 'CFE lo aprobó',
  sign: 'El contrato quedó firmado',
  installMeter: 'CFE instaló el medidor',
  close: 'Concluir trámite',
  hold: 'Poner en pausa',
  resume: 'Reanudar',
  reject: 'CFE lo rechazó',
  cancel: 'Cancelar trámite',
}

const withReason: readonly CaseMoveName[] = ['observe', 'hold', 'reject', 'cancel']
/** Whether a transition has to be said a reason for. */
export const needsReason = (name: CaseMoveName) => withReason.includes(name)

/** Whether papers of a case are taken in and looked over: until it is with CFE, and while CFE wants something corrected. */
export const takesPapers = (state: CaseState) =>
  isOpenCase(state) && (isUnfiled(state) || state === 'observed')
