import { figure } from '../shared/format.ts'
import { breakers, conductors, phaseFactor, type Supply, supplies, voltsOf } from './circuit.ts'
import type { HouseLoad, LoadKind } from './report.ts'

type FeederFacts = { gauge: string; amps: number; ohmsPerKm: number }

/** Copper above 1 AWG, by its ampacity at 75 °C (110-14(c)(1)(b)), and its resistance in Ω/km (table 9). */
const thick: readonly FeederFacts[] = [
  { gauge: '1/0', amps: 150, ohmsPerKm: 0.39 },
  { gauge: '2/0', amps: 175, ohmsPerKm: 0.33 },
  { gauge: '3/0', amps: 200, ohmsPerKm: 0.253 },
  { gauge: '4/0', amps: 230, ohmsPerKm: 0.203 },
]
/** The conductors of a feeder from the meter to the panel: up to 1 AWG at 60 °C, since nobody saw both of its terminals. */
export const feeders: readonly FeederFacts[] = [
  ...conductors.map(({ amps60: amps, gauge, ohmsPerKm }) => ({ gauge, amps, ohmsPerKm })),
  ...thick,
]

/** The feeder of a house: its gauge, and its metres from the meter to the panel. */
export type Feeder = { gauge: string; metres: number }

/**
 * The facts that a house's demand depends on: floor area in m², contracted load with CFE in kW (null where not asked),
 * main breaker in amperes; no feeder where a report does not ask for it.
 */
export type House = {
  area: number
  loads: readonly HouseLoad[]
  mainBreaker: number
  contracted: number | null
  supply: Supply
  feeder: Feeder | null
}

/** The demand of a house with its charger and what carries it. Powers in kVA, currents in amperes of one phase. */
export type Demand = {
  /** Lighting, circuits and appliances before the factors, without air conditioning or heating. */
  connected: number
  /** The larger of air conditioning and heating. */
  climate: number
  charging: number
  needed: number
  /** The house alone on each of its phases. */
  houseAmps: number
  /** The phase that carries the charger. */
  amps: number
  /** The smaller of main breaker and feeder. */
  capacity: number
  isFeederLeast: boolean
  contracted: number | null
  exceeds: boolean
  /** The voltage drop along the feeder, in percent. */
  feederDrop: number
}

/** Load of an existing house (220-83): lighting and outlets by m² (220-12), two kitchen circuits and one for laundry (220-52). */
export const loadRules = { vaPerSquareMetre: 33, kitchen: 2 * 1500, laundry: 1500, whole: 8000, rest: 0.4 }

/** The share of a charger's current that its circuit is sized for, as a continuous load (210-20(a), 625-21). */
const continuous = 1.25

const wattsOf = (loads: readonly HouseLoad[], kind: LoadKind) =>
  loads.reduce((sum, load) => sum + (kindOf(load) === kind ? load.quantity * load.watts : 0), 0)
/** A row without a kind, from a phone that did not ask for it, counts in full. */
const kindOf = ({ kind }: HouseLoad): LoadKind => kind ?? 'cooling'

/** Volt-amperes of an ampere on each phase. */
const perAmpere = (supply: Supply) => voltsOf[supply] * phaseFactor(supply)

/** What a charger takes for hours, at 125 %, in VA (210-20(a), 625-21). */
export const chargingOf = ({ amps, supply }: { amps: number; supply: Supply }) =>
  continuous * amps * perAmpere(supply)

/**
 * The demand of a house (220-83): the first 8 kVA in full and the rest at 40 %, plus the larger of air conditioning and
 * heating in full, shared evenly by its phases; the charger at 125 % on those that it uses.
 */
