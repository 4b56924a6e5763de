import { marginsOf, type PricedItem } from '../../src/quotes/rules/proposal.ts'
import { content, line, option } from '../kit/quotes.ts'

const priced = (code: string, unitCost: number | null): PricedItem => {
  const { id: _, quantity: __, ...rest } = line(code)
  return { ...rest, code, unitCost }
}
const catalogue = [priced('a', 600_0000), priced('b', null)]
const ten = { id: 'd', kind: 'discount' as const, description: 'Descuento', amount: null, percent: 10_00 }

test.each([
  ['its cost', [line('1', { code: 'a' })], [], [1000_00, 600_00, []]],
  ['the cost of several', [line('1', { code: 'a', quantity: 2500 })], [], [2500_00, 1500_00, []]],
  ['discounts', [line('1', { code: 'a' }), ten], [], [900_00, 600_00, []]],
  ['chosen add-ons', [line('1', { code: 'a' })], ['x'], [2000_00, 1200_00, []]],
  ['an unknown cost', [line('1', { code: 'b' })], [], [1000_00, 0, ['Partida 1']]],
  ['a line of no item', [line('1')], [], [1000_00, 0, ['Partida 1']]],
])('the margin of an option counts %s', (_, lines, chosen, [net, cost, unknown]) => {
  const options = [option('essential', { addOns: [line('x', { code: 'a' })], lines })]
  const margin = { option: 'essential', net, cost, unknown }
  expect(marginsOf(content({ options }), catalogue, chosen)).toEqual([margin])
})
