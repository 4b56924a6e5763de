import fc from 'fast-check'
import { conduitFor } from '../../src/reports/rules/circuit.ts'
import {
  calculationOf,
  chargerLimitOf,
  increaseReasons,
  requestedLoad,
} from '../../src/reports/rules/passport.ts'
import { cases } from '../kit/dice.ts'
import { type DrawnHome, secondCircuit, secondHome, secondLimit } from './second-calculation.ts'

const supply = fc.constantFrom('single', 'split', 'two', 'three')
const load = fc.record(
  {
    name: fc.constant('Aparato'),
    kind: fc.constantFrom('cooling', 'heating', 'other'),
    watts: fc.nat(6000),
    quantity: fc.nat(3),
  },
  { requiredKeys: ['name', 'watts', 'quantity'] },
)
const homes: fc.Arbitrary<DrawnHome> = fc.record({
  supply,
  area: fc.nat(400),
  loads: fc.array(load, { maxLength: 4 }),
  mainBreaker: fc.constantFrom(30, 60, 70, 100, 200),
  contractedKilowatts: fc.option(fc.nat(40)),
  feederGauge: fc.constantFrom('12', '10', '8', '6', '4', '3', '2', '1', '1/0', '2/0', '3/0', '4/0', '?'),
  feederMetres: fc.nat(60),
  chargerSupply: supply,
  chargerKilowatts: fc.nat(22),
  chargerAmps: fc.option(fc.nat(80)),
  chargerDistance: fc.nat(150),
  terminals75: fc.boolean(),
})

/** Only the order of the sums may differ. */
const expectNear = (figures: number[], others: number[]) =>
  expect(figures.filter((figure, n) => Math.abs(figure - others[n]!) > 1e-6)).toEqual([])

test('a second calculation of 10,000 homes says the same', () => {
  fc.assert(
    fc.property(homes, (home) => {
      const { circuit, demand } = calculationOf(home)!
      const { amps, breaker, choices, conductor } = circuit
      const ground = choices.find(({ gauge }) => gauge === conductor)?.ground
      const put = conductor && [conductor, ground, conduitFor(conductor, ground!, home.chargerSupply)]
      const other = secondCircuit(home)
      expectNear([amps, ...choices.map(({ drop }) => drop)], [other.amps, ...other.drops])
      expect([breaker ?? undefined, ...(put ?? [])]).toEqual(other.chosen)
      const { figures, fits } = secondHome(home, other.amps)
      expectNear([demand!.needed, demand!.amps, demand!.capacity, demand!.feederDrop], figures)
      expect(increaseReasons(home).length === 0).toBe(fits)
      const asked = Math.ceil(figures[0]! - 1e-6)
      expect(requestedLoad(home, false)).toBe(Math.max(asked, home.contractedKilowatts ?? 0))
      expect(chargerLimitOf(home)).toBe(secondLimit(home, other.amps))
    }),
    cases(10_000),
  )
})
