import { figure } from '../../shared/format.ts'
import {
  ampacityOf,
  ampsAgainstPlate,
  conductors,
  type Gauge,
  installedSizes,
  isGroundEnough,
  mostDrop,
  voltsOf,
} from './circuit.ts'
import { hasTerminals75, installationRecord } from './installation-record.ts'
import { failedTests, lacksPhases, obstacles } from './limits.ts'
import {
  calculationOf,
  chargerOf,
  dropsOf,
  increaseReasons,
  installedDrop,
  setCurrentOf,
  whyHeld,
} from './passport.ts'
import { slotFacts } from './photos.ts'
import type { Answers, Missing, Question, Section, SheetKind } from './report.ts'
import { visitReport } from './visit-report.ts'

/** The steps of each kind of report. */
export const sectionsOf: Record<SheetKind, readonly Section[]> = {
  visit: visitReport,
  installation: installationRecord,
}

export const isAsked = (question: Question, answers: Answers) => question.asked?.(answers) ?? true
/** Whether something was answered; no appliances at all is an answer. */
export const isAnswered = (value: Answers[string]) => value !== undefined && value !== null && value !== ''
const isRequired = (question: Question, answers: Answers) =>
  isAsked(question, answers) && !question.optional?.(answers) && !isBeyondTables(question, answers)
/** No conductor carries such a charger: the report says so, and is sent without a choice. */
const isBeyondTables = ({ kind }: Question, answers: Answers) =>
  kind === 'conductor' && calculationOf(answers)?.circuit.breaker === null

/** The question of a kind of report by its name; null where it has none. */
export const questionOf = (kind: SheetKind, name: string): Question | null =>
  sectionsOf[kind].flatMap(({ questions }) => questions).find((question) => question.name === name) ?? null

/** The questions of a kind of report that are measurements. */
export const measurementsOf = (kind: SheetKind): readonly Question[] =>
  sectionsOf[kind].flatMap(({ questions }) => questions.filter(({ measured }) => measured))

/** The pictures that a section requires. */
export const slotsIn = ({ slots, when }: Section, answers: Answers) =>
  when && !when.asked(answers) ? slots.filter((slot) => !when.slots.includes(slot)) : slots

/** What is missing in one section. `taken` are the slots that have a picture. */
export function missingInSection(
  kind: SheetKind,
  section: Section,
  answers: Answers,
  taken: ReadonlySet<string>,
): Missing[] {
  const { id, questions } = section
  const blank = questions
    .filter((question) => isRequired(question, answers) && !isAnswered(answers[question.name]))
    .map(({ name, label, kind: asked }) => ({
      section: id,
      name,
      label,
      message: asked === 'tick' ? 'Falta marcarlo.' : 'Falta responder.',
    }))
  const wrong = contradictions(kind, answers).filter(({ name }) =>
    questions.some((question) => question.name === name && isAsked(question, answers)),
  )
  const empty = slotsIn(section, answers)
    .filter((slot) => !taken.has(slot))
    .map((slot) => ({
      section: id,
      name: slot,
      label: slotFacts(kind, slot)?.label ?? slot,
      message: slot.startsWith('signature_') ? 'Falta la firma.' : 'Falta la foto.',
    }))
  return [...blank, ...wrong.map((one) => ({ section: id, ...one })), ...empty]
}

/** Everything that prevents sending a report, in the order of the form. */
export const missingIn = (kind: SheetKind, answers: Answers, taken: ReadonlySet<string>): Missing[] =>
  sectionsOf[kind].flatMap((section) => missingInSection(kind, section, answers, taken))

/** Of the answers and slots requested again, those that the form shows with its current answers. */
export const stillAsked = (kind: SheetKind, redo: readonly string[], answers: Answers): string[] =>
  redo.filter((name) => {
    const question = questionOf(kind, name)
    return question === null || isAsked(question, answers)
  })

/** What a returned report still needs. */
export const askedAgain = (kind: SheetKind, redo: readonly string[]): Missing[] =>
  redo.map((name) => missingAs(kind, name, 'Te pidieron enviarlo de nuevo.'))

/** An answer or a picture of a report by its name, with a message. */
export const missingAs = (kind: SheetKind, name: string, message: string): Missing => ({
  section: sectionsOf[kind].find((one) => hasIt(one, name))?.id ?? sectionsOf[kind][0]!.id,
  name,
  label: questionOf(kind, name)?.label ?? slotFacts(kind, name)?.label ?? name,
  message,
})

