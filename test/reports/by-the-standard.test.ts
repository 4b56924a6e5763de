import { expect, test } from 'vitest'
import {
  ampsAgainstPlate,
  calculate,
  type Gauge,
  groundConductorFor,
  type Supply,
} from '../../src/domain/reports/circuit.ts'
import {
  askedOf,
  demandOf,
  limitedAmps,
  overFeeder,
  whyLoadIncrease,
} from '../../src/domain/reports/passport.ts'
import type { HouseLoad, LoadKind } from '../../src/domain/reports/report.ts'

// Worked from the tables of NOM-001-SEDE-2012 by a program of its own, which knows nothing of ours: 210-19(a), 210-20(a),
// 240-6(a), 250-122, 310-15(b)(16), tables 8 and 9, 625-21.

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
  ['two', 7, 32, 40, false, 32.0, 40, '8', 2.98, '10'],
  ['two', 7, 32, 40.5, false, 32.0, 40, '6', 1.9, '8'],
  ['two', 7, 32, 100, false, 32.0, 40, '4', 2.97, '4'],
  ['two', 7.4, null, 25, false, 33.64, 45, '6', 1.23, '10'],
  ['two', 3.5, 16, 20, false, 16.0, 20, '12', 1.92, '12'],
  ['two', 4.4, 20, 20, false, 20.0, 25, '10', 1.42, '10'],
  ['two', 5.3, 24, 20, false, 24.0, 30, '10', 1.7, '10'],
  ['two', 8.8, 40, 10, true, 40.0, 50, '8', 0.93, '10'],
  ['two', 10.6, 48, 30, false, 48.0, 60, '4', 1.34, '10'],
  ['two', 10.6, 48, 30, true, 48.0, 60, '6', 2.11, '10'],
  ['two', 14, 64, 20, false, 64.0, 80, '3', 0.95, '8'],
  ['two', 17.6, 80, 10, false, 80.0, 100, '1', 0.36, '8'],
  ['two', 17.6, 80, 10, true, 80.0, 100, '3', 0.6, '8'],
  ['two', 17.6, 80, 60, true, 80.0, 100, '2', 2.71, '6'],
  ['two', 17.8, 80.1, 10, false, 80.1, null, null, null, null],
  ['single', 1.5, 12, 15, false, 12.0, 15, '12', 1.87, '12'],
  ['split', 7.7, null, 25, false, 32.08, 45, '6', 1.08, '10'],
  ['three', 11, null, 30, false, 28.87, 40, '8', 1.75, '10'],
  ['three', 22, null, 50, true, 57.74, 80, '4', 2.32, '8'],
  ['two', 7, 32, 300, false, 32.0, 40, null, null, null],
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
  [40, '6', false, '8'],
  [20, '6', false, '6'],
  [40, '3', false, '4'],
  // As thin as the table says where nothing grew, and never thicker than the phases.
  [60, '4', false, '10'],
  [100, '1', false, '8'],
  [20, '1', false, '1'],
] as const)(
  'the ground beside a breaker of %i A and %s AWG, 75 °C %s, is %s AWG',
  (breaker, phase, hot, ground) => {
    expect(groundConductorFor(breaker, phase, hot)).toBe(ground)
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
  [120, 750, 1500, 0, 'two', 60, null, 0, 10, 'two', 32, 18.78, 85.4, 60, 0, true, null],
  [120, 0, 0, 0, 'two', 100, null, 0, 20, 'two', 32, 16.98, 77.2, 100, 0, false, 32],
  [60, 0, 0, 0, 'single', 30, null, 0, 5, 'single', 16, 9.02, 71, 30, 0, true, null],
  [90, 1500, 0, 0, 'split', 70, null, 0, 10, 'split', 32, 17.99, 75, 70, 0, true, null],
  [140, 3750, 1800, 0, 'three', 70, null, 0, 25, 'two', 32, 20.55, 70.8, 70, 0, true, 31],
  [300, 9000, 7000, 0, 'three', 125, null, 0, 50, 'three', 60, 49.74, 130.5, 125, 0, true, 55],
  [106, 0, 0, 0, 'two', 100, null, 0, 20, 'two', 16, 12.4, 56.4, 100, 0, false, 16],
  // The sum over three phases fits, the phase of the charger does not.
  [100, 0, 0, 0, 'three', 50, null, 0, 30, 'two', 32, 16.6, 60.5, 50, 0, true, 23],
  [100, 0, 0, 0, 'three', 60, null, 0, 30, 'two', 48, 21, 80.5, 60, 0, true, 31],
  [150, 5550, 0, 0, 'three', 70, null, 0, 30, 'two', 48, 24, 88.3, 70, 0, true, 33],
  [100, 0, 0, 0, 'three', 30, null, 0, 30, 'single', 16, 10.34, 40.5, 30, 0, true, 7],
  [60, 0, 0, 0, 'two', 50, null, 0, 20, 'single', 16, 9.02, 49.5, 50, 0, false, 16],
  [60, 0, 0, 0, 'two', 40, null, 0, 20, 'single', 16, 9.02, 49.5, 40, 0, true, 8],
  // Of air conditioning and heating the larger counts (220-83(b)).
  [60, 0, 4800, 3000, 'two', 70, null, 0, 20, 'two', 16, 15.68, 71.3, 70, 0, true, 14],
  [60, 0, 1200, 3000, 'two', 70, null, 0, 20, 'two', 16, 13.88, 63.1, 70, 0, false, 16],
  // The feeder bears less than its breaker.
  [60, 0, 0, 0, 'two', 60, '8', 20, 20, 'two', 16, 10.88, 49.5, 40, 2.3, true, 8],
  [60, 0, 0, 0, 'two', 60, '6', 20, 20, 'two', 16, 10.88, 49.5, 55, 1.45, false, 16],
  [80, 0, 0, 0, 'three', 100, '2', 35, 40, 'three', 32, 22.38, 58.7, 95, 1, false, 32],
  [200, 4000, 3000, 0, 'split', 150, '1/0', 15, 40, 'split', 48, 28.24, 117.7, 150, 0.57, false, 48],
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

test('an appliance without a kind counts in full', () => {
  const home = { area: 60, mainBreaker: 70, contracted: 20, supply: 'two', feeder: null } as const
  const neededWith = (kind?: LoadKind) => {
    const loads = [{ name: 'Otro', watts: 4800, quantity: 1, ...(kind && { kind }) }]
    return demandOf({ ...home, loads }, { amps: 16, supply: 'two' }).needed
  }
  expect(neededWith()).toBe(neededWith('cooling'))
  expect(neededWith()).toBeGreaterThan(neededWith('other'))
})

test.each([
  // Of the next size above 55 A, and of two above 40 A (240-4(b)).
  [60, '6', null],
  [60, '8', 'la pastilla principal es de 60\u00a0A y su alimentador de 8\u00a0AWG aguanta 40\u00a0A'],
  [100, '2', null],
  [125, '1', 'la pastilla principal es de 125\u00a0A y su alimentador de 1\u00a0AWG aguanta 110\u00a0A'],
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

test('a supply has an end with CFE: what is above it asks for another supply', () => {
  const home = {
    area: 120,
    loads: [],
    mainBreaker: 100,
    contracted: 10,
    supply: 'two',
    feeder: null,
  } as const
  const reasons = whyLoadIncrease(demandOf(home, { amps: 32, supply: 'two' }), 'two', 'two')
  expect(reasons.join(' ')).toContain('kW contratados')
  expect(reasons.join(' ')).toContain('bifásico 220\u00a0V hasta para 10\u00a0kW')
  expect(whyLoadIncrease(null, 'single', 'two')).toEqual([
    'El cargador pide bifásico 220\u00a0V y la casa tiene monofásico 127\u00a0V.',
  ])
  expect(whyLoadIncrease(null, 'split', 'two')).toEqual([])
})
