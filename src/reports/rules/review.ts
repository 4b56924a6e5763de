import { dwellingLabels } from '../../projects/rules/address.ts'
import { dateTime, figure } from '../../shared/format.ts'
import { withoutAccents } from '../../shared/text.ts'
import { answerInWords } from './answer-words.ts'
import { currentOf } from './circuit.ts'
import { deviations, failedTests, obstacles } from './limits.ts'
import { chargerOf, setCurrentOf } from './passport.ts'
import { contradictions, measurementsOf, questionOf, unsafeWords } from './progress.ts'
import type { Answers, Attempt, Attempts, Correction, PastAnswer, SheetKind } from './report.ts'

/** Each measurement that was made more than once, with every value that it had. */
export function attemptsIn(kind: SheetKind, history: readonly PastAnswer[]): Attempts {
  const made = (name: string): Attempt[] =>
    history
      .filter((one) => one.name === name && one.value !== null)
      .map(({ changedAt: at, value }) => ({ at, value }))
  const all = measurementsOf(kind).map(({ name }) => [name, made(name)] as const)
  return Object.fromEntries(all.filter(([, attempts]) => attempts.length > 1))
}

/** Every value of a measurement, with what came of each test: "1.ª: 0.1 MΩ, no pasa (28 nov, 12:05); 2.ª: …". */
export function attemptWords(kind: SheetKind, name: string, answers: Answers, attempts: readonly Attempt[]) {
  const question = measurementsOf(kind).find((one) => one.name === name)
  if (!question) return ''
  const passes = (value: Attempt['value']) =>
    failedTests({ ...answers, [name]: value }).every((failed) => failed.name !== name)
  const verdict = (value: Attempt['value']) =>
    kind === 'visit' ? '' : passes(value) ? ', pasa' : ', no pasa'
  return attempts
    .map(
      ({ at, value }, nth) =>
        `${nth + 1}.ª: ${answerInWords(question, value)}${verdict(value)} (${dateTime(at)})`,
    )
    .join('; ')
}

/** The photo of the instrument of each test that decides safety. */
export const readingSlots: Readonly<Record<string, string>> = {
  testVoltsNG: 'reading_neutral',
  insulation: 'reading_insulation',
  groundOhms: 'reading_ground',
  gfciOk: 'reading_differential',
}

/** The least current that a car is offered, in amperes (IEC 61851-1, SAE J1772). */
const leastCharge = 6

/** What a reviewer asks about a load test: it does not show that the car charged, or not with the set current. */
export function oddLoadTest(answers: Answers): string | null {
  const { loadTestAmps: amps } = answers
  const set = setCurrentOf(answers)
  if (typeof amps !== 'number') return null
  const words = `En la prueba de carga midió ${figure(amps, 1)}\u00a0A`
  if (amps < leastCharge) return `${words}: con menos de ${leastCharge}\u00a0A el auto no estaba cargando.`
  return set !== null && amps > set ? `${words} y el cargador quedó a ${figure(set, 1)}\u00a0A.` : null
}

/** The answers that a reviewer checks against each photo, by the names of their questions. */
const proven: Record<SheetKind, Readonly<Record<string, readonly string[]>>> = {
  visit: {
    facade: ['dwelling', 'tenure'],
    meter: ['meterNumber', 'meterAtLimit'],
    service_entrance: ['supply'],
    pole: ['poleDistance'],
    cfe_bill: ['cfeServiceNumber', 'tariff', 'contractedKilowatts'],
    panel_closed: ['panelBrand'],
    panel_open: ['sparePoles', 'groundOk'],
    main_breaker: ['mainBreaker'],
    feeder: ['feederGauge', 'feederMetres'],
    charger_place: ['walls'],
    route_1: ['route', 'chargerDistance'],
    route_2: ['obstacles'],
    signature_customer: ['customerName'],
  },
  installation: {
    route: ['metres'],
    panel_open: ['conductor'],
    breaker_label: ['breaker'],
    charger_mounted: ['chargerBrand', 'chargerModel'],
    serial_number: ['chargerSerial'],
    load_test: ['loadTestMinutes', 'testVolts', 'loadTestAmps'],
    ...Object.fromEntries(Object.entries(readingSlots).map(([name, slot]) => [slot, [name]])),
    signature_customer: ['customerName'],
  },
}

/** The names of the answers that a photo proves. */
export const provenBy = (kind: SheetKind, slot: string): readonly string[] => proven[kind][slot] ?? []

/** What a report contradicts: what its customer gave, or its own notes. Not an error: somebody has to look. */
type Doubt = { name: string; message: string }

/** The address as its customer gave it. */
type Home = { dwelling: string } | null

