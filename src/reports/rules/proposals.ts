import { figure } from '../../shared/format.ts'
import type { Supply } from './circuit.ts'
import { obstacles } from './limits.ts'
import { calculationOf, increaseReasons } from './passport.ts'
import { isAnswered, isAsked, missingInSection, sectionsOf } from './progress.ts'
import type { Answers, AnswerValue, Section, SheetKind } from './report.ts'

/** The answer that is known or usual, by what was answered so far; null where nothing is. */
type Proposal = (answers: Answers) => AnswerValue

const usually = (value: AnswerValue) => () => value
const agreed = (name: string) => (answers: Answers) => answers[name] ?? null

/** What CFE usually contracts for a supply, in kW. */
const usualContract: Partial<Record<string, number>> = { single: 5, split: 10, two: 10 }

/** Up to so many metres of cable an installation usually takes so many hours. */
const usualWork = { metres: 30, hours: 4 }

/** Powers in kW: the most for a charger of one phase, and for one of two. */
const mostSingle = 2.3
const mostTwo = 9.6

const proposals: Record<SheetKind, Readonly<Record<string, Proposal>>> = {
  visit: {
    tenure: usually('owner'),
    tariff: usually('1'),
    contractedKilowatts: ({ supply }) => usualContract[String(supply)] ?? null,
    meterAtLimit: usually(true),
    chargerSupply: supplyOf,
    meterChoice: usually('same'),
    terminals75: usually(false),
    conductor: (answers) => calculationOf(answers)?.circuit.conductor ?? null,
    loadIncrease: (answers) =>
      calculationOf(answers)?.demand || answers.meterChoice === 'second'
        ? increaseReasons(answers).length > 0
        : null,
    needsUvie: ({ dwelling }) => (dwelling === 'apartment' ? null : false),
    needsPermit: ({ dwelling }) => (typeof dwelling === 'string' ? dwelling !== 'house' : null),
    materials: materialsOf,
    hours: ({ chargerDistance }) =>
      typeof chargerDistance === 'number' && chargerDistance <= usualWork.metres ? usualWork.hours : null,
    feasibility: (answers) => (isPlain(answers) ? 'viable' : null),
  },
  // Never the metres, nor a test: what was measured is written by whoever measured it.
  installation: {
    conductor: agreed('agreedConductor'),
    breaker: agreed('agreedBreaker'),
    groundGauge: agreed('agreedGround'),
    conduitSize: agreed('agreedConduit'),
    taughtUse: usually(true),
    taughtBreaker: usually(true),
    taughtFaults: usually(true),
    taughtWarranty: usually(true),
  },
}

/** Whether a question may have a proposal. */
export const isProposable = (kind: SheetKind, name: string) => Object.hasOwn(proposals[kind], name)

/** The proposals for the questions of a section that are not answered yet. They become answers when they are confirmed. */
export function proposalsIn(kind: SheetKind, { questions }: Section, answers: Answers) {
  const found = questions.flatMap((question): [string, AnswerValue][] => {
    const { name } = question
    if (!isProposable(kind, name) || isAnswered(answers[name]) || !isAsked(question, answers)) return []
    const value = proposals[kind][name]!(answers)
    return value === null ? [] : [[name, value]]
  })
  return Object.fromEntries(found)
}

/** How a charger of this power is usually fed in such a home. */
function supplyOf({ chargerKilowatts, supply }: Answers): Supply | null {
  if (typeof chargerKilowatts !== 'number' || typeof supply !== 'string') return null
  if (supply === 'single') return chargerKilowatts <= mostSingle ? 'single' : null
  if (supply === 'three' && chargerKilowatts > mostTwo) return 'three'
  return chargerKilowatts > mostTwo ? null : supply === 'split' ? 'split' : 'two'
}

function materialsOf(answers: Answers): string | null {
  const { chargerDistance, conductor } = answers
  const circuit = calculationOf(answers)?.circuit
  const choice = circuit?.choices.find(({ gauge }) => gauge === conductor)
  if (!circuit?.breaker || !choice?.ground) return null
  const metres = figure(Number(chargerDistance), 1)
  return `${metres} m de cable ${choice.gauge} AWG, tierra ${choice.ground} AWG, pastilla de ${circuit.breaker} A.`
}

/** Whether all is answered but the work itself, and nothing stands in the way of the installation as things are. */
function isPlain(answers: Answers): boolean {
  const before = sectionsOf.visit.filter(({ id }) => id !== 'trabajo' && id !== 'firmas')
  const isWhole = before.every(
    (section) => missingInSection('visit', section, answers, new Set(section.slots)).length === 0,
  )
  return isWhole && obstacles(answers).length === 0 && answers.loadIncrease === false
}

/** What stays as it is between two appointments at one home: never a measured voltage, a test, a photo or a judgement. */
const lasting: Record<SheetKind, readonly string[]> = {
  visit: [
    'tenure',
    'area',
    'meterNumber',
    'cfeServiceNumber',
    'meterAtLimit',
    'poleDistance',
    'panelBrand',
    'feederMetres',
    'loads',
    'chargerDistance',
    'route',
    'walls',
    'obstacles',
    'vehicle',
  ],
  installation: [
    'conductor',
    'breaker',
    'groundGauge',
    'conduitSize',
    'deviationReason',
    'chargerBrand',
    'chargerModel',
    'chargerSerial',
  ],
}

/** What works on the home change. */
const ofSupply = ['supply', 'tariff', 'contractedKilowatts', 'mainBreaker', 'feederGauge', 'sparePoles']

/** What goes with one charger. */
const ofCharger = [
  'chargerSupplier',
  'chargerBrand',
  'chargerModel',
  'chargerSupply',
  'chargerKilowatts',
  'chargerAmps',
]

/**
 * With which answers of an earlier report the next one at the same home begins: what its customer gave goes before, the
 * supply is asked anew where the earlier report called for works, and the charger where it is another one.
 */
export function keptFromEarlier(kind: SheetKind, earlier: Answers, given: Answers): Answers {
  const asksWorks = earlier.loadIncrease === true || (earlier.feasibility ?? 'viable') !== 'viable'
  const isOtherCharger = ofCharger.some((name) => isAnswered(given[name]) && given[name] !== earlier[name])
  const names =
    kind === 'visit'
      ? [...lasting.visit, ...(asksWorks ? [] : ofSupply), ...(isOtherCharger ? [] : ofCharger)]
      : lasting.installation
  return Object.fromEntries(
    names.flatMap((name) =>
      isAnswered(earlier[name]) && (kind === 'installation' || !isAnswered(given[name]))
        ? [[name, earlier[name]]]
        : [],
    ),
  )
}
