import type { Answers } from '../../reports/rules/report.ts'
import type { StateFacts } from '../../shared/state-machine.ts'
import type { CaseKind, Corrector } from './case.ts'

/** The papers of a case, in the order they are requested, and who provides them. */
export const casePaperFacts = {
  official_id: { label: 'Identificación oficial del titular', from: 'customer' },
  bill: { label: 'Recibo de CFE sin adeudo', from: 'customer' },
  constancia: { label: 'Constancia de Situación Fiscal', from: 'customer' },
  property: { label: 'Escritura, predial o contrato de arrendamiento', from: 'customer' },
  power: { label: 'Carta poder firmada', from: 'customer' },
  condominium_permit: { label: 'Permiso del condominio', from: 'customer' },
  sketch: { label: 'Croquis de localización', from: 'gester' },
  charger_sheet: { label: 'Ficha técnica del cargador', from: 'gester' },
  uvie_report: { label: 'Dictamen de la UVIE', from: 'gester' },
  feasibility: { label: 'Solicitud de factibilidad', from: 'gester' },
  // What CFE asks for and no case needs by itself: the row says its name and who provides it.
  other_1: { label: 'Otro documento', from: 'gester' },
  other_2: { label: 'Otro documento', from: 'gester' },
  other_3: { label: 'Otro documento', from: 'gester' },
  // What proves the last step.
  meter_photo: { label: 'Foto del medidor', from: 'gester' },
} as const satisfies Record<string, { label: string; from: 'customer' | 'gester' }>
export type CasePaperName = keyof typeof casePaperFacts
export const casePaperNames = Object.keys(casePaperFacts) as CasePaperName[]

/** Who provides a paper. */
export type PaperGiver = 'customer' | 'gester'

/** What a stored paper adds to the facts of its name: a name of its own, and from whom CFE asked it. */
type AskedPaper = { name: CasePaperName; label: string | null; askedFrom: PaperGiver | null }

export const paperLabel = ({ label, name }: Pick<AskedPaper, 'label' | 'name'>): string =>
  label ?? casePaperFacts[name].label

/** Who provides a paper of a case. */
export const paperFrom = ({ askedFrom, name }: Pick<AskedPaper, 'askedFrom' | 'name'>): PaperGiver =>
  askedFrom ?? casePaperFacts[name].from

const others: readonly CasePaperName[] = ['other_1', 'other_2', 'other_3']
const known = casePaperNames.filter((name) => !others.includes(name) && name !== 'meter_photo')

/** What can be asked for beside what a case needs by itself: a paper that CFE knows, or another by its name. */
export const askableLabels = {
  ...Object.fromEntries(known.map((name) => [name, casePaperFacts[name].label])),
  other: 'Otro',
} as Record<Exclude<CasePaperName, `other_${number}` | 'meter_photo'> | 'other', string>
export type AskablePaper = keyof typeof askableLabels

/** The name under which a paper that is asked for is stored; null where the case has it, or no place for another. */
export function askedName(asked: AskablePaper, awaited: readonly CasePaperName[]): CasePaperName | null {
  const names = asked === 'other' ? others : [asked]
  return names.find((name) => !awaited.includes(name)) ?? null
}