export function demandOf(house: House, charger: { amps: number; supply: Supply }): Demand {
  const { area, contracted, feeder, loads, mainBreaker, supply } = house
  const { kitchen, laundry, rest, vaPerSquareMetre, whole } = loadRules
  const connected = vaPerSquareMetre * area + kitchen + laundry + wattsOf(loads, 'other')
  const climate = Math.max(wattsOf(loads, 'cooling'), wattsOf(loads, 'heating'))
  const alone = Math.min(connected, whole) + rest * Math.max(connected - whole, 0) + climate
  const charging = chargingOf(charger)
  const needed = (alone + charging) / 1000
  const houseAmps = alone / perAmpere(supply)
  const amps = houseAmps + continuous * charger.amps
  const ofFeeder = feeders.find(({ gauge }) => gauge === feeder?.gauge)
  const bears = ofFeeder?.amps ?? Number.POSITIVE_INFINITY
  const capacity = Math.min(mainBreaker, bears)
  const there = supply === 'three' ? phaseFactor(supply) : 2
  return {
    connected: connected / 1000,
    climate: climate / 1000,
    charging: charging / 1000,
    needed,
    houseAmps,
    amps,
    capacity,
    isFeederLeast: bears < mainBreaker,
    contracted,
    exceeds: amps > capacity + 1e-9 || needed > (contracted ?? needed) + 1e-9,
    feederDrop: ofFeeder
      ? (100 * there * (feeder!.metres / 1000) * amps * ofFeeder.ohmsPerKm) / voltsOf[supply]
      : 0,
  }
}

/** The least current to which a charger can be set, in amperes (IEC 61851-1). */
const leastSet = 6

/**
 * The largest whole number of amperes to which a charger may be set until its house bears all of it; null where it
 * bears not even the least.
 */
export function limitedAmps(house: House, charger: { amps: number; supply: Supply }): number | null {
  const { capacity, contracted, houseAmps } = demandOf(house, { ...charger, amps: 0 })
  const byPhase = (capacity - houseAmps) / continuous
  const alone = (houseAmps * perAmpere(house.supply)) / 1000
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

/**
 * Why a feeder does not suit its main breaker: it may be of the next size above what the feeder bears (240-4(b)), no
 * larger; null where it does.
 */
export function overFeeder({ feeder, mainBreaker }: Pick<House, 'feeder' | 'mainBreaker'>): string | null {
  const bears = feeders.find(({ gauge }) => gauge === feeder?.gauge)?.amps
  if (bears === undefined || mainBreaker <= (breakers.find((size) => size >= bears) ?? bears)) return null
  return `la pastilla principal es de ${mainBreaker}\u00a0A y su alimentador de ${feeder!.gauge}\u00a0AWG aguanta ${bears}\u00a0A`
}

/** The largest load in kW for which CFE prepares a supply; null where its specifications set no limit. */
const mostContracted: Record<Supply, number | null> = { single: 5, split: 10, two: 10, three: null }

/** Whether a house's supply cannot feed a charger: three phases, or two hots, where the house has none. */
export const isOtherSupply = (house: Supply, charger: Supply) =>
  (charger === 'three' && house !== 'three') || (house === 'single' && charger !== 'single')

/**
 * Why the contract with CFE must grow for a charger on the house's own meter, in words; empty where it need not.
 * `demand` is null until it is known.
 */
export function whyLoadIncrease(demand: Demand | null, house: Supply, charger: Supply): string[] {
  return [
    ...(demand ? overWords(demand, house) : []),
    ...(isOtherSupply(house, charger)
      ? [`El cargador pide ${named(charger)} y la casa tiene ${named(house)}.`]
      : []),
  ]
}

function overWords(demand: Demand, house: Supply): string[] {
  const { amps, capacity, contracted, isFeederLeast, needed } = demand
  const most = mostContracted[house]
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
      `CFE prepara un suministro ${named(house)} hasta para ${most}\u00a0kW: hace falta otro suministro, o un segundo medidor.`,
    )
  return words
}

const named = (supply: Supply) => supplies[supply].toLowerCase().replace(/v$/, 'V')
