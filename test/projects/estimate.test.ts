import { referralCodeIn } from '../../src/agencies/rules/codes.ts'
import { canBeClaimed, coverageOf } from '../../src/projects/rules/address.ts'
import { estimateOf, plausibleMetresOf } from '../../src/projects/rules/pipeline.ts'
import { placeOf } from '../../src/projects/rules/postal-codes.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'

const prices = defaultSettings.estimate
const bare = { secondMeter: false, charger: false }

test.each([
  [{ ...bare, metres: 10 }, 11_000, 14_800],
  [{ ...bare, metres: 11 }, 11_300, 15_200],
  // Half a metre begun counts whole.
  [{ ...bare, metres: 10.5 }, 11_300, 15_200],
  [{ ...bare, metres: 10, secondMeter: true }, 14_800, 20_000],
  [{ ...bare, metres: 10, charger: true }, 20_300, 27_500],
  [{ metres: 25, secondMeter: true, charger: true }, 28_600, 38_700],
])('estimates %j between %s and %s pesos', (wanted, low, high) => {
  expect(estimateOf(wanted, prices)).toEqual({ low: low * 100, high: high * 100 })
})

test.each([
  [' 12.5 m ', 12.5],
  ['12,5', 12.5],
  ['300.1', null],
  ['12.55', null],
  ['1e2', null],
  ['', null],
])('reads "%s" as %s metres', (typed, metres) => {
  expect(plausibleMetresOf(typed)).toBe(metres)
})

test.each([
  ['03100', false, 'yes'],
  ['52140', false, 'not_yet'],
  ['52140', true, 'to_verify'],
  ['44100', false, 'not_yet'],
  // A postal code of Jalisco is not in Toluca.
  ['44100', true, 'not_yet'],
] as const)('covers %s, claimed %s: %s', (postalCode, claimed, expected) => {
  expect(coverageOf(placeOf(postalCode), claimed)).toBe(expected)
})

test('lets a place be claimed in Estado de México only', () => {
  expect(['52140', '50450', '44100', '03100'].filter((code) => canBeClaimed(placeOf(code)))).toEqual([
    '52140',
    '50450',
  ])
})

test.each([
  ['abc234', 'ABC234'],
  [' ABCDEFGH2345 ', 'ABCDEFGH2345'],
  ['ABC23', null],
  ['ABCDEFGH23456', null],
  ['ABCDE0', null],
  ['ABC-234', 'ABC234'],
  [null, null],
] as const)('reads the code "%s" as %s', (typed, code) => {
  expect(referralCodeIn(typed)).toBe(code)
})
