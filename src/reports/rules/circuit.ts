/** The supply types of a home or a charger. */
export const supplies = {
  single: 'Monofásico 127\u00a0V',
  split: 'Monofásico 3 hilos 120/240\u00a0V',
  two: 'Bifásico 220\u00a0V',
  three: 'Trifásico 220\u00a0V',
} as const
export type Supply = keyof typeof supplies

/** Volts between the conductors that feed a charger. */
export const voltsOf: Record<Supply, 127 | 220 | 240> = { single: 127, split: 240, two: 220, three: 220 }

/** √3 where three phases carry the current, else 1. */
export const phaseFactor = (supply: Supply) => (supply === 'three' ? Math.sqrt(3) : 1)

/** Poles of a charger's breaker: its conductors that are not neutral. */
export const polesOf: Record<Supply, 1 | 2 | 3> = { single: 1, split: 2, two: 2, three: 3 }

/** Standard breakers, in amperes (240-6(a)), of those that load centres here take. */
export const breakers = [15, 20, 25, 30, 40, 45, 50, 60, 70, 80, 90, 100] as const

/** All of that table up to 100 A, with those for DIN rails, which a technician may have put in. */
export const installedSizes: readonly number[] = [...breakers, 16, 32, 35, 63]

type ConductorFacts = { gauge: string; amps60: number; amps75: number; ohmsPerKm: number; mm2: number }

/** Copper conductors from the thinnest: ampacity at 60 and 75 °C in amperes (table 310-15(b)(16)), resistance in Ω/km (table 9), area in mm² (table 8). */
export const conductors = [
  { gauge: '12', amps60: 20, amps75: 20, ohmsPerKm: 6.6, mm2: 3.31 },
  { gauge: '10', amps60: 30, amps75: 30, ohmsPerKm: 3.9, mm2: 5.26 },
  { gauge: '8', amps60: 40, amps75: 50, ohmsPerKm: 2.56, mm2: 8.37 },
  { gauge: '6', amps60: 55, amps75: 65, ohmsPerKm: 1.61, mm2: 13.3 },
  { gauge: '4', amps60: 70, amps75: 85, ohmsPerKm: 1.02, mm2: 21.2 },
  { gauge: '3', amps60: 85, amps75: 100, ohmsPerKm: 0.82, mm2: 26.7 },
  { gauge: '2', amps60: 95, amps75: 115, ohmsPerKm: 0.62, mm2: 33.6 },
  { gauge: '1', amps60: 110, amps75: 130, ohmsPerKm: 0.49, mm2: 42.4 },
] as const satisfies readonly ConductorFacts[]
export type Gauge = (typeof conductors)[number]['gauge']

/** The voltage drop of a circuit, in percent, above which no conductor is proposed (210-19(a), note 4). */
export const usualDrop = 3
/** The most that a feeder and its circuit may drop together, in percent: a recommendation there, a rule here. */
export const mostDrop = 5

/** A charger's circuit: power in kW or the plate's amperes, one-way length in metres; whether both terminals are marked for 75 °C. */
export type Circuit = {
  supply: Supply
  kilowatts: number
  plateAmps: number | null
  metres: number
  terminals75: boolean
}

/** The current of a charger, in amperes: its plate's, or computed from its power. */
export function currentOf({ kilowatts, plateAmps, supply }: Omit<Circuit, 'metres' | 'terminals75'>): number {
  return plateAmps ?? (kilowatts * 1000) / (phaseFactor(supply) * voltsOf[supply])
}

/** The accepted difference between the plate and the computed current, as a fraction (sin fuente). */
const plateTolerance = 0.15

/** The amperes computed from the power where the plate differs, as for a 400 V charger; null where they agree. */
export function ampsAgainstPlate(charger: Omit<Circuit, 'metres' | 'terminals75'>): number | null {
  const { kilowatts, plateAmps } = charger
  if (plateAmps === null || kilowatts <= 0) return null
  const amps = currentOf({ ...charger, plateAmps: null })
  return Math.abs(plateAmps - amps) > plateTolerance * amps ? amps : null
}

/** The first standard breaker that carries 125 % of a current, in amperes (210-20(a), 625-21); null when none does. */
export const breakerFor = (amps: number): number | null =>
  breakers.find((size) => size >= 1.25 * amps - 1e-9) ?? null

/** The ampacity of a conductor, in amperes; 75 °C counts only where both terminals are marked for it (110-14(c)). */
export const ampacityOf = (gauge: Gauge, terminals75: boolean): number => {
  const facts = conductors.find((one) => one.gauge === gauge)!
  return terminals75 ? facts.amps75 : facts.amps60
}

/** The voltage drop over a conductor, in percent of the supply's volts (210-19(a), note 4). */
export const dropOf = (gauge: Gauge, wire: Pick<Circuit, 'metres' | 'supply'>, amps: number): number =>
  dropAlong(conductors.find((one) => one.gauge === gauge)!, wire, amps)

