import type { ConditionKind, Finding } from '../projects/conditions.ts'
import { type Calculation, calculate, conductors, dropOf, mostDrop, type Supply } from './circuit.ts'
import {
  askedOf,
  chargingOf,
  type Demand,
  demandOf,
  type Feeder,
  type House,
  isOtherSupply,
  limitedAmps,
  whyLoadIncrease,
} from './demand.ts'
import type { Answers } from './report.ts'

/**
 * The preliminary calculation of a visit report, as far as its answers suffice; demand is null until the house is
 * known, and where a second meter feeds the charger.
 */
export function calculationOf(answers: Answers): { circuit: Calculation; demand: Demand | null } | null {
  const { chargerDistance, terminals75 } = answers
  const charger = chargerOf(answers)
  if (!charger || typeof chargerDistance !== 'number') return null
  const circuit = calculate({ ...charger, metres: chargerDistance, terminals75: terminals75 === true })
  return { circuit, demand: loadIn(answers, { amps: circuit.amps, supply: charger.supply }) }
}

/** The charger of a report, as the calculation takes it; null until it is known. */
export function chargerOf({ chargerAmps, chargerKilowatts, chargerSupply }: Answers) {
  const [kilowatts, plateAmps] = [chargerKilowatts, chargerAmps].map((one) =>
    typeof one === 'number' ? one : null,
  ) as [number | null, number | null]
  if (typeof chargerSupply !== 'string' || (kilowatts === null && plateAmps === null)) return null
  return { supply: chargerSupply as Supply, kilowatts: kilowatts ?? 0, plateAmps }
}

function loadIn(answers: Answers, charger: { amps: number; supply: Supply }): Demand | null {
  const house = answers.meterChoice === 'second' ? null : houseOf(answers)
  return house && demandOf(house, charger)
}

/** The house of a report, as the calculation takes it; null until it is known. */
export function houseOf(answers: Answers): House | null {
  const { area, contractedKilowatts, loads, mainBreaker, supply } = answers
  if (typeof supply !== 'string' || typeof mainBreaker !== 'number' || typeof area !== 'number') return null
  if (!Array.isArray(loads)) return null
  const contracted = typeof contractedKilowatts === 'number' ? contractedKilowatts : null
  return { area, loads, mainBreaker, contracted, supply: supply as Supply, feeder: feederOf(answers) }
}

const feederOf = ({ feederGauge, feederMetres }: Answers): Feeder | null =>
  typeof feederGauge === 'string' && typeof feederMetres === 'number'
    ? { gauge: feederGauge, metres: feederMetres }
    : null

/** Why the contract with CFE must grow, in words; empty where it need not, as with a separate meter for the charger. */
export function increaseReasons(answers: Answers): string[] {
  const { chargerSupply, meterChoice, supply } = answers
  if (typeof supply !== 'string' || typeof chargerSupply !== 'string' || meterChoice === 'second') return []
  const demand = calculationOf(answers)?.demand ?? null
  return whyLoadIncrease(demand, supply as Supply, chargerSupply as Supply)
}

/** The voltage drops of a report's circuit with each conductor that carries it, its feeder's added, in percent. */
export function dropsOf(answers: Answers) {
  const found = calculationOf(answers)
  const feeder = found?.demand?.feederDrop ?? 0
  return (found?.circuit.choices ?? [])
    .filter(({ carries }) => carries)
    .map(({ drop, gauge }) => ({ gauge, total: feeder + drop, fits: feeder + drop <= mostDrop + 1e-9 }))
}

/** The amperes to which the charger of a report may be set until its house bears all of it; null where none. */
export function limitOf(answers: Answers): number | null {
  const [house, charger] = [houseOf(answers), chargerOf(answers)]
  const amps = calculationOf(answers)?.circuit.amps
  if (!house || !charger || amps === undefined || isOtherSupply(house.supply, charger.supply)) return null
  return limitedAmps(house, { amps, supply: charger.supply })
}

/**
 * The load that CFE is asked for, in kW: what the report calculated, rounded up to the next whole kW that it contracts; for
 * a meter of its own the charger's alone. Null where the report does not say enough.
 */
export function requestedLoad(answers: Answers, apart: boolean): number | null {
  const found = calculationOf(answers)
  if (!found) return null
  if (!apart) return found.demand && askedOf(found.demand)
  const needed = chargingOf({ amps: found.circuit.amps, supply: answers.chargerSupply as Supply }) / 1000
  return askedOf({ needed, contracted: null })
}

/**
 * Whether the house of a report bears its charger once CFE gives it a load in kW, with the supply that it prepares for
 * that; true where the report does not know the house.
 */
export function bearsWith(answers: Answers, kilowatts: number): boolean {
  const grown =
    kilowatts > 10 ? 'three' : kilowatts > 5 && answers.supply === 'single' ? 'two' : answers.supply
  return increaseReasons({ ...answers, contractedKilowatts: kilowatts, supply: grown ?? null }).length === 0
}

/** Why an installation is not approved, nor energized, before a condition is met. */
export const whyHeld: Record<ConditionKind, string> = {
  load_increase: 'La casa no aguanta este cargador hasta que CFE aumente la carga.',
  second_meter: 'El cargador va con un segundo medidor, y CFE todavía no lo instala.',
  works: 'Faltan las adecuaciones que pidió la visita.',
  uvie: 'Falta el dictamen de la UVIE.',
}

/** What a visit's report finds that must be met before its charger is used. */
export function findingsOf(answers: Answers): Finding[] {
  const { feasibility, feasibilityReason, loadIncrease, meterChoice, needsUvie } = answers
  const apart = meterChoice === 'second'
  const found: [Finding['kind'], boolean][] = [
    ['second_meter', apart],
    ['load_increase', !apart && loadIncrease === true],
    ['works', feasibility === 'with_works'],
    ['uvie', needsUvie === true],
  ]
  return found.flatMap(([kind, isFound]) => {
    if (!isFound) return []
    const why = kind === 'works' && typeof feasibilityReason === 'string' ? feasibilityReason : null
    return [{ kind, limitAmps: kind === 'load_increase' ? limitOf(answers) : null, why }]
  })
}

/** The current of an installed charger for hours, in amperes: what it was set to, else what its visit calculated. */
export const setCurrentOf = ({ agreedAmps, chargerSet }: Answers): number | null =>
  typeof chargerSet === 'number' ? chargerSet : typeof agreedAmps === 'number' ? agreedAmps : null

/** The voltage drop of an installed circuit over its real metres, its feeder's added, in percent; null until it is known. */
export function installedDrop(answers: Answers): number | null {
  const { agreedFeederDrop, agreedSupply, conductor, metres } = answers
  const [amps, facts] = [setCurrentOf(answers), conductors.find(({ gauge }) => gauge === conductor)]
  if (amps === null || !facts || typeof metres !== 'number' || typeof agreedSupply !== 'string') return null
  return Number(agreedFeederDrop ?? 0) + dropOf(facts.gauge, { metres, supply: agreedSupply as Supply }, amps)
}