type DoubtRule = { name: string; doubts: (answers: Answers, home: Home) => string | null }

const written = ['notes', 'obstacles', 'materials', 'feasibilityReason'] as const

/** The sentence in which a report's own words match. */
function saidIn(answers: Answers, words: RegExp): string | null {
  const sentences = written.flatMap((name) => String(answers[name] ?? '').split(/[.\n;]+/))
  return sentences.find((sentence) => words.test(sentence))?.trim() ?? null
}

/** A "no" that the report's own words speak against. */
const against =
  (name: string, words: RegExp, no: string): DoubtRule['doubts'] =>
  (answers) => {
    const said = answers[name] === false ? saidIn(answers, words) : null
    return said && `${no}, y el reporte dice: «${said}».`
  }

const dwellingOf = (dwelling: unknown) =>
  typeof dwelling === 'string' && Object.hasOwn(dwellingLabels, dwelling)
    ? dwellingLabels[dwelling as keyof typeof dwellingLabels]
    : null

/** Amperes at 127 V above which a charger is hardly one of 127 V. */
const mostSingleAmps = 20

function tooMuchForSingle(answers: Answers): string | null {
  const charger = chargerOf(answers)
  const amps = charger?.supply === 'single' ? currentOf(charger) : 0
  return amps > mostSingleAmps
    ? `Un cargador de ${figure(amps, 1)}\u00a0A a 127\u00a0V casi no existe: revisa su alimentación.`
    : null
}

const rules: readonly DoubtRule[] = [
  {
    name: 'dwelling',
    doubts: ({ dwelling }, home) => {
      const given = dwellingOf(home?.dwelling)
      const found = dwellingOf(dwelling)
      return given && found && given !== found
        ? `El domicilio dice «${given}» y el reporte, «${found}».`
        : null
    },
  },
  {
    name: 'needsPermit',
    doubts: against(
      'needsPermit',
      /condomini|administra(ci[oó]n|dor)|mesa directiva|asamblea|vecinos/i,
      'El permiso del condominio dice No',
    ),
  },
  {
    name: 'needsPermit',
    doubts: ({ dwelling, needsPermit, ...words }, home) =>
      needsPermit === false &&
      [dwelling, home?.dwelling].includes('apartment') &&
      saidIn(words, /condomini|permiso/i) === null
        ? 'Es un departamento y el permiso del condominio dice No.'
        : null,
  },
  {
    name: 'needsUvie',
    doubts: against('needsUvie', /\buvie\b|unidad de inspecci[oó]n/i, 'La UVIE dice No'),
  },
  {
    name: 'loadIncrease',
    doubts: against(
      'loadIncrease',
      /aument(?:o de|ar la|ar) carga|m[aá]s carga contratada/i,
      'El aumento de carga dice No',
    ),
  },
  {
    name: 'meterChoice',
    doubts: (answers) => {
      const said = answers.meterChoice === 'same' ? saidIn(answers, /segundo medidor|otro medidor/i) : null
      return said && `El medidor dice «El mismo medidor», y el reporte dice: «${said}».`
    },
  },
  { name: 'chargerSupply', doubts: tooMuchForSingle },
]

/** What a customer gave of their home and its equipment, with which a report begins. */
const given = ['cfeServiceNumber', 'vehicle', 'chargerSupplier', 'chargerBrand', 'chargerKilowatts'] as const

/** A technician's answer that is not what its customer gave; letters and blanks make no difference. */
function otherThanGiven(answers: Answers, known: Answers): Doubt[] {
  return given.flatMap((name) => {
    const question = questionOf('visit', name)
    if (!question || !(name in known) || !(name in answers)) return []
    const before = answerInWords(question, known[name])
    const now = answerInWords(question, answers[name])
    if (!before || !now || plain(before) === plain(now)) return []
    return [{ name, message: `${question.label}: el cliente dio «${before}» y el reporte dice «${now}».` }]
  })
}

const plain = (words: string) => withoutAccents(words).replace(/\s+/g, '')

/** A record of work is judged by its tests. */
const doubtsIn = (kind: SheetKind, answers: Answers, home: Home, known: Answers): Doubt[] =>
  kind === 'visit'
    ? [
        ...rules.flatMap(({ doubts, name }) => {
          const message = doubts(answers, home)
          return message === null ? [] : [{ name, message }]
        }),
        ...otherThanGiven(answers, known),
      ]
    : []

type TakenPhoto = { slot: string; capturedAt: Date }

/**
 * The remark on a photo of how it was that was kept after that of the load test; null where it was kept in time, or one
 * of them is missing.
 */