const hasIt = ({ extra = [], questions, slots }: Section, name: string) =>
  slots.includes(name) || extra.includes(name) || questions.some((one) => one.name === name)

/** How many answers, photos and signatures a report asks for, with its current answers. */
export const countAsked = (kind: SheetKind, answers: Answers): number =>
  sectionsOf[kind]
    .map((section) => {
      const asked = section.questions.filter((one) => isRequired(one, answers))
      return asked.length + slotsIn(section, answers).length
    })
    .reduce((sum, count) => sum + count, 0)

/** The progress of a report, from 0 to 100; 100 only when nothing is missing. */
export function progressOf(kind: SheetKind, answers: Answers, taken: ReadonlySet<string>): number {
  const wanted = countAsked(kind, answers)
  const missing = missingIn(kind, answers, taken).length
  if (missing === 0) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (wanted - missing)) / wanted)))
}

type Against = Omit<Missing, 'section'>

/** Answers that contradict the calculation, each other, or a limit. */
export function contradictions(kind: SheetKind, answers: Answers): Against[] {
  if (kind === 'installation') return [...ofInstalled(answers), ...failedTests(answers).map(asUnsafe)]
  return [...ofCircuit(answers), ...ofHouse(answers), ...ofPlate(answers), ...ofFeasibility(answers)]
}

/** The message for an installation whose tests fail. */
export const unsafeWords = 'No puede quedar energizado.'
const asUnsafe = ({ message, ...finding }: Against): Against => ({
  ...finding,
  message: `${unsafeWords} ${message}`,
  unsafe: true,
})

const said = (name: string, message: string, kind: SheetKind = 'visit'): Against => ({
  name,
  message,
  label: questionOf(kind, name)?.label ?? name,
})

function ofCircuit(answers: Answers): Against[] {
  const circuit = calculationOf(answers)?.circuit
  const chosen = circuit?.choices.find(({ gauge }) => gauge === answers.conductor)
  if (!circuit || !chosen || circuit.breaker === null) return []
  if (!chosen.carries)
    return [said('conductor', `${chosen.gauge}\u00a0AWG no aguanta la pastilla: elige uno más grueso.`)]
  const drops = dropsOf(answers)
  const { fits, total } = drops.find(({ gauge }) => gauge === chosen.gauge)!
  // Where no conductor fits, the home needs works.
  if (fits || !drops.some((one) => one.fits)) return []
  const words = `La caída, con la del alimentador, es de ${figure(total, 1)}\u00a0% y lo más son ${mostDrop}\u00a0%: elige uno más grueso.`
  return [said('conductor', words)]
}

const ofHouse = (answers: Answers): Against[] =>
  answers.loadIncrease === false && increaseReasons(answers).length > 0
    ? [said('loadIncrease', `El cálculo pide aumentar la carga contratada. ${increaseReasons(answers)[0]}`)]
    : []

function ofPlate(answers: Answers): Against[] {
  const charger = chargerOf(answers)
  const amps = charger && ampsAgainstPlate(charger)
  if (!charger || amps === null) return []
  const { kilowatts, plateAmps, supply } = charger
  const stands = `${figure(kilowatts, 1)}\u00a0kW a ${voltsOf[supply]}\u00a0V son ${figure(amps, 1)}\u00a0A y la placa dice ${figure(plateAmps ?? 0, 1)}\u00a0A`
  return [said('chargerAmps', `${stands}: revisa las dos. La potencia es la que da con ese voltaje.`)]
}

/** An installation that its measurements rule out cannot be viable as it is. */
function ofFeasibility(answers: Answers): Against[] {
  const against = obstacles(answers)
  const { feasibility } = answers
  return [
    ...(lacksPhases(answers) && (feasibility === 'viable' || !isAnswered(feasibility))
      ? [
          said(
            'chargerSupply',
            'Un cargador trifásico no se alimenta de esta casa: no tiene suministro trifásico.',
          ),
        ]
      : []),
    ...(feasibility === 'viable' && against.length > 0
      ? [said('feasibility', `Como está no es viable: ${against.join('; ')}. Di qué adecuación hace falta.`)]
      : []),
  ]
}

