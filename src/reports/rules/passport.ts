import { figure } from '../../shared/format.ts'
import {
  breakers,
  type Calculation,
  calculate,
  conductors,
  dropAlong,
  dropOf,
  mostDrop,
  phaseFactor,
  type Supply,
  supplies,
  voltsOf,
} from './circuit.ts'
import type { Answers, Condition, ConditionKind, Finding, HouseLoad, LoadKind } from './report.ts'

type FeederFacts = { gauge: string; amps: number; ohmsPerKm: number }

/** Copper above 1 AWG, by its ampacity at 75 °C (110-14(c)(1)(b)), and its resistance in Ω/km (table 9). */
const thick: readonly FeederFacts[] = [
  { gauge: '1/0', amps: 150, ohmsPerKm: 0.39 },
  { gauge: '2/0', amps: 175, ohmsPerKm: 0.33 },
  { gauge: '3/0', amps: 200, ohmsPerKm: 0.253 },
  { gauge: '4/0', amps: 230, ohmsPerKm: 0.203 },
]
/** The conductors of a feeder from the meter to the panel: up to 1 AWG at 60 °C, as the marks of both terminals are unknown. */
export const feeders: readonly FeederFacts[] = [
  ...conductors.map(({ amps60: amps, gauge, ohmsPerKm }) => ({ gauge, amps, ohmsPerKm })),
  ...thick,
]

/** The feeder of a home: its gauge, and its metres from the meter to the panel. */
export type Feeder = { gauge: string; metres: number }

/**
 * The facts that a home's demand depends on: floor area in m², contracted load with CFE in kW (null where not asked),
 * main breaker in amperes; no feeder where a report does not ask for it.
 */
export type HomeFacts = {
  area: number
  loads: readonly HouseLoad[]
  mainBreaker: number
  contracted: number | null
  supply: Supply
  feeder: Feeder | null
}

/** The demand of a home with its charger and what carries it. Powers in kVA, currents in amperes of one phase. */
export type Demand = {
  /** Lighting, circuits and appliances before the factors, without air conditioning or heating. */
  connected: number
  /** What counts in full: the larger of air conditioning and heating, and rows without a kind. */
  climate: number
  charging: number
  needed: number
  /** The home alone on each of its phases. */
  homeAmps: number
  /** The phase that carries the charger. */
  amps: number
  /** The smaller of main breaker and feeder. */
  capacity: number
  isFeederLeast: boolean
  contracted: number | null
  exceeds: boolean
  /** The voltage drop along the feeder, in percent: the home's over its phases, and the charger's over those that it uses. */
  feederDrop: number
}

/** Load of an existing home (220-83): lighting and outlets by m² (220-12), two kitchen circuits and one for laundry (220-52). */
export const loadRules = { vaPerSquareMetre: 33, kitchen: 2 * 1500, laundry: 1500, whole: 8000, rest: 0.4 }

/** The share of a charger's current that its circuit is sized for, as a continuous load (210-20(a), 625-21). */
const continuous = 1.25

const wattsOf = (loads: readonly HouseLoad[], kind?: LoadKind) =>
  loads.reduce((sum, load) => sum + (load.kind === kind ? load.quantity * load.watts : 0), 0)

/** Volt-amperes of an ampere on each phase. */
const perAmpere = (supply: Supply) => voltsOf[supply] * phaseFactor(supply)

/** What a charger takes for hours, at 125 %, in VA (210-20(a), 625-21). */
export const chargingOf = ({ amps, supply }: { amps: number; supply: Supply }) =>
  continuous * amps * perAmpere(supply)

/**
 * The demand of a home (220-83): the first 8 kVA in full and the rest at 40 %, plus the larger of air conditioning and
 * heating in full, shared evenly by its phases; the charger at 125 % on those that it uses.
 */
export function demandOf(home: HomeFacts, charger: { amps: number; supply: Supply }): Demand {
  const { area, contracted, feeder, loads, mainBreaker, supply } = home
  const { kitchen, laundry, rest, vaPerSquareMetre, whole } = loadRules
  const connected = vaPerSquareMetre * area + kitchen + laundry + wattsOf(loads, 'other')
  // A row without a kind, from a phone that did not ask for it, counts in full too.
  const climate = Math.max(wattsOf(loads, 'cooling'), wattsOf(loads, 'heating')) + wattsOf(loads)
  const alone = Math.min(connected, whole) + rest * Math.max(connected - whole, 0) + climate
  const charging = chargingOf(charger)
  const needed = (alone + charging) / 1000
  const homeAmps = alone / perAmpere(supply)
  const amps = homeAmps + continuous * charger.amps
  const ofFeeder = feeders.find(({ gauge }) => gauge === feeder?.gauge)
  const bears = ofFeeder?.amps ?? Number.POSITIVE_INFINITY
  const capacity = Math.min(mainBreaker, bears)
  const metres = feeder?.metres ?? 0
  return {
    connected: connected / 1000,
    climate: climate / 1000,
    charging: charging / 1000,
    needed,
    homeAmps,
    amps,
    capacity,
    isFeederLeast: bears < mainBreaker,
    contracted,
    exceeds: amps > capacity + 1e-9 || needed > (contracted ?? needed) + 1e-9,
    feederDrop: ofFeeder
      ? dropAlong(ofFeeder, { metres, supply }, homeAmps) +
        dropAlong(ofFeeder, { metres, supply: charger.supply }, continuous * charger.amps)
      : 0,
  }
}

