import { figure } from '../../shared/format.ts'
import { conduitFor, conduits, type Gauge, mostDrop, polesOf, type Supply, voltsOf } from './circuit.ts'
import { dropsOf, homeFactsOf, overFeeder } from './passport.ts'
import type { Answers } from './report.ts'

/** The accepted difference of a measured voltage from its supply's, as a fraction (sin fuente). */
const tolerance = 0.1

/** The highest voltage between neutral and earth, in volts (sin fuente). */
const mostVoltsNG = 2

/** Whether a voltage is within ±10 % of its nominal value. */
const isWithin = (volts: number, nominal: number) => Math.abs(volts - nominal) <= tolerance * nominal + 1e-9

/** Volts of a supply from each phase to neutral. */
const toNeutral: Record<Supply, number> = { single: 127, split: 120, two: 127, three: 127 }

/** Volts at a charger, by its supply and the home's; null where a report states neither. */
export function voltsAtCharger({ chargerSupply, meterChoice, supply }: Answers): number | null {
  if (typeof chargerSupply !== 'string') return null
  const charger = chargerSupply as Supply
  // A second meter has its own supply.
  const house = typeof supply === 'string' && meterChoice !== 'second' ? (supply as Supply) : charger
  if (charger === 'single') return toNeutral[house]
  return house === 'single' ? voltsOf[charger] : voltsOf[house]
}

/** The measurements of a report that prevent the installation as things are, in words. */
export function obstacles(answers: Answers): string[] {
  const { groundOk, sparePoles, voltsNG } = answers
  const poles = typeof answers.chargerSupply === 'string' ? polesOf[answers.chargerSupply as Supply] : 1
  return [
    ...oddVolts(answers),
    ...(typeof voltsNG === 'number' && voltsNG > mostVoltsNG
      ? [`hay ${figure(voltsNG, 1)}\u00a0V de neutro a tierra`]
      : []),
    ...(groundOk === false ? ['la tierra física no está bien'] : []),
    ...(typeof sparePoles === 'number' && sparePoles < poles
      ? [sparePoles === 0 ? 'no hay polos libres' : `no alcanzan los polos libres: hacen falta ${poles}`]
      : []),
    ...(lacksPhases(answers) ? ['el cargador es trifásico y la casa no'] : []),
    ...ofFeeder(answers),
  ]
}

/** The obstacles of a home's feeder. A second meter gets a new one. */
function ofFeeder(answers: Answers): string[] {
  if (answers.meterChoice === 'second') return []
  const home = homeFactsOf(answers)
  const over = home && overFeeder(home)
  const drops = dropsOf(answers)
  const isFar = drops.length > 0 && !drops.some(({ fits }) => fits)
  return [
    ...(over ? [over] : []),
    ...(answers.feederGauge === 'unknown' ? ['no se sabe qué aguanta el alimentador'] : []),
    ...(isFar ? [`con ningún calibre la caída baja de ${mostDrop}\u00a0%`] : []),
  ]
}

/** The measured voltages of a home: between what, and of how many phases. */
const measuredVolts = [
  { name: 'voltsL1N', label: 'L1 a neutro', volts: toNeutral, phases: 1 },
  { name: 'voltsL2N', label: 'L2 a neutro', volts: toNeutral, phases: 2 },
  { name: 'voltsL3N', label: 'L3 a neutro', volts: toNeutral, phases: 3 },
  { name: 'voltsL1L2', label: 'L1 a L2', volts: voltsOf, phases: 2 },
  { name: 'voltsL2L3', label: 'L2 a L3', volts: voltsOf, phases: 3 },
  { name: 'voltsL1L3', label: 'L1 a L3', volts: voltsOf, phases: 3 },
] as const

function oddVolts(answers: Answers): string[] {
  if (typeof answers.supply !== 'string') return []
  const supply = answers.supply as Supply
  return measuredVolts.flatMap(({ label, name, phases, volts }) => {
    const value = answers[name]
    const nominal = volts[supply]
    if (typeof value !== 'number' || phases > phasesOf[supply] || isWithin(value, nominal)) return []
    return [`${label} mide ${figure(value, 1)}\u00a0V y lo normal son ${nominal}\u00a0V`]
  })
}

/** The usual values of a measurement, by the supply it is of; both ends count. */
type Usual = { from: number; to: number }

