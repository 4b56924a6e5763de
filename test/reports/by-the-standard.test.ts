import {
  ampacityOf,
  ampsAgainstPlate,
  breakerFor,
  calculate,
  conduitFor,
  type Gauge,
  groundConductorFor,
  type Supply,
} from '../../src/reports/rules/circuit.ts'
import {
  askedOf,
  bearsWith,
  chargerLimitOf,
  demandOf,
  feeders,
  increaseReasons,
  limitedAmps,
  overFeeder,
  requestedLoad,
  whyLoadIncrease,
} from '../../src/reports/rules/passport.ts'
import { contradictions } from '../../src/reports/rules/progress.ts'
import type { Answers, HouseLoad, LoadKind } from '../../src/reports/rules/report.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

// Worked from the tables of NOM-001-SEDE-2012 by a program of its own, which knows nothing of ours: 210-19(a), 210-20(a),
// 240-6(a), 250-122, 310-15(b)(16), tables 4, 5, 8 and 9, 625-21. After each case: what decides it.
// What second-calculation.test.ts draws is worked here only at the edges.

test.each<[gauge: string, amps: number, at75: number | null, ohmsPerKm: number]>([
  ['12', 20, 20, 6.6], // 310-15(b)(16): 20 and 25 A, by 240-4(d) at most 20 A; table 9, copper in PVC: 6.6 Ω/km
  ['10', 30, 30, 3.9], // 310-15(b)(16): 30 and 35 A, by 240-4(d) at most 30 A; table 9
  ['8', 40, 50, 2.56], // 310-15(b)(16), 60 and 75 °C; table 9
  ['6', 55, 65, 1.61], // the same
  ['4', 70, 85, 1.02], // the same
  ['3', 85, 100, 0.82], // the same
  ['2', 95, 115, 0.62], // the same
  ['1', 110, 130, 0.49], // the same
  ['1/0', 150, null, 0.39], // above 1 AWG at 75 °C, 110-14(c)(1)(b); table 9
  ['2/0', 175, null, 0.33], // the same
  ['3/0', 200, null, 0.253], // the same
  ['4/0', 230, null, 0.203], // the same
])('%s AWG bears %i A, and %s A with marked terminals; %f Ω/km', (gauge, amps, at75, ohmsPerKm) => {
  expect(feeders.find((one) => one.gauge === gauge)).toEqual({ gauge, amps, ohmsPerKm })
  if (at75) expect([false, true].map((is75) => ampacityOf(gauge as Gauge, is75))).toEqual([amps, at75])
})

test.each([
  [12, 15], // 210-20(a), 625-21: 1.25 × 12 = 15 A; 240-6(a)
  [12.1, 20], // 1.25 × 12.1 = 15.1 A; 240-6(a)
  [24.1, 40], // 1.25 × 24.1 = 30.1 A; of 240-6(a) 35 A is left out
  [72, 90], // 1.25 × 72 = 90 A; 240-6(a)
  [80.1, null], // 1.25 × 80.1 = 100.1 A; no size up to 100 A
])('%f A for hours take a breaker of %s A', (amps, breaker) => expect(breakerFor(amps)).toBe(breaker))

type Worked = [
  supply: Supply,
  kilowatts: number,
  plate: number | null,
  metres: number,
  terminals75: boolean,
  amps: number,
  breaker: number | null,
  gauge: Gauge | null,
  drop: number | null,
  ground: Gauge | null,
]
const circuits: readonly Worked[] = [
  ['two', 7, 32, 40, false, 32.0, 40, '8', 2.98, '10'], // 310-15(b)(16), 60 °C: 8 AWG 40 A
  ['two', 7, 32, 40.5, false, 32.0, 40, '6', 1.9, '8'], // 210-19(a): 3.02 % with 8 AWG; ground 5.26 × 13.3 / 8.37 = 8.36 mm², 250-122(b)
  ['two', 7, 32, 100, false, 32.0, 40, '4', 2.97, '4'], // 210-19(a): 4.68 % with 6 AWG; ground 13.32 mm², never above 4 AWG
  ['two', 10.6, 48, 30, true, 48.0, 60, '6', 2.11, '10'], // 310-15(b)(16), 75 °C: 6 AWG 65 A
  ['two', 17.6, 80, 60, true, 80.0, 100, '2', 2.71, '6'], // 210-19(a): 3.58 % with 3 AWG; ground 8.37 × 33.6 / 26.7 = 10.5 mm²
  ['two', 17.8, 80.1, 10, false, 80.1, null, null, null, null], // 1.25 × 80.1 = 100.1 A: no size up to 100 A
  ['split', 7.7, null, 25, false, 32.08, 45, '6', 1.08, '10'], // 7,700 / 240 V; 1.25 × 32.08 = 40.1 A, 240-6(a)
  ['three', 11, null, 30, false, 28.87, 40, '8', 1.75, '10'], // 11,000 / (√3 × 220 V); 210-19(a): √3 × 30 m × 28.87 A × 2.56 Ω/km
  ['single', 1.5, 12, 40, true, 12.0, 15, '10', 2.95, '12'], // 210-19(a): 4.99 % with 12 AWG; ground 2.08 × 5.26 / 3.31 = 3.31 mm²
  ['two', 7, 32, 40.283203125, false, 32.0, 40, '8', 3, '10'], // 210-19(a): 3 % to the point
]