/** The least current to which a charger can be set, in amperes (IEC 61851-1). */
const leastSet = 6

/**
 * The largest whole number of amperes to which a charger may be set until its home bears all of it; null where it
 * bears not even the least.
 */
export function limitedAmps(home: HomeFacts, charger: { amps: number; supply: Supply }): number | null {
  const { capacity, contracted, homeAmps } = demandOf(home, { ...charger, amps: 0 })
  const byPhase = (capacity - homeAmps) / continuous
  const alone = (homeAmps * perAmpere(home.supply)) / 1000
  const byContract =
    contracted === null
      ? Number.POSITIVE_INFINITY
      : (1000 * (contracted - alone)) / continuous / perAmpere(charger.supply)
  const bears = Math.floor(Math.min(byPhase, byContract, charger.amps) + 1e-9)
  return bears >= leastSet ? bears : null
}

/** The load in kW that CFE is asked for: the demand, rounded up to the next whole kW that it contracts. */
export const askedOf = ({ contracted, needed }: Pick<Demand, 'contracted' | 'needed'>): number =>
  Math.max(Math.ceil(needed - 1e-9), contracted ?? 0)

/** Standard breakers (240-6(a)), and above 100 A those that stand next to a feeder's ampacity. */
const mainBreakers: readonly number[] = [...breakers, 110, 150, 175, 200, 250]

/**
 * Why a feeder does not suit its main breaker: it may be of the next size above what the feeder bears (240-4(b)), no
 * larger; null where it does.
 */
export function overFeeder({
  feeder,
  mainBreaker,
}: Pick<HomeFacts, 'feeder' | 'mainBreaker'>): string | null {
  const bears = feeders.find(({ gauge }) => gauge === feeder?.gauge)?.amps
  if (bears === undefined || mainBreaker <= mainBreakers.find((size) => size >= bears)!) return null
  return `la pastilla principal es de ${mainBreaker}\u00a0A y su alimentador de ${feeder!.gauge}\u00a0AWG aguanta ${bears}\u00a0A`
}

/** The largest load in kW for which CFE prepares a supply; null where its specifications set no limit. */
const mostContracted: Record<Supply, number | null> = { single: 5, split: 10, two: 10, three: null }

/** Whether a home's supply cannot feed a charger: three phases, or two hots, where the home has none. */
export const isOtherSupply = (home: Supply, charger: Supply) =>
  (charger === 'three' && home !== 'three') || (home === 'single' && charger !== 'single')

/**
 * Why the contract with CFE must grow for a charger on the home's own meter, in words; empty where it need not.
 * `demand` is null until it is known.
 */
export function whyLoadIncrease(demand: Demand | null, home: Supply, charger: Supply): string[] {
  return [
    ...(demand ? overWords(demand, home) : []),
    ...(isOtherSupply(home, charger)
      ? [`El cargador pide ${named(charger)} y la casa tiene ${named(home)}.`]
      : []),
  ]
}

function overWords(demand: Demand, home: Supply): string[] {
  const { amps, capacity, contracted, isFeederLeast, needed } = demand
  const most = mostContracted[home]
  const isOverContract = contracted !== null && needed > contracted + 1e-9
  const bearer = isFeederLeast ? 'tu alimentador aguanta' : 'tu pastilla principal es de'
  const words = []
  if (amps > capacity + 1e-9)
    words.push(
      `La fase del cargador llega a ${figure(amps, 1)}\u00a0A y ${bearer} ${figure(capacity, 0)}\u00a0A.`,
    )
  if (isOverContract) words.push('La demanda con el cargador pasa de los kW contratados con CFE.')
  if (isOverContract && most !== null && needed > most)
    words.push(
      `CFE prepara un suministro ${named(home)} hasta para ${most}\u00a0kW: hace falta otro suministro, o un segundo medidor.`,
    )
  return words
}

const named = (supply: Supply) => supplies[supply].toLowerCase().replace(/v$/, 'V')