/** What a measurement usually is, where its supply tells; null for what has no such range. */
export function usualOf(name: string, answers: Answers): Usual | null {
  if (name === 'voltsNG' || name === 'testVoltsNG') return { from: 0, to: mostVoltsNG }
  if (name === 'testVolts')
    return typeof answers.agreedVolts === 'number' ? around(answers.agreedVolts) : null
  const measured = measuredVolts.find((one) => one.name === name)
  return measured && typeof answers.supply === 'string'
    ? around(measured.volts[answers.supply as Supply])
    : null
}

const around = (nominal: number): Usual => ({
  from: (1 - tolerance) * nominal,
  to: (1 + tolerance) * nominal,
})

/** Whether a measurement is what it usually is. */
export const isUsual = (measured: number, { from, to }: Usual) =>
  measured >= from - 1e-9 && measured <= to + 1e-9

const phasesOf: Record<Supply, number> = { single: 1, split: 2, two: 2, three: 3 }

/** Whether a three-phase charger would be fed by a home with fewer phases. */
export const lacksPhases = ({ chargerSupply, meterChoice, supply }: Answers) =>
  chargerSupply === 'three' && typeof supply === 'string' && supply !== 'three' && meterChoice !== 'second'

/** Insulation in MΩ (IEC 60364-6), ground in Ω (250-56) and load test in minutes (sin fuente) of an energized installation. */
const leastInsulation = 1
const mostGroundOhms = 25
const shortestLoadTest = 10

/**
 * The agreed values, which a record's answers hold beside its own: from the visit's report, and metres of the accepted
 * quote.
 */
export type Agreed = {
  agreedConductor: string | null
  agreedBreaker: number | null
  /** The charger's current, and the drop of the feeder in percent, by the visit's calculation. */
  agreedAmps: number | null
  /** The largest current that the home bears, whatever the charger's plate says. */
  agreedMost: number | null
  agreedFeederDrop: number | null
  agreedMetres: number | null
  /** Between the charger's conductors. */
  agreedVolts: number | null
  /** The grounding conductor that the agreed circuit asks for, and the smallest conduit that holds it. */
  agreedGround: string | null
  agreedConduit: string | null
  /** The charger's supply, by which its conductors are counted. */
  agreedSupply: string | null
  /** The home's supply, which the hand-over names. */
  agreedHouse: string | null
  /** Whether the visit found terminals marked for 75 °C. */
  agreedTerminals75: boolean
  /** The most amperes that the home bears until CFE gives it more; why it bears none; the works that the visit asked for. */
  agreedLimit: number | null
  agreedHeld: string | null
  agreedWorks: string | null
}

/** An answer that exceeds a limit or differs from what was agreed, in words. */
type Finding = { name: string; label: string; message: string }

/** The volts allowed for a charger where no report states them. */
const anyVolts = [127, 220, 240]

type Test = {
  name: string
  label: string
  unit: string
  wrong: (measured: number, answers: Answers) => string | null
}
const tests: readonly Test[] = [
  {
    name: 'testVolts',
    label: 'Voltaje en el cargador',
    unit: 'V',
    wrong: (volts, { agreedVolts }) => {
      const expected = typeof agreedVolts === 'number' ? [agreedVolts] : anyVolts
      if (expected.some((nominal) => isWithin(volts, nominal))) return null
      return `lo aceptable es ±10\u00a0% de ${expected.join(', ')}\u00a0V`
    },
  },
  {
    name: 'testVoltsNG',
    label: 'Voltaje neutro a tierra',
    unit: 'V',
    wrong: (volts) => (volts > mostVoltsNG ? `el máximo es ${mostVoltsNG}\u00a0V` : null),
  },
  {
    name: 'insulation',
    label: 'Aislamiento',
    unit: 'MΩ',
    wrong: (megaohms) => (megaohms < leastInsulation ? `el mínimo es ${leastInsulation}\u00a0MΩ` : null),
  },
  {
    name: 'groundOhms',
    label: 'Resistencia de tierra',
    unit: 'Ω',
    wrong: (ohms) => (ohms > mostGroundOhms ? `el máximo es ${mostGroundOhms}\u00a0Ω` : null),
  },
  {
    name: 'loadTestMinutes',
    label: 'Prueba de carga',
    unit: 'min',
    wrong: (minutes) => (minutes < shortestLoadTest ? `el mínimo es ${shortestLoadTest}\u00a0min` : null),
  },
  {
    name: 'loadTestAmps',
    label: 'Corriente al final',
    unit: 'A',
    wrong: (amps, { agreedLimit }) =>
      typeof agreedLimit === 'number' && amps > agreedLimit
        ? `la casa aguanta ${agreedLimit}\u00a0A hasta que CFE aumente la carga`
        : null,
  },
]

