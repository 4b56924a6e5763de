import type { Supply } from '../../src/reports/rules/circuit.ts'
import type { HomeFacts } from '../../src/reports/rules/passport.ts'

// A second calculation of the circuit and of the home, from the articles of NOM-001-SEDE-2012. It shares only types with
// the first, adds up phase by phase, and tries each current where that one solves for it.

export type DrawnHome = Omit<HomeFacts, 'contracted' | 'feeder'> & {
  contractedKilowatts: number | null
  feederGauge: string
  feederMetres: number
  chargerSupply: Supply
  chargerKilowatts: number
  chargerAmps: number | null
  chargerDistance: number
  terminals75: boolean
}

/** 310-15(b)(16) at 60 °C, table 9 in Ω/km, at 75 °C (both with 240-4(d)), table 8 and table 5 (THW) in mm². */
type Copper = [gauge: string, at60: number, ohms: number, at75: number, area: number, whole: number]
const thin: Copper[] = [
  ['12', 20, 6.6, 20, 3.31, 11.68],
  ['10', 30, 3.9, 30, 5.26, 15.68],
  ['8', 40, 2.56, 50, 8.37, 28.19],
  ['6', 55, 1.61, 65, 13.3, 46.84],
  ['4', 70, 1.02, 85, 21.2, 62.77],
  ['3', 85, 0.82, 100, 26.7, 73.16],
  ['2', 95, 0.62, 115, 33.6, 86],
  ['1', 110, 0.49, 130, 42.4, 122.6],
]
/** Above 100 A at 75 °C (110-14(c)(1)(b)), and table 9. */
const thick = [
  ['1/0', 150, 0.39],
  ['2/0', 175, 0.33],
  ['3/0', 200, 0.253],
  ['4/0', 230, 0.203],
] as const
/** 240-6(a) without 35 A, which the product leaves out. */
const sizes = [15, 20, 25, 30, 40, 45, 50, 60, 70, 80, 90, 100]
/** Table 4, PVC: the whole bore in mm² by size. */
const bores = { 16: 184, 21: 327, 27: 535, 35: 935, 41: 1282, 53: 2124 }

const root3 = Math.sqrt(3)
/** Volts between conductors; volt-amperes of one ampere; how often a length counts in the drop; hot conductors. */
const kinds: Record<Supply, [volts: number, va: number, paths: number, hots: number]> = {
  single: [127, 127, 2, 1],
  split: [240, 240, 2, 2],
  two: [220, 220, 2, 2],
  three: [220, 220 * root3, root3, 3],
}
function drop(supply: Supply, metres: number, ohms: number, amps: number) {
  const [volts, , paths] = kinds[supply]
  return (amps * ohms * paths * metres) / 10 / volts
}

/** The circuit of a charger: 210-20(a) and 625-21, 240-6, 310-15, 210-19(a), 250-122, tables 4 and 5. */
export function secondCircuit(home: DrawnHome) {
  const { chargerAmps, chargerDistance, chargerKilowatts, chargerSupply: supply, terminals75 } = home
  const amps = chargerAmps ?? (chargerKilowatts * 1000) / kinds[supply][1]
  const breaker = sizes.find((size) => size > amps * 1.25 - 1e-6)
  const drops = thin.map(([, , ohms]) => drop(supply, chargerDistance, ohms, amps))
  const isBearing = (one: Copper) => one[terminals75 ? 3 : 1] >= breaker!
  const phase = thin.find((one, n) => isBearing(one) && drops[n]! <= 3 + 1e-6)
  if (!breaker || !phase) return { amps, drops, chosen: [breaker] }
  // (b) in the proportion in which the phases grew, (a) never above them.
  const table = breaker <= 15 ? 2.08 : breaker <= 20 ? 3.31 : breaker <= 60 ? 5.26 : 8.37
  const area = Math.min(phase[4], Math.max(table, (table * phase[4]) / thin.find(isBearing)![4]))
  const ground = thin.find((one) => one[4] > area - 1e-6)!
  // Phases, and the neutral of one or three of them.
  const filled = (supply === 'three' ? 4 : 2) * phase[5] + ground[5]
  const conduit = Object.entries(bores).find(([, bore]) => Math.round(bore * 0.4) >= filled)![0]
  return { amps, drops, chosen: [breaker, phase[0], ground[0], conduit] }
}

/** The home with its charger at a current: 220-83 with 220-12 and 220-52, 215-2, 215-3, 240-4. */
export function secondHome(home: DrawnHome, amps: number) {
  const { chargerSupply, feederMetres, loads, supply } = home
  const of = (kind?: string) =>
    loads.reduce((sum, load) => sum + (load.kind === kind ? load.watts * load.quantity : 0), 0)
  const general = 33 * home.area + 3 * 1500 + of('other')
  const factored = general > 8000 ? 8000 + (general - 8000) * 0.4 : general
  // (b) the larger of both; rows without a kind in full.
  const alone = factored + Math.max(of('cooling'), of('heating')) + of()
  const each = alone / kinds[supply][1]
  const charging = 1.25 * amps
  const needed = (alone + charging * kinds[chargerSupply][1]) / 1000
  const phases = [1, 2, 3].map((phase) => each + (phase <= kinds[chargerSupply][3] ? charging : 0))
  const most = Math.max(...phases.slice(0, kinds[supply][3]))
  const feeder = [...thin, ...thick].find(([gauge]) => gauge === home.feederGauge)
  const capacity = Math.min(home.mainBreaker, feeder?.[1] ?? 1e9)
  const ohms = feeder?.[2] ?? 0
  const feederDrop =
    drop(supply, feederMetres, ohms, each) + drop(chargerSupply, feederMetres, ohms, charging)
  const fits =
    kinds[chargerSupply][3] <= kinds[supply][3] &&
    most <= capacity + 1e-6 &&
    needed <= (home.contractedKilowatts ?? 1e9) + 1e-6
  return { fits, figures: [needed, most, capacity, feederDrop] }
}

/** The most whole amperes, from the charger's own down to the 6 A of IEC 61851-1, that a home bears; null for none. */
export function secondLimit(home: DrawnHome, amps: number): number | null {
  for (let set = Math.floor(amps); set >= 6; set--) if (secondHome(home, set).fits) return set
  return null
}