export function lateBefore(kind: SheetKind, files: readonly TakenPhoto[]): string | null {
  if (kind !== 'installation') return null
  const newestOf = (slot: string) =>
    Math.max(...files.filter((file) => file.slot === slot).map(({ capturedAt }) => capturedAt.getTime()))
  const test = newestOf('load_test')
  return newestOf('before') > test && test > 0
    ? '«Antes de empezar» se guardó después de «Prueba de carga»: revisa que muestre el lugar como estaba.'
    : null
}

type Reviewed = {
  kind: SheetKind
  answers: Answers
  corrections?: readonly Correction[]
  attempts?: Attempts
  home: Home
  /** What its customer gave, as it would be filled in today. */
  known?: Answers
  /** Its pictures; of some slots several, the newest counts. */
  files?: readonly TakenPhoto[]
  /** Why it is not approved, whatever its answers say. */
  held?: string | null
}

/** What a reviewer checks before approving a report, in words, and what is said beside single answers. */
export type Review = { flags: readonly Doubt[]; isBad: boolean; title: string; lines: readonly string[] }

/**
 * What a reviewer checks before approving: what holds it back, failed tests, what differs from what was agreed and why, what contradicts the
 * address or itself, what the office changed after it was signed.
 */
export function reviewOf({ answers, home, kind, ...rest }: Reviewed): Review {
  const { attempts = {}, corrections = [], files = [], held = null, known = {} } = rest
  const isRecord = kind === 'installation'
  const failed = isRecord ? failedTests(answers) : []
  const wrong = isRecord ? contradictions(kind, answers).filter(({ unsafe }) => !unsafe) : []
  const differs = isRecord ? deviations(answers) : []
  const against = isRecord ? [] : obstacles(answers)
  const doubts = doubtsIn(kind, answers, home, known)
  const reason = answers.deviationReason
  const late = lateBefore(kind, files)
  return {
    flags: [...failed, ...wrong, ...differs, ...doubts],
    isBad: failed.length + wrong.length + differs.length > 0 || held !== null,
    title: titleOf(failed.length > 0, wrong.length > 0 || held !== null),
    lines: [
      ...(held ? [held] : []),
      ...[...failed, ...wrong].map(({ label, message }) => `${label}. ${message}`),
      ...differs.map(({ message }) => message),
      ...(differs.length > 0 ? [`Por qué: ${typeof reason === 'string' ? reason : 'sin respuesta'}`] : []),
      ...against.map((words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`),
      ...doubts.map(({ message }) => message),
      ...(late ? [late] : []),
      ...(isRecord ? [oddLoadTest(answers) ?? []].flat() : []),
      ...ofAttempts(kind, answers, attempts, files),
      ...corrections.map(
        (one) =>
          `${one.by ?? 'La oficina'} lo corrigió después de enviado. ${correctionWords(kind, one)}${one.isConfirmed ? ', y su técnico lo envió otra vez' : ''}.`,
      ),
    ],
  }
}

function titleOf(isUnsafe: boolean, isStopped: boolean): string {
  if (isUnsafe) return `${unsafeWords} Así no se aprueba.`
  return isStopped ? 'Así no se aprueba' : 'Revisa antes de aprobar'
}

/** Every value of what was measured more than once, and a photo of its instrument made before the last of them. */
function ofAttempts(
  kind: SheetKind,
  answers: Answers,
  all: Attempts,
  files: readonly TakenPhoto[],
): string[] {
  return Object.entries(all).flatMap(([name, attempts]) => {
    const label = questionOf(kind, name)?.label ?? name
    const photo = files.findLast(({ slot }) => slot === readingSlots[name])
    const isOld = photo && photo.capturedAt < attempts.at(-2)!.at
    return [
      `${label}. ${attemptWords(kind, name, answers, attempts)}.`,
      ...(isOld ? [`La foto de «${label}» es de antes de su última prueba.`] : []),
    ]
  })
}

/** Whether a correction keeps its reader from approving. */
export const isUnconfirmed = ({ isConfirmed, isOwn }: Correction) => isOwn && !isConfirmed

export const unconfirmedWords =
  'Tú lo corregiste: que lo apruebe otra persona de la oficina, o devuélvelo para que su técnico lo confirme.'

/** Of answers that identify a person, only that they changed. */
export function correctionWords(
  kind: SheetKind,
  correction: Pick<Correction, 'name' | 'from' | 'to'>,
): string {
  const question = questionOf(kind, correction.name)
  if (!question) return 'Corregido'
  if (!('to' in correction)) return `Corregido: ${question.label}`
  const words = (value: Correction['to']) => answerInWords(question, value) ?? 'sin respuesta'
  return `${question.label}: de ${words(correction.from)} a ${words(correction.to)}`
}