/**
 * What of an installed circuit is below the standard: a breaker of no size (240-6), above what its conductor or its
 * charger's plate bears (110-14(c), 110-3(b)), below 125 % of the charger's current (210-20(a), 625-21), a thin ground
 * (250-122), a drop above the limit.
 */
function ofInstalled(answers: Answers): Against[] {
  const { agreedHeld, breaker, groundGauge, plateBreaker, worksDone } = answers
  const drop = installedDrop(answers)
  const against: [string, false | string][] = [
    [
      'metres',
      drop !== null &&
        drop > mostDrop + 1e-9 &&
        `Con esos metros la caída es de ${figure(drop, 1)}\u00a0% y lo más son ${mostDrop}\u00a0%: ${thickerFor(answers)}.`,
    ],
    ...(typeof breaker === 'number' ? ofBreaker({ ...answers, breaker }, groundGauge, plateBreaker) : []),
  ]
  return [
    ...against.flatMap(([name, words]) => (words ? [said(name, words, 'installation')] : [])),
    ...(typeof agreedHeld === 'string' ? [asUnsafe(said('chargerSet', agreedHeld, 'installation'))] : []),
    ...(worksDone === false ? [asUnsafe(said('worksDone', whyHeld.works, 'installation'))] : []),
  ]
}

function ofBreaker(
  answers: Answers & { breaker: number },
  ground: Answers[string],
  plate: Answers[string],
): [string, false | string][] {
  const { breaker } = answers
  const set = setCurrentOf(answers)
  return [
    ['chargerSet', overBorne(answers)],
    [
      'breaker',
      !installedSizes.includes(breaker) && `No hay pastilla de ${breaker}\u00a0A: revisa la que pusiste.`,
    ],
    [
      'breaker',
      typeof plate === 'number' &&
        breaker > plate &&
        `La placa del cargador permite hasta ${plate}\u00a0A: con ${breaker}\u00a0A no lo protege.`,
    ],
    ['conductor', thinConductor(answers, breaker)],
    [
      'groundGauge',
      typeof ground === 'string' &&
        !isGroundEnough(ground as Gauge, breaker) &&
        `Tierra de ${ground}\u00a0AWG es delgada para una pastilla de ${breaker}\u00a0A.`,
    ],
    [
      'chargerSet',
      set !== null &&
        1.25 * set > breaker + 1e-9 &&
        `Con una pastilla de ${breaker}\u00a0A ponlo a ${Math.floor(breaker / 1.25)}\u00a0A o menos.`,
    ],
  ]
}

/** A charger set to more than its home bears: until CFE gives more, or at all; what was agreed was judged by the visit. */
function overBorne({ agreedAmps, agreedLimit, agreedMost, chargerSet }: Answers): false | string {
  const isLimited = typeof agreedLimit === 'number'
  const most = typeof agreedMost === 'number' ? Math.max(agreedMost, Number(agreedAmps)) : Infinity
  const limit = isLimited ? agreedLimit : most
  if (!(Number(chargerSet) > limit)) return false
  const until = isLimited ? ' hasta que CFE aumente la carga' : ''
  return `La casa aguanta ${limit}\u00a0A${until}: ponlo a ${limit}\u00a0A o menos.`
}

/** The thinnest conductor that keeps the drop of an installed circuit within the limit. */
function thickerFor(answers: Answers): string {
  const enough = conductors.find(
    ({ gauge }) => (installedDrop({ ...answers, conductor: gauge }) ?? 0) <= mostDrop + 1e-9,
  )
  return enough ? `pon ${enough.gauge}\u00a0AWG` : 'acerca el cargador o ponlo a menos corriente'
}

/** Why the installed conductor does not carry its breaker, by what its terminals are marked for; false where it does. */
function thinConductor({ conductor, ...answers }: Answers, breaker: number): false | string {
  const is75 = hasTerminals75(answers)
  const gauge = conductors.find((one) => one.gauge === conductor)?.gauge
  if (!gauge || ampacityOf(gauge, is75) >= breaker) return false
  const enough = conductors.find((one) => ampacityOf(one.gauge, is75) >= breaker)
  const bears = `${gauge}\u00a0AWG con zapatas de ${is75 ? 75 : 60}\u00a0°C aguanta ${ampacityOf(gauge, is75)}\u00a0A`
  return `${bears}: con pastilla de ${breaker}\u00a0A ${enough ? `pon ${enough.gauge}\u00a0AWG` : 'ninguno alcanza'}.`
}