test.each(circuits)(
  '%s, %f kW, plate %s A, %f m, 75 °C %s: %f A, breaker %s A, %s AWG, drop %s %%, ground %s AWG',
  (supply, kilowatts, plateAmps, metres, terminals75, amps, breaker, gauge, drop, ground) => {
    const found = calculate({ supply, kilowatts, plateAmps, metres, terminals75 })
    expect(found.amps).toBeCloseTo(amps, 2)
    expect([found.breaker, found.conductor]).toEqual([breaker, gauge])
    if (gauge === null) return
    const chosen = found.choices.find((one) => one.gauge === gauge)!
    expect(Math.abs(chosen.drop - drop!)).toBeLessThanOrEqual(0.005001)
    expect(chosen.ground).toBe(ground)
  },
)

test.each([
  // Quoted too thin once (250-122(b)).
  [40, '6', false, '8'], // 250-122(b): 5.26 × 13.3 / 8.37 = 8.36 mm²
  [40, '3', false, '4'], // 250-122(b): 5.26 × 26.7 / 8.37 = 16.8 mm²
  // As thin as the table says where nothing grew, and never thicker than the phases.
  [20, '1', false, '1'], // 250-122(b): 3.31 × 42.4 / 3.31 mm²
  [15, '12', false, '12'], // 250-122: 2.08 mm², which is not offered
  [50, '8', true, '10'], // 250-122: 5.26 mm² up to 60 A; at 75 °C 8 AWG bears 50 A, nothing grew
  [63, '4', false, '8'], // 250-122: 8.37 mm² above 60 A
] as const)(
  'the ground beside a breaker of %i A and %s AWG, 75 °C %s, is %s AWG',
  (breaker, phase, hot, ground) => {
    expect(groundConductorFor(breaker, phase, hot)).toBe(ground)
  },
)

test.each([
  ['12', '12', 'single', '16'], // table 5: 3 × 11.68 = 35 mm²; table 4, PVC, 40 %: 74 mm²
  ['8', '10', 'two', '16'], // tables 4 and 5: 2 × 28.19 + 15.68 = 72.1 mm²
  ['8', '10', 'three', '21'], // tables 4 and 5: 4 × 28.19 + 15.68 = 128.4 mm²
  ['1', '8', 'three', '53'], // tables 4 and 5: 4 × 122.6 + 28.19 = 518.6 mm² of 849
] as const)(
  'phases of %s AWG and a ground of %s, %s, take a conduit of %s mm',
  (phase, ground, supply, size) => {
    expect(conduitFor(phase, ground, supply)).toBe(size)
  },
)

