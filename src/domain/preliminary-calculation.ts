/** How a house or a charger is fed. */
export const supplies = {
  single: 'Monofásico 127 V',
  two: 'Bifásico 220 V',
  three: 'Trifásico 220 V',
} as const
export type Supply = keyof typeof supplies

export const calculationNotice = 'Cálculo preliminar, basado en NEC; confirmar con la NOM-001-SEDE vigente.'

/** Volts between the conductors of a supply. */
export const voltsOf: Record<Supply, 127 | 220> = { single: 127, two: 220, three: 220 }
const breakers = [15, 20, 30, 40, 50, 60, 70, 80, 90, 100] as const

type ConductorFacts = { gauge: string; amps60: number; amps75: number; ohmsPerKm: number }
/** Copper conductors from the thinnest: ampacity at 60 and 75 °C in amperes (NEC 310.16, 2 and 1 AWG as tabulated), resistance in Ω/km. */
export const conductors = [
  { gauge: '12', amps60: 20, amps75: 20, ohmsPerKm: 6.6 },
  { gauge: '10', amps60: 30, amps75: 30, ohmsPerKm: 3.9 },
  { gauge: '8', amps60: 40, amps75: 50, ohmsPerKm: 2.56 },
  { gauge: '6', amps60: 55, amps75: 65, ohmsPerKm: 1.61 },
  { gauge: '4', amps60: 70, amps75: 85, ohmsPerKm: 1.02 },
  { gauge: '3', amps60: 85, amps75: 100, ohmsPerKm: 0.82 },
  { gauge: '2', amps60: 95, amps75: 115, ohmsPerKm: 0.62 },
  { gauge: '1', amps60: 110, amps75: 130, ohmsPerKm: 0.49 },
] as const satisfies readonly ConductorFacts[]
export type Gauge = (typeof conductors)[number]['gauge']

/** A drop above the first is warned about, above the second it needs a note, in percent. */
export const dropLimits = { warns: 3, needsNote: 5 } as const

/** A charger's circuit: power in kW or the plate's amperes, one-way length in metres; whether both terminals are marked for 75 °C. */
export type Circuit = {
  supply: Supply
  kilowatts: number
  plateAmps: number | null
  metres: number
  terminals75: boolean
}

/** The current a charger takes, in amperes: its plate's, or what follows from its power. */
export function currentOf({ kilowatts, plateAmps, supply }: Omit<Circuit, 'metres' | 'terminals75'>): number {
  if (plateAmps !== null) return plateAmps
  const perPhase = supply === 'three' ? Math.sqrt(3) : 1
  return (kilowatts * 1000) / (perPhase * voltsOf[supply])
}

/** The first standard breaker that carries 125 % of a current, in amperes; null when none does. */
export const breakerFor = (amps: number): number | null =>
  breakers.find((size) => size >= 1.25 * amps - 1e-9) ?? null

/** What a conductor carries, in amperes; 75 °C counts only where both terminals are marked for it. */
export const ampacityOf = (gauge: Gauge, terminals75: boolean): number => {
  const facts = conductors.find((one) => one.gauge === gauge)!
  return terminals75 ? facts.amps75 : facts.amps60
}

/** The voltage drop over a conductor, in percent of the supply's volts. */
export function dropOf(
  gauge: Gauge,
  { metres, supply }: Pick<Circuit, 'metres' | 'supply'>,
  amps: number,
): number {
  const { ohmsPerKm } = conductors.find((one) => one.gauge === gauge)!
  const factor = supply === 'three' ? Math.sqrt(3) : 2
  return (100 * factor * (metres / 1000) * amps * ohmsPerKm) / voltsOf[supply]
}

/** A circuit calculated: current and breaker in amperes, the conductor proposed, and every conductor with whether it may be chosen and its drop in percent. */
export type Calculation = {
  amps: number
  breaker: number | null
  conductor: Gauge | null
  choices: { gauge: Gauge; ampacity: number; carries: boolean; drop: number }[]
}

/** The breaker and the thinnest copper conductor that carries it and drops at most 3 %. Source: NEC 625.41 and 310.16, as NOM-001-SEDE follows them. */
export function calculate(circuit: Circuit): Calculation {
  const amps = currentOf(circuit)
  const breaker = breakerFor(amps)
  const choices = conductors.map(({ gauge }) => {
    const ampacity = ampacityOf(gauge, circuit.terminals75)
    return {
      ...{ gauge, ampacity, carries: breaker !== null && ampacity >= breaker },
      drop: dropOf(gauge, circuit, amps),
    }
  })
  const fits = choices.find(({ carries, drop }) => carries && drop <= dropLimits.warns)
  return { amps, breaker, conductor: fits?.gauge ?? null, choices }
}

/** What a house asks for with its charger, and what its main breaker gives, in kVA. */
export type Demand = { needed: number; available: number; exceeds: boolean }

/** 8 kVA of the house at 100 % and the rest at 40 %, with the charger at 125 % (NEC 220.82 as a preliminary figure). */
export function demandOf(
  house: { watts: number; mainBreaker: number; supply: Supply },
  charger: { amps: number; supply: Supply },
): Demand {
  const kva = house.watts / 1000
  const [volts, of] = [voltsOf, (supply: Supply) => (supply === 'three' ? Math.sqrt(3) : 1)]
  const charging = (charger.amps * volts[charger.supply] * of(charger.supply)) / 1000
  const needed = Math.min(kva, 8) + 0.4 * Math.max(kva - 8, 0) + 1.25 * charging
  const available = (house.mainBreaker * volts[house.supply] * of(house.supply)) / 1000
  return { needed, available, exceeds: needed > available + 1e-9 }
}

/** Whether the contract with CFE has to grow: the demand exceeds the main breaker, or a 220 V charger stands on a 127 V supply. */
export const needsLoadIncrease = (demand: Demand, house: Supply, charger: Supply) =>
  demand.exceeds || (house === 'single' && charger !== 'single')
