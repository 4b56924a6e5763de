import { figure } from '../shared/format.ts'
import type { Answers } from './sheet.ts'
import { isWithin, mostVoltsNG } from './visit-obstacles.ts'

/** Insulation in MΩ, ground in Ω, and a load test in minutes, without which nothing may stay energized. */
const [leastInsulation, mostGroundOhms, shortestLoadTest] = [1, 25, 10]

/** What was agreed, as the answers of a record hold it beside what was answered: of the visit's report, metres of the accepted quote. */
export type Agreed = {
  agreedConductor: string | null
  agreedBreaker: number | null
  agreedMetres: number | null
  /** Between the charger's conductors. */
  agreedVolts: number | null
}

/** An answer that exceeds a limit or differs from what was agreed, in words. */
export type Finding = { name: string; label: string; message: string }

/** Supplies whose volts a charger may have where no report says which. */
const anyVolts = [127, 220, 240]

type Test = {
  name: string
  label: string
  unit: string
  wrong: (measured: number, answers: Answers) => string | null
}
const tests: readonly Test[] = [
  {
    ...{ name: 'testVolts', label: 'Voltaje en el cargador', unit: 'V' },
    wrong: (volts, { agreedVolts }) => {
      const expected = typeof agreedVolts === 'number' ? [agreedVolts] : anyVolts
      if (expected.some((nominal) => isWithin(volts, nominal))) return null
      return `lo aceptable es ±10 % de ${expected.join(', ')} V`
    },
  },
  {
    ...{ name: 'testVoltsNG', label: 'Voltaje neutro a tierra', unit: 'V' },
    wrong: (volts) => (volts > mostVoltsNG ? `lo más son ${mostVoltsNG} V` : null),
  },
  {
    ...{ name: 'insulation', label: 'Aislamiento', unit: 'MΩ' },
    wrong: (megaohms) => (megaohms < leastInsulation ? `lo menos es ${leastInsulation} MΩ` : null),
  },
  {
    ...{ name: 'groundOhms', label: 'Resistencia de tierra', unit: 'Ω' },
    wrong: (ohms) => (ohms > mostGroundOhms ? `lo más son ${mostGroundOhms} Ω` : null),
  },
  {
    ...{ name: 'loadTestMinutes', label: 'Prueba de carga', unit: 'min' },
    wrong: (minutes) => (minutes < shortestLoadTest ? `lo menos son ${shortestLoadTest} min` : null),
  },
]

/** The tests of a record that exceed their limits, in words: with any of these the charger stays de-energized. */
export function failedTests(answers: Answers): Finding[] {
  const measured = tests.flatMap(({ label, name, unit, wrong }) => {
    const value = answers[name]
    const why = typeof value === 'number' ? wrong(value, answers) : null
    return why === null ? [] : [{ name, label, message: `${figure(Number(value), 1)} ${unit}: ${why}.` }]
  })
  const trips = answers.gfciOk !== false
  return trips
    ? measured
    : [...measured, { name: 'gfciOk', label: 'Protección diferencial', message: 'No dispara.' }]
}

/** More metres than agreed are a difference from here on, in parts of one. */
const moreMetres = 0.1

/** Where a record differs from what was agreed, each in words. */
export function deviations({ breaker, conductor, metres, ...agreed }: Answers): Finding[] {
  const { agreedBreaker, agreedConductor, agreedMetres } = agreed
  const found: Finding[] = []
  if (typeof conductor === 'string' && typeof agreedConductor === 'string' && conductor !== agreedConductor)
    found.push({
      ...{ name: 'conductor', label: 'Calibre instalado' },
      message: `Se acordó ${agreedConductor} AWG y se puso ${conductor} AWG.`,
    })
  if (typeof breaker === 'number' && typeof agreedBreaker === 'number' && breaker !== agreedBreaker)
    found.push({
      ...{ name: 'breaker', label: 'Interruptor instalado' },
      message: `Se acordó de ${agreedBreaker} A y se puso de ${breaker} A.`,
    })
  if (
    typeof metres === 'number' &&
    typeof agreedMetres === 'number' &&
    metres > agreedMetres * (1 + moreMetres) + 1e-9
  )
    found.push({
      ...{ name: 'metres', label: 'Metros reales de cable' },
      message: `Se acordaron ${figure(agreedMetres, 1)} m y se pusieron ${figure(metres, 1)} m.`,
    })
  return found
}
