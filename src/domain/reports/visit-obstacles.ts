import { figure } from '../shared/format.ts'
import { polesOf, type Supply, voltsOf } from './preliminary-calculation.ts'
import type { Answers } from './sheet.ts'

/** How far a measured voltage may be from that of its supply. */
const tolerance = 0.1
/** Between neutral and earth, in volts. */
export const mostVoltsNG = 2

/** Whether a voltage is within ±10 % of what it should be. */
export const isWithin = (volts: number, nominal: number) =>
  Math.abs(volts - nominal) <= tolerance * nominal + 1e-9

/** Volts of a supply from each phase to neutral. */
const toNeutral: Record<Supply, number> = { single: 127, split: 120, two: 127, three: 127 }

/** Volts at a charger, by how it and the house are fed; null where a report says neither. */
export function voltsAtCharger({ chargerSupply, meterChoice, supply }: Answers): number | null {
  if (typeof chargerSupply !== 'string') return null
  const charger = chargerSupply as Supply
  // A second meter brings a supply of its own.
  const house = typeof supply === 'string' && meterChoice !== 'second' ? (supply as Supply) : charger
  if (charger === 'single') return toNeutral[house]
  return house === 'single' ? voltsOf[charger] : voltsOf[house]
}

/** What in a report's measures keeps the installation from being viable as things are, in words. */
export function obstacles(answers: Answers): string[] {
  const { groundOk, sparePoles, voltsNG } = answers
  const poles = typeof answers.chargerSupply === 'string' ? polesOf[answers.chargerSupply as Supply] : 1
  return [
    ...oddVolts(answers),
    ...(typeof voltsNG === 'number' && voltsNG > mostVoltsNG
      ? [`hay ${figure(voltsNG, 1)} V de neutro a tierra`]
      : []),
    ...(groundOk === false ? ['la tierra física no está bien'] : []),
    ...(typeof sparePoles === 'number' && sparePoles < poles
      ? [sparePoles === 0 ? 'no hay polos libres' : `no alcanzan los polos libres: hacen falta ${poles}`]
      : []),
    ...(lacksPhases(answers) ? ['el cargador es trifásico y la casa no'] : []),
  ]
}

function oddVolts(answers: Answers): string[] {
  if (typeof answers.supply !== 'string') return []
  const supply = answers.supply as Supply
  const measured = [
    { name: 'voltsL1N', label: 'L1 a neutro', nominal: toNeutral[supply], phases: 1 },
    { name: 'voltsL2N', label: 'L2 a neutro', nominal: toNeutral[supply], phases: 2 },
    { name: 'voltsL3N', label: 'L3 a neutro', nominal: toNeutral[supply], phases: 3 },
    { name: 'voltsL1L2', label: 'L1 a L2', nominal: voltsOf[supply], phases: 2 },
  ]
  return measured.flatMap(({ label, name, nominal, phases }) => {
    const value = answers[name]
    if (typeof value !== 'number' || phases > phasesOf[supply] || isWithin(value, nominal)) return []
    return [`${label} mide ${figure(value, 1)} V y lo normal son ${nominal} V`]
  })
}
const phasesOf: Record<Supply, number> = { single: 1, split: 2, two: 2, three: 3 }

/** Whether a charger of three phases would hang on a house that has fewer. */
export const lacksPhases = ({ chargerSupply, meterChoice, supply }: Answers) =>
  chargerSupply === 'three' && typeof supply === 'string' && supply !== 'three' && meterChoice !== 'second'