/**
 * The preliminary calculation of a visit report, as far as its answers suffice; demand is null until the home is
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
  const kilowatts = typeof chargerKilowatts === 'number' ? chargerKilowatts : null
  const plateAmps = typeof chargerAmps === 'number' ? chargerAmps : null
  if (typeof chargerSupply !== 'string' || (kilowatts === null && plateAmps === null)) return null
  return { supply: chargerSupply as Supply, kilowatts: kilowatts ?? 0, plateAmps }
}

function loadIn(answers: Answers, charger: { amps: number; supply: Supply }): Demand | null {
  const home = answers.meterChoice === 'second' ? null : homeFactsOf(answers)
  return home && demandOf(home, charger)
}

/** The home of a report, as the calculation takes it; null until it is known. */
export function homeFactsOf(answers: Answers): HomeFacts | null {
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

/** The amperes to which the charger of a report may be set until its home bears all of it; null where none. */
export function chargerLimitOf(answers: Answers): number | null {
  const home = homeFactsOf(answers)
  const charger = chargerOf(answers)
  const amps = calculationOf(answers)?.circuit.amps
  if (!home || !charger || amps === undefined || isOtherSupply(home.supply, charger.supply)) return null
  return limitedAmps(home, { amps, supply: charger.supply })
}

/**
 * The largest current for hours that the home of a report bears, whatever its charger's plate says, in amperes; null where
 * a meter of its own feeds the charger, or it is not known.
 */
export function mostAmpsOf(answers: Answers): number | null {
  const home = answers.meterChoice === 'second' ? null : homeFactsOf(answers)
  const charger = chargerOf(answers)
  return home && charger && limitedAmps(home, { amps: Number.POSITIVE_INFINITY, supply: charger.supply })
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
 * Whether the home of a report bears its charger once CFE contracts more kW: another supply, main breaker or feeder is
 * measured by another visit.
 */
export const bearsWith = (answers: Answers, kilowatts: number): boolean =>
  kilowatts > Number(answers.contractedKilowatts ?? 0) &&
  increaseReasons({ ...answers, contractedKilowatts: kilowatts }).length === 0

/** Why an installation is not approved, nor energized, before a condition is met. */
export const whyHeld: Record<ConditionKind, string> = {
  load_increase: 'La casa no aguanta este cargador hasta que CFE aumente la carga.',
  second_meter: 'El cargador va con un segundo medidor, y CFE todavía no lo instala.',
  works: 'Faltan las adecuaciones que pidió la visita.',
  uvie: 'Falta el dictamen de la UVIE.',
}

/** What a visit's report finds that must be met before its charger is used. */
export function findingsOf(answers: Answers): Finding[] {
  const { feasibility, loadIncrease, meterChoice, needsUvie } = answers
  const apart = meterChoice === 'second'
  // Without a reason of the calculation it knows no current that the home bears.
  const reasons = increaseReasons(answers)
  const found: [Finding['kind'], boolean][] = [
    ['second_meter', apart],
    ['load_increase', !apart && loadIncrease === true],
    ['works', feasibility === 'with_works'],
    ['uvie', needsUvie === true],
  ]
  return found
    .filter(([, isFound]) => isFound)
    .map(([kind]) => ({
      kind,
      limitAmps: kind === 'load_increase' && reasons.length > 0 ? chargerLimitOf(answers) : null,
    }))
}

/** The current of an installed charger for hours, in amperes: what it was set to, else what its visit calculated. */
export const setCurrentOf = ({ agreedAmps, chargerSet }: Answers): number | null =>
  typeof chargerSet === 'number' ? chargerSet : typeof agreedAmps === 'number' ? agreedAmps : null

/** The voltage drop of an installed circuit over its real metres, its feeder's added, in percent; null until it is known. */
export function installedDrop(answers: Answers): number | null {
  const { agreedFeederDrop, agreedSupply, conductor, metres } = answers
  const amps = setCurrentOf(answers)
  const facts = conductors.find(({ gauge }) => gauge === conductor)
  if (amps === null || !facts || typeof metres !== 'number' || typeof agreedSupply !== 'string') return null
  return Number(agreedFeederDrop ?? 0) + dropOf(facts.gauge, { metres, supply: agreedSupply as Supply }, amps)
}

/**
 * The conditions that keep an installation from being approved: not those that its record answers itself, nor one that a
 * charger set to less waits for.
 */
export const holding = (conditions: readonly Condition[], chargerSet: number | null): Condition[] =>
  conditions.filter(
    ({ isMet, kind, limitAmps }) =>
      !isMet && kind !== 'works' && (limitAmps === null || chargerSet === null || chargerSet > limitAmps),
  )

/** The current to which a charger may be set at most while the home waits for more load; null where nothing limits it. */
export const limitIn = (conditions: readonly Condition[]): number | null =>
  conditions.find(({ isMet, limitAmps }) => !isMet && limitAmps !== null)?.limitAmps ?? null