// 220-83 with 220-12 and 220-52, the charger's phase: m², other appliances, air conditioning and heating in W, main breaker
// in A, feeder and its metres, contract in kW; demand in kVA, amperes of the phase, what bears them, drop of the feeder in
// percent, and the most amperes that the home bears.
type Worked220 = [
  area: number,
  others: number,
  cooling: number,
  heating: number,
  supply: Supply,
  main: number,
  feeder: string | null,
  metres: number,
  contracted: number,
  charger: Supply,
  set: number,
  needed: number,
  amps: number,
  capacity: number,
  drop: number,
  exceeds: boolean,
  limit: number | null,
]
const homes: readonly Worked220[] = [
  [120, 750, 1500, 0, 'two', 60, null, 0, 10, 'two', 32, 18.78, 85.4, 60, 0, true, null], // 220-83: 8,000 + 0.4 × 1,210 + 1,500 VA
  [90, 1500, 0, 0, 'split', 70, null, 0, 10, 'split', 32, 17.99, 75, 70, 0, true, null], // 220-83: 8,000 + 0.4 × 970 VA on 240 V
  [140, 3750, 1800, 0, 'three', 70, null, 0, 25, 'two', 32, 20.55, 70.8, 70, 0, true, 31], // 220-83: 12,948 VA / (√3 × 220) = 30.8 A, and 40 A on two phases
  [106, 0, 0, 0, 'two', 100, null, 0, 20, 'two', 16, 12.4, 56.4, 100, 0, false, 16], // 220-83: 7,998 VA in full: below the 8 kVA
  // The sum over three phases fits, the phase of the charger does not.
  [100, 0, 0, 0, 'three', 50, null, 0, 30, 'two', 32, 16.6, 60.5, 50, 0, true, 23], // 220-83: 20.5 A and 1.25 × 32 A
  [60, 0, 0, 0, 'two', 50, null, 0, 20, 'single', 16, 9.02, 49.5, 50, 0, false, 16], // 220-83: 29.5 A and 1.25 × 16 A on one leg
  // Of air conditioning and heating the larger counts (220-83(b)).
  [60, 0, 4800, 3000, 'two', 70, null, 0, 20, 'two', 16, 15.68, 71.3, 70, 0, true, 14], // 220-83: 6,480 + 4,800 VA
  // The feeder bears less than its breaker.
  [60, 0, 0, 0, 'two', 60, '8', 20, 20, 'two', 16, 10.88, 49.5, 40, 2.3, true, 8], // 310-15(b)(16), 60 °C: 8 AWG 40 A; 2 × 20 m
  // A charger of fewer phases goes there and back on those it uses: 215-2(a), note 2.
  [100, 0, 0, 0, 'three', 100, '4', 40, 40, 'two', 32, 16.6, 60.5, 70, 2.14, false, 32], // 215-2(a): (√3 × 20.5 + 2 × 40) / 220
]

test.each(homes)(
  '%i m², %i W, %i W of cooling and %i W of heating, %s with %i A, feeder %s of %i m, %i kW contracted; a charger %s of %i A: %f kVA, %f of %f A, drop %f %%, exceeds %s, at most %s A',
  (area, others, cooling, heating, supply, mainBreaker, gauge, metres, contracted, charger, set, ...worked) => {
    const [needed, amps, capacity, drop, exceeds, limit] = worked
    const loads: HouseLoad[] = [
      { name: 'Bomba, boiler y horno', watts: others, quantity: 1, kind: 'other' },
      { name: 'A/C', watts: cooling, quantity: 1, kind: 'cooling' },
      { name: 'Freidora de aire', watts: heating, quantity: 1, kind: 'heating' },
    ]
    const feeder = gauge === null ? null : { gauge, metres }
    const home = { area, loads, mainBreaker, contracted, supply, feeder }
    const demand = demandOf(home, { amps: set, supply: charger })
    expect(Math.abs(demand.needed - needed)).toBeLessThanOrEqual(0.005001)
    expect(Math.abs(demand.amps - amps)).toBeLessThanOrEqual(0.05001)
    expect(Math.abs(demand.feederDrop - drop)).toBeLessThanOrEqual(0.005001)
    expect([demand.capacity, demand.exceeds]).toEqual([capacity, exceeds])
    expect(whyLoadIncrease(demand, supply, charger).length > 0).toBe(exceeds)
    expect(limitedAmps(home, { amps: set, supply: charger })).toBe(limit)
  },
)

test.each<[kinds: (LoadKind | undefined)[], needed: number]>([
  [['other'], 13.71], // 220-83: 8,000 + 0.4 × 3,280 VA, and 4,400 VA of the charger
  [['cooling', 'heating'], 15.68], // 220-83(b), the larger: 6,480 + 4,800 VA
  [[undefined], 15.68], // without a kind: in full
  [[undefined, 'heating'], 20.48], // the same and the larger: 6,480 + 9,600 VA
])('appliances of 4.8 kW of the kinds %s need %f kVA', (kinds, needed) => {
  const loads = kinds.map((kind) => ({ name: 'Otro', watts: 4800, quantity: 1, ...(kind && { kind }) }))
  const home = { area: 60, mainBreaker: 70, contracted: 20, supply: 'two', feeder: null, loads } as const
  expect(demandOf(home, { amps: 16, supply: 'two' }).needed).toBeCloseTo(needed, 2)
})