export const paperStateFacts = {
  pending: { label: 'Falta', tone: 'wait' },
  received: { label: 'Por revisar', tone: 'info' },
  validated: { label: 'Validado', tone: 'ok' },
  rejected: { label: 'Por corregir', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type PaperState = keyof typeof paperStateFacts

/** The facts of a case that decide which papers CFE requires. */
export type PaperFacts = {
  kind: CaseKind
  /** The holder of the service is a person other than the customer. */
  isHolderOther: boolean
  needsPermit: boolean
  needsUvie: boolean
  isThreePhase: boolean
  /** Metres from the pole to the meter; null where not measured. */
  poleMetres: number | null
}

/** Metres beyond which CFE first checks the feasibility. */
export const poleLimit = 35

/** Whether CFE first checks the feasibility of the service. */
export const needsFeasibility = ({
  isThreePhase,
  poleMetres,
}: Pick<PaperFacts, 'isThreePhase' | 'poleMetres'>) => isThreePhase || (poleMetres ?? 0) > poleLimit

const always: Record<CaseKind, readonly CasePaperName[]> = {
  second_meter: ['official_id', 'bill', 'constancia', 'property', 'sketch', 'charger_sheet'],
  load_increase: ['official_id', 'bill', 'constancia', 'charger_sheet'],
  new_service: ['official_id', 'constancia', 'property', 'sketch', 'charger_sheet'],
  name_change: ['official_id', 'bill', 'constancia', 'property'],
}

/** The papers that a case needs, in order. A change of name leaves the installation as it is. */
export function papersFor(facts: PaperFacts): CasePaperName[] {
  const builds = facts.kind !== 'name_change'
  const wanted = new Set<CasePaperName>(always[facts.kind])
  if (facts.isHolderOther) wanted.add('power')
  if (builds && facts.needsPermit) wanted.add('condominium_permit')
  if (builds && facts.needsUvie) wanted.add('uvie_report')
  if (builds && needsFeasibility(facts)) wanted.add('feasibility')
  return casePaperNames.filter((name) => wanted.has(name))
}

type Paper = Pick<AskedPaper, 'name' | 'askedFrom'> & { state: PaperState }
const isMissing = ({ state }: Paper) => state === 'pending' || state === 'rejected'

/** The papers that the customer has to provide. */
export const owedByCustomer = <One extends Paper>(papers: readonly One[]): One[] =>
  papers.filter((paper) => isMissing(paper) && paperFrom(paper) === 'customer')

/** The papers that whoever works on a case turns to next: those to be reviewed, else the first that is theirs to hand in. */
export function nextPapers<One extends Paper>(papers: readonly One[]): One[] {
  const received = papers.filter(({ state }) => state === 'received')
  if (received.length > 0) return received
  return papers.filter((paper) => isMissing(paper) && paperFrom(paper) === 'gester').slice(0, 1)
}

/** Who corrects what CFE observed after a paper came in: after a customer's paper, the gester does the rest. */
export const correctorAfter = (from: PaperGiver, before: Corrector): Corrector =>
  before === 'customer' && from === 'customer' ? 'gester' : before

/** How many papers are not validated yet. */
export const unvalidatedIn = (papers: readonly Pick<Paper, 'state'>[]) =>
  papers.filter(({ state }) => state !== 'validated').length

/** The report's questions whose answer "yes" means a load increase. */
export const loadIncreaseQuestions = ['loadIncrease', 'needsUvie'] as const

/**
 * The kind of case that a visit's report requires; null where none. A second meter has its own contract, and so its own
 * load.
 */
export function caseNeededBy(answers: Answers): CaseKind | null {
  if (answers.meterChoice === 'second') return 'second_meter'
  return loadIncreaseQuestions.some((name) => answers[name] === true) ? 'load_increase' : null
}

/** The supply by which CFE gives a load: up to 5 kW on one phase, up to 10 kW on two. */
export function supplyFor(kilowatts: number | null, isThreePhase: boolean): string | null {
  if (isThreePhase) return 'Trifásico, 220\u00a0V'
  if (kilowatts === null) return null
  if (kilowatts > 10) return 'Trifásico, 220\u00a0V'
  return kilowatts > 5 ? 'Bifásico, 220\u00a0V' : 'Monofásico, 127\u00a0V'
}

/** The facts of a report that a case needs. */
export const factsFromReport = (answers: Answers): Omit<PaperFacts, 'kind' | 'isHolderOther'> => ({
  needsPermit: answers.needsPermit === true,
  needsUvie: answers.needsUvie === true,
  isThreePhase: answers.chargerSupply === 'three' || answers.supply === 'three',
  poleMetres: typeof answers.poleDistance === 'number' ? answers.poleDistance : null,
})
