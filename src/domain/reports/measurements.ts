import { dateTime, figure } from '../shared/format.ts'
import { answerInWords } from './answer-words.ts'
import { failedTests } from './limits.ts'
import { setCurrentOf } from './passport.ts'
import { measurementsOf } from './progress.ts'
import type { Answers, Attempt, Attempts, PastAnswer, SheetKind } from './report.ts'

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

/** Why a load test can't be true: it takes more minutes than have passed since its appointment began; else null. */
export function tooLongLoadTest({ loadTestMinutes: minutes }: Answers, startedAt: Date | null, now: Date) {
  if (typeof minutes !== 'number' || startedAt === null) return null
  return minutes * 60_000 > now.getTime() - startedAt.getTime()
    ? 'Son más minutos de los que han pasado desde que empezaste.'
    : null
}