/** The tests of a record that exceed their limits, in words: with any of these the charger stays de-energized. */
export function failedTests(answers: Answers): Finding[] {
  const measured = tests.flatMap(({ label, name, unit, wrong }) => {
    const value = answers[name]
    const why = typeof value === 'number' ? wrong(value, answers) : null
    return why === null ? [] : [{ name, label, message: `${figure(Number(value), 1)}\u00a0${unit}: ${why}.` }]
  })
  const trips = answers.gfciOk !== false
  return trips
    ? measured
    : [...measured, { name: 'gfciOk', label: 'Diferencial (GFCI)', message: 'No dispara.' }]
}

/** More metres than agreed count as a deviation from this fraction on (sin fuente). */
const moreMetres = 0.1

/** What is installed as agreed, or is not: its name, that of what was agreed, its label, and the words where they differ. */
const sameAsAgreed: readonly [string, string, string, (agreed: unknown, used: unknown) => string][] = [
  [
    'conductor',
    'agreedConductor',
    'Calibre instalado',
    (agreed, used) => `Se acordó ${agreed}\u00a0AWG y se puso ${used}\u00a0AWG.`,
  ],
  [
    'breaker',
    'agreedBreaker',
    'Pastilla instalada',
    (agreed, used) => `Se acordó de ${agreed}\u00a0A y se puso de ${used}\u00a0A.`,
  ],
  [
    'groundGauge',
    'agreedGround',
    'Calibre del cable de tierra',
    (agreed, used) => `A lo acordado le toca tierra de ${agreed}\u00a0AWG y se puso de ${used}\u00a0AWG.`,
  ],
]

/** The deviations of a record from what was agreed, in words. */
export function deviations(answers: Answers): Finding[] {
  const found = sameAsAgreed.flatMap(([name, agreedName, label, words]) => {
    const used = answers[name]
    const agreed = answers[agreedName]
    return used && agreed && used !== agreed ? [{ name, label, message: words(agreed, used) }] : []
  })
  const agreed = Number(answers.agreedMetres ?? Number.POSITIVE_INFINITY)
  const metres = Number(answers.metres)
  const message = `Se acordaron ${figure(agreed, 1)}\u00a0m y se pusieron ${figure(metres, 1)}\u00a0m.`
  const isLonger = metres > agreed * (1 + moreMetres) + 1e-9
  return [
    ...found,
    ...ofConduit(answers),
    ...(isLonger ? [{ name: 'metres', label: 'Metros reales de cable', message }] : []),
  ]
}

/**
 * A conduit smaller than what was agreed asks for, or filled above 40 % by what was installed. Not an error: its wires may
 * have a thinner insulation than the table's.
 */
function ofConduit({ agreedConduit, agreedSupply, conductor, conduitSize, groundGauge }: Answers): Finding[] {
  // Records of before don't know what feeds the charger.
  const filled =
    conductor && groundGauge && agreedSupply !== undefined
      ? conduitFor(conductor as Gauge, groundGauge as Gauge, (agreedSupply ?? 'two') as Supply)
      : null
  const least = Math.max(Number(agreedConduit ?? 0), Number(filled))
  if (typeof conduitSize !== 'string' || Number(conduitSize) >= least) return []
  const used = conduits[conduitSize as keyof typeof conduits]
  const due = conduits[String(least) as keyof typeof conduits]
  const message = `Se puso tubería de ${used} y le toca de ${due}.`
  return [{ name: 'conduitSize', label: 'Tamaño de la tubería', message }]
}

/** Why a load test can't be true: it takes more minutes than have passed since its appointment began; else null. */
export function tooLongLoadTest({ loadTestMinutes: minutes }: Answers, startedAt: Date | null, now: Date) {
  if (typeof minutes !== 'number' || startedAt === null) return null
  return minutes * 60_000 > now.getTime() - startedAt.getTime()
    ? 'Son más minutos de los que han pasado desde que empezaste.'
    : null
}