/** The same along any conductor, by its resistance. */
export function dropAlong(
  { ohmsPerKm }: Pick<ConductorFacts, 'ohmsPerKm'>,
  { metres, supply }: Pick<Circuit, 'metres' | 'supply'>,
  amps: number,
): number {
  const factor = supply === 'three' ? phaseFactor(supply) : 2
  return (100 * factor * (metres / 1000) * amps * ohmsPerKm) / voltsOf[supply]
}

/** Grounding conductors by the breaker before them, areas in mm² (table 250-122). */
const groundAreas = [
  { upTo: 15, mm2: 2.08 },
  { upTo: 20, mm2: 3.31 },
  { upTo: 60, mm2: 5.26 },
  { upTo: 100, mm2: 8.37 },
] as const

/**
 * The grounding conductor of a circuit: the table's for its breaker, enlarged in proportion to the phases over the
 * thinnest that carries the breaker (250-122(b)), never thicker than the phases (250-122(a)).
 */
export function groundConductorFor(breaker: number, phase: Gauge, terminals75: boolean): Gauge {
  const areaOf = (gauge: Gauge) => conductors.find((one) => one.gauge === gauge)!.mm2
  const least = conductors.find(({ gauge }) => ampacityOf(gauge, terminals75) >= breaker)?.gauge ?? phase
  const grown = Math.max(1, areaOf(phase) / areaOf(least))
  const area = grown * groundAreas.find(({ upTo }) => breaker <= upTo)!.mm2
  return conductors.find(({ mm2 }) => mm2 >= Math.min(area, areaOf(phase)) - 1e-9)!.gauge
}

/** Whether a grounding conductor reaches the table's least for its breaker, in amperes, whatever its phases (250-122). */
export function isGroundEnough(ground: Gauge, breaker: number): boolean {
  const least = groundAreas.find(({ upTo }) => breaker <= upTo)
  return !least || conductors.find(({ gauge }) => gauge === ground)!.mm2 >= least.mm2
}

/** Areas of THW conductors with their insulation, in mm² (table 5). */
const insulatedAreas: Record<Gauge, number> = {
  '12': 11.68,
  '10': 15.68,
  '8': 28.19,
  '6': 46.84,
  '4': 62.77,
  '3': 73.16,
  '2': 86,
  '1': 122.6,
}

/** PVC conduits by their metric designator, and the mm² that 40 % of their bore gives to conductors (table 4). */
const conduitAreas = [
  { size: '16', mm2: 74 },
  { size: '21', mm2: 131 },
  { size: '27', mm2: 214 },
  { size: '35', mm2: 374 },
  { size: '41', mm2: 513 },
  { size: '53', mm2: 849 },
] as const

/** The sizes of conduit, by their metric designator. */
export const conduits = {
  '16': '16\u00a0mm (½")',
  '21': '21\u00a0mm (¾")',
  '27': '27\u00a0mm (1")',
  '35': '35\u00a0mm (1¼")',
  '41': '41\u00a0mm (1½")',
  '53': '53\u00a0mm (2")',
} as const

/** The smallest conduit for a circuit's phases and neutral, and its grounding conductor; null where none is large enough. */
export function conduitFor(phase: Gauge, ground: Gauge, supply: Supply): keyof typeof conduits | null {
  const carrying = supply === 'three' ? 4 : 2
  const area = carrying * insulatedAreas[phase] + insulatedAreas[ground]
  return conduitAreas.find(({ mm2 }) => mm2 >= area)?.size ?? null
}

/**
 * A calculated circuit: current and breaker in amperes, the proposed conductor, and for every conductor its ground,
 * whether it may be chosen and its drop in percent.
 */
export type Calculation = {
  amps: number
  breaker: number | null
  conductor: Gauge | null
  choices: { gauge: Gauge; ampacity: number; carries: boolean; drop: number; ground: Gauge | null }[]
}

/**
 * The breaker, and the thinnest copper conductor that carries it with a drop of at most 3 % (NOM-001-SEDE-2012,
 * articles 210, 310 and 625).
 */
export function calculate(circuit: Circuit): Calculation {
  const amps = currentOf(circuit)
  const breaker = breakerFor(amps)
  const choices = conductors.map(({ gauge }) => {
    const ampacity = ampacityOf(gauge, circuit.terminals75)
    return {
      gauge,
      ampacity,
      carries: breaker !== null && ampacity >= breaker,
      drop: dropOf(gauge, circuit, amps),
      ground: breaker === null ? null : groundConductorFor(breaker, gauge, circuit.terminals75),
    }
  })
  const fits = choices.find(({ carries, drop }) => carries && drop <= usualDrop + 1e-9)
  return { amps, breaker, conductor: fits?.gauge ?? null, choices }
}