test.each([
  // Of the next size above 55 A, and of two above 40 A (240-4(b)).
  [60, '6', null],
  [60, '8', 'la pastilla principal es de 60\u00a0A y su alimentador de 8\u00a0AWG aguanta 40\u00a0A'],
  [100, '2', null],
  [125, '1', 'la pastilla principal es de 125\u00a0A y su alimentador de 1\u00a0AWG aguanta 110\u00a0A'],
  [250, '4/0', null], // 240-6(a): 250 A follows 230 A
  [100, null, null],
] as const)('a main breaker of %i A on a feeder of %s AWG: %s', (mainBreaker, gauge, words) => {
  expect(overFeeder({ mainBreaker, feeder: gauge && { gauge, metres: 10 } })).toBe(words)
})

test.each([
  [19.92, 10, 20],
  [20, 10, 20],
  [7.2, 10, 10],
  [12.01, null, 13],
])('a demand of %f kVA with %s kW contracted asks CFE for %i kW', (needed, contracted, kilowatts) => {
  expect(askedOf({ needed, contracted })).toBe(kilowatts)
})

test.each<[Supply, number, number | null, number | null]>([
  // 7.4 kW on 220 V are 33.6 A, and 11 kW of a plate for 400 V take 28.9 A here.
  ['two', 7.4, 6, 33.64],
  ['three', 11, 16, 28.87],
  ['split', 9.6, 32, 40],
  ['two', 7, 32, null],
  ['three', 11, 32, null],
  ['single', 1.9, 16, null],
  ['two', 7.4, null, null],
])('%s, %f kW against a plate of %s A: it would be %s A', (supply, kilowatts, plateAmps, amps) => {
  const found = ampsAgainstPlate({ supply, kilowatts, plateAmps })
  if (amps === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(amps, 2)
})

// A visit's home of 100 m² with 3,600 W of air conditioning and a pump of 750 W on two phases, main breaker of 100 A on
// 2 AWG, 22 kW contracted: 8,220 + 3,600 = 11,820 VA, 53.7 A; its charger of 32 A takes 40 A and 8.8 kVA.
test.each<[changes: Answers, asked: number | null, limit: number | null, reasons: string[]]>([
  [{}, 22, 32, []], // 93.7 of 95 A, 20.62 of 22 kVA
  [{ contractedKilowatts: null }, 21, 32, []], // 20.62 kVA in whole kW
  [{ contractedKilowatts: 10 }, 21, null, ['contratados', 'hasta para 10\u00a0kW']], // the home alone takes 11.8
  [{ contractedKilowatts: 20 }, 21, 29, ['contratados', 'hasta para 10\u00a0kW']], // 8,180 / 275 = 29.7 A
  [{ mainBreaker: 90 }, 22, 29, ['pastilla principal es de 90']], // 36.3 / 1.25 = 29.02 A
  [{ feederGauge: '3' }, 22, 25, ['alimentador aguanta 85']], // 31.3 / 1.25 = 25.02 A
  [{ chargerAmps: null, chargerKilowatts: 7.4 }, 22, 33, ['alimentador aguanta 95']], // 53.7 + 42.05 = 95.8 A
  [{ supply: 'single', chargerSupply: 'single', chargerAmps: 16 }, 22, null, ['alimentador']], // 93.1 + 20 A
  [{ chargerSupply: 'three' }, 28, null, ['contratados', 'hasta para', 'pide trifásico']], // 11.82 + 15.24 kVA
  [
    { area: null, supply: 'single' },
    null,
    null,
    ['pide bifásico 220\u00a0V y la casa tiene monofásico 127\u00a0V'],
  ],
  [{ meterChoice: 'second' }, 9, 32, []], // 1.25 × 32 A × 220 V = 8.8 kVA
])('with %o CFE is asked for %s kW, the home bears %s A, because of %j', (changes, asked, limit, reasons) => {
  const answers: Answers = { ...completeAnswers.visit, ...changes }
  expect([requestedLoad(answers, answers.meterChoice === 'second'), chargerLimitOf(answers)]).toEqual([
    asked,
    limit,
  ])
  expect(increaseReasons(answers)).toEqual(reasons.map((words) => expect.stringContaining(words)))
})

test.each<[changes: Answers, kilowatts: number, bears: boolean]>([
  [{ contractedKilowatts: 10 }, 20, false], // 20.62 kVA
  [{ contractedKilowatts: 10 }, 21, true],
])('with %o and %i kW of CFE the home bears its charger: %s', (changes, kilowatts, bears) =>
  expect(bearsWith({ ...completeAnswers.visit, ...changes }, kilowatts)).toBe(bears),
)

// What was put in for a charger of 32 A, over 23.5 m and with 0.6 % along the feeder.
const visited = { agreedAmps: 32, agreedSupply: 'two', agreedFeederDrop: 0.6, plateBreaker: 100 }
type Installed = [
  breaker: number,
  conductor: Gauge,
  ground: Gauge,
  set: number,
  other: Answers,
  names: string[],
]
const installed: readonly Installed[] = [
  [40, '8', '10', 32, {}, []], // 110-14(c), 60 °C: 8 AWG 40 A; 625-21: 1.25 × 32 = 40 A
  [16, '12', '12', 12, {}, []], // a size for DIN rails; 240-4(d): 12 AWG 20 A
  [20, '12', '12', 32, {}, ['metres', 'chargerSet']], // 215-2(a): 0.6 + 4.51 %; 625-21: 40 A
  [35, '8', '10', 28, {}, []], // 240-6(a): 35 A; 625-21: 1.25 × 28 = 35 A
  [63, '4', '8', 32, {}, []], // a size for DIN rails; 250-122: 8.37 mm² above 60 A
  [65, '4', '8', 48, {}, ['breaker']], // 240-6(a): no 65 A
  [50, '8', '10', 40, {}, ['conductor']], // 310-15(b)(16), 60 °C: 8 AWG 40 A
  [50, '8', '10', 40, { terminals75: true }, []], // 310-15(b)(16), 75 °C: 8 AWG 50 A
  [60, '8', '10', 40, { agreedTerminals75: true }, ['conductor']], // the same: 50 A
  [60, '6', '10', 48, { agreedTerminals75: true }, []], // 310-15(b)(16), 75 °C: 6 AWG 65 A
  [60, '6', '10', 48, {}, ['conductor']], // 310-15(b)(16), 60 °C: 6 AWG 55 A
  [100, '1', '8', 80, {}, []], // 310-15(b)(16), 60 °C: 1 AWG 110 A
  [60, '4', '10', 48, { plateBreaker: 50 }, ['breaker']], // 110-3(b): the plate's greatest
  [40, '8', '10', 33, {}, ['chargerSet']], // 625-21: 1.25 × 33 = 41.25 A
  [25, '10', '12', 20, {}, ['groundGauge']], // 250-122: 5.26 mm² above 20 A
  [80, '3', '10', 64, {}, ['groundGauge']], // 250-122: 8.37 mm² above 60 A
  [40, '8', '10', 32, { metres: 58.9 }, []], // 210-19(a): 0.6 + 4.39 %, at most 5 %
  [40, '8', '10', 32, { agreedFeederDrop: 3.3 }, ['metres']], // 215-2(a): 3.3 + 1.75 %
  [40, '8', '10', 32, { agreedSupply: 'three', metres: 70 }, ['metres']], // √3 × 70 m: 0.6 + 4.51 %
  [40, '8', '10', 32, { metres: 120 }, ['metres']], // 0.6 + 8.94 %
  [40, '8', '10', 14, { agreedLimit: 13 }, ['chargerSet']], // 220-83: what the home bears until CFE gives more
  [60, '4', '10', 48, { agreedMost: 40 }, ['chargerSet']], // 215-2, 230-42: more than was agreed, and than the home bears
  [60, '4', '10', 48, { agreedMost: 48 }, []], // the same, and the home bears it
  [40, '8', '10', 32, { agreedMost: 30, agreedAmps: 32 }, []], // what the visit agreed on was judged there
]

test.each(installed)(
  'judges %i A, %s AWG, ground of %s, set to %i A with %o',
  (breaker, conductor, groundGauge, chargerSet, other, names) => {
    const put = {
      ...completeAnswers.installation,
      ...visited,
      breaker,
      conductor,
      groundGauge,
      chargerSet,
      loadTestAmps: null,
    }
    expect(contradictions('installation', { ...put, ...other }).map(({ name }) => name)).toEqual(names)
  },
)
