import { installationRecord } from './installation-record.ts'
import { slotFacts } from './photo-slots.ts'
import {
  ampacityOf,
  type Calculation,
  calculate,
  conductors,
  type Demand,
  demandOf,
  dropLimits,
  needsLoadIncrease,
  type Supply,
} from './preliminary-calculation.ts'
import type { Answers, HouseLoad, Question, Section, SheetKind } from './sheet.ts'
import { visitReport } from './visit-report.ts'

/** The steps of each kind of sheet. */
export const sectionsOf: Record<SheetKind, readonly Section[]> = {
  visit: visitReport,
  installation: installationRecord,
}

export const isAsked = (question: Question, answers: Answers) => question.asked?.(answers) ?? true
const isAnswered = (value: Answers[string]) => value !== undefined && value !== null && value !== ''
const isRequired = (question: Question, answers: Answers) =>
  isAsked(question, answers) && !question.optional?.(answers) && !isBeyondTables(question, answers)
/** Nothing that could be chosen carries such a charger: the report says so, and is sent without. */
const isBeyondTables = ({ kind }: Question, answers: Answers) =>
  kind === 'conductor' && calculationOf(answers)?.circuit.breaker === null

/** The question of a kind of sheet by its name; null where it has none. */
export const questionOf = (kind: SheetKind, name: string): Question | null =>
  sectionsOf[kind].flatMap(({ questions }) => questions).find((question) => question.name === name) ?? null

/** What keeps a sheet from being sent: an answer or a picture, where it is asked, and in what words. */
export type Missing = { section: string; name: string; label: string; message: string }

/** What is missing in one section. `taken` are the slots that have a picture. */
export function missingInSection(
  kind: SheetKind,
  { id, questions, slots }: Section,
  answers: Answers,
  taken: ReadonlySet<string>,
): Missing[] {
  const blank = questions
    .filter((question) => isRequired(question, answers) && !isAnswered(answers[question.name]))
    .map(({ name, label, kind: asked }) => ({
      ...{ section: id, name, label },
      message: asked === 'tick' ? 'Falta marcarlo.' : 'Falta responder.',
    }))
  const wrong = contradictions(kind, answers).filter(({ name }) =>
    questions.some((question) => question.name === name && isAsked(question, answers)),
  )
  const empty = slots
    .filter((slot) => !taken.has(slot))
    .map((slot) => ({
      ...{ section: id, name: slot, label: slotFacts(kind, slot)?.label ?? slot },
      message: slot.startsWith('signature_') ? 'Falta la firma.' : 'Falta la foto.',
    }))
  return [...blank, ...wrong.map((one) => ({ section: id, ...one })), ...empty]
}

/** Everything that keeps a sheet from being sent, in the order it is asked. */
export const missingIn = (kind: SheetKind, answers: Answers, taken: ReadonlySet<string>): Missing[] =>
  sectionsOf[kind].flatMap((section) => missingInSection(kind, section, answers, taken))

/** Of answers and slots asked for again, those that the form offers with its other answers as they are. */
export const stillAsked = (kind: SheetKind, redo: readonly string[], answers: Answers): string[] =>
  redo.filter((name) => {
    const question = questionOf(kind, name)
    return question === null || isAsked(question, answers)
  })

/** What a returned sheet still waits for. */
export const askedAgain = (kind: SheetKind, redo: readonly string[]): Missing[] =>
  redo.map((name) => missingAs(kind, name, 'Te pidieron volver a darlo.'))

/** An answer or a picture of a sheet by its name, with what is to be said of it. */
export const missingAs = (kind: SheetKind, name: string, message: string): Missing => ({
  section: sectionsOf[kind].find((one) => hasIt(one, name))?.id ?? sectionsOf[kind][0]!.id,
  name,
  label: questionOf(kind, name)?.label ?? slotFacts(kind, name)?.label ?? name,
  message,
})

const hasIt = ({ extra = [], questions, slots }: Section, name: string) =>
  slots.includes(name) || extra.includes(name) || questions.some((one) => one.name === name)

/** How much of a sheet is there, from 0 to 100; 100 only when nothing is missing. */
export function progressOf(kind: SheetKind, answers: Answers, taken: ReadonlySet<string>): number {
  const wanted = sectionsOf[kind]
    .map(({ questions, slots }) => questions.filter((one) => isRequired(one, answers)).length + slots.length)
    .reduce((sum, count) => sum + count, 0)
  const missing = missingIn(kind, answers, taken).length
  if (missing === 0) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (wanted - missing)) / wanted)))
}

/** The preliminary calculation of a visit report, as far as its answers say enough; demand is null until the house is known. */
export function calculationOf(answers: Answers): { circuit: Calculation; demand: Demand | null } | null {
  const { chargerAmps, chargerDistance, chargerKilowatts, chargerSupply, loads, mainBreaker, supply } =
    answers
  if (typeof chargerSupply !== 'string' || typeof chargerDistance !== 'number') return null
  if (typeof chargerKilowatts !== 'number' && typeof chargerAmps !== 'number') return null
  const fed = chargerSupply as Supply
  const circuit = calculate({
    supply: fed,
    kilowatts: typeof chargerKilowatts === 'number' ? chargerKilowatts : 0,
    plateAmps: typeof chargerAmps === 'number' ? chargerAmps : null,
    metres: chargerDistance,
    terminals75: answers.terminals75 === true,
  })
  const isHouseKnown = typeof supply === 'string' && typeof mainBreaker === 'number' && Array.isArray(loads)
  const demand = isHouseKnown
    ? demandOf(
        { watts: wattsOf(loads as readonly HouseLoad[]), mainBreaker, supply: supply as Supply },
        { amps: circuit.amps, supply: fed },
      )
    : null
  return { circuit, demand }
}

const wattsOf = (loads: readonly HouseLoad[]) =>
  loads.reduce((sum, { quantity, watts }) => sum + quantity * watts, 0)

/** Answers that go against the calculation, or each other. */
export function contradictions(kind: SheetKind, answers: Answers): Omit<Missing, 'section'>[] {
  if (kind === 'installation') return tooThin(answers)
  const calculation = calculationOf(answers)
  if (!calculation) return []
  const { circuit, demand } = calculation
  const chosen = circuit.choices.find(({ gauge }) => gauge === answers.conductor)
  const said = (name: string, message: string) => ({
    ...{ name, message },
    label: questionOf(kind, name)?.label ?? name,
  })
  const found: Omit<Missing, 'section'>[] = []
  if (chosen && !chosen.carries && circuit.breaker !== null)
    found.push(said('conductor', `${chosen.gauge} AWG no soporta el interruptor: elige uno más grueso.`))
  if (chosen?.carries && chosen.drop > dropLimits.needsNote && !isAnswered(answers.dropNote))
    found.push(said('dropNote', 'La caída pasa de 5 %: di por qué se acepta.'))
  const grows = demand && needsLoadIncrease(demand, answers.supply as Supply, answers.chargerSupply as Supply)
  if (grows && answers.loadIncrease === false)
    found.push(said('loadIncrease', 'El cálculo pide aumentar la carga contratada.'))
  return found
}

/** An installed conductor that would not carry its breaker whatever its terminals are marked for. */
function tooThin({ breaker, conductor }: Answers): Omit<Missing, 'section'>[] {
  const gauge = conductors.find((one) => one.gauge === conductor)?.gauge
  if (!gauge || typeof breaker !== 'number' || ampacityOf(gauge, true) >= breaker) return []
  const message = `${gauge} AWG no soporta un interruptor de ${breaker} A.`
  return [{ name: 'conductor', label: 'Calibre instalado', message }]
}
