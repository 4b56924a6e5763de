import { expect, test } from 'vitest'
import {
  ampsAgainstPlate,
  calculate,
  type Gauge,
  groundConductorFor,
  loadOf,
  type Supply,
  whyLoadIncrease,
} from '../../src/domain/reports/circuit.ts'

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

// 220-83 with 220-12 and 220-52: m², other appliances and air conditioning in W, main breaker in A, contract in kW.
type House = [
  area: number,
  others: number,
  cooling: number,
  supply: Supply,
  main: number,
  contracted: number,
  charger: Supply,
  amps: number,
  needed: number,
  available: number,
  exceeds: boolean,
]
const houses: readonly House[] = [
  [120, 750, 1500, 'two', 60, 10, 'two', 32, 18.78, 13.2, true],
  [120, 0, 0, 'two', 100, 20, 'two', 32, 16.98, 22.0, false],
  [60, 0, 0, 'single', 30, 5, 'single', 16, 9.02, 3.81, true],
  [90, 1500, 0, 'split', 70, 10, 'split', 32, 17.99, 16.8, true],
  [140, 3750, 1800, 'three', 70, 25, 'two', 32, 20.55, 26.67, false],
  [300, 9000, 7000, 'three', 125, 50, 'three', 60, 49.74, 47.63, true],
  [106, 0, 0, 'two', 100, 20, 'two', 16, 12.4, 22.0, false],
]

test.each(houses)(
  '%i m², %i W and %i W of cooling, %s with %i A and %i kW contracted; a charger %s of %i A: %f of %f kVA, exceeds %s',
  (area, others, cooling, supply, mainBreaker, contracted, charger, amps, needed, available, exceeds) => {
    const loads = [
      { name: 'Bomba, boiler y horno', watts: others, quantity: 1 },
      { name: 'Aire acondicionado', watts: cooling, quantity: 1 },
    ]
    const demand = loadOf({ area, loads, mainBreaker, contracted, supply }, { amps, supply: charger })
    expect(Math.abs(demand.needed - needed)).toBeLessThanOrEqual(0.005001)
    expect(Math.abs(demand.available - available)).toBeLessThanOrEqual(0.005001)
    expect(demand.exceeds).toBe(exceeds)
    expect(whyLoadIncrease(demand, supply, charger).length > 0).toBe(exceeds)
  },
)

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
  const house = { area: 120, loads: [], mainBreaker: 100, contracted: 10, supply: 'two' } as const
  const reasons = whyLoadIncrease(loadOf(house, { amps: 32, supply: 'two' }), 'two', 'two')
  expect(reasons.join(' ')).toContain('kW contratados')
  expect(reasons.join(' ')).toContain('bifásico 220\u00a0V hasta para 10\u00a0kW')
  expect(whyLoadIncrease(null, 'single', 'two')).toEqual([
    'El cargador pide bifásico 220\u00a0V y la casa tiene monofásico 127\u00a0V.',
  ])
  expect(whyLoadIncrease(null, 'split', 'two')).toEqual([])
})
