import { expect, test } from 'vitest'
import { marginsOf, type PricedItem } from '../../src/domain/quotes/proposal.ts'
import { seesMargins } from '../../src/domain/quotes/quote.ts'
import { content, line, option } from '../kit/quotes.ts'

const priced = (code: string, unitCost: number | null): PricedItem => {
  const { id: _, quantity: __, ...rest } = line(code)
  return { ...rest, code, unitCost }
}
const catalogue = [priced('a', 600_0000), priced('b', null)]
const ten = { id: 'd', kind: 'discount' as const, description: 'Descuento', amount: null, percent: 10_00 }
const offer = (lines: Parameters<typeof option>[1]) =>
  content({ options: [option('essential', { addOns: [line('x', { code: 'a' })], ...lines })] })

test.each([
  ['what it costs', offer({ lines: [line('1', { code: 'a' })] }), [], [1000_00, 600_00, []]],
  [
    'several at a time',
    offer({ lines: [line('1', { code: 'a', quantity: 2500 })] }),
    [],
    [2500_00, 1500_00, []],
  ],
  ['discounts', offer({ lines: [line('1', { code: 'a' }), ten] }), [], [900_00, 600_00, []]],
  ['chosen add-ons', offer({ lines: [line('1', { code: 'a' })] }), ['x'], [2000_00, 1200_00, []]],
  [
    'an unknown cost by its name',
    offer({ lines: [line('1', { code: 'b' })] }),
    [],
    [1000_00, 0, ['Partida 1']],
  ],
  ['a line of no item', offer({ lines: [line('1')] }), [], [1000_00, 0, ['Partida 1']]],
])('an option leaves its price less %s', (_, offered, chosen, [net, cost, unknown]) =>
  expect(marginsOf(offered, catalogue, chosen as string[])).toEqual([
    { option: 'essential', net, cost, unknown },
  ]),
)

test('the manager alone sees it', () => {
  const kinds = ['manager', 'analyst', 'tecnician', 'gester', 'alliate'] as const
  const seen = kinds.filter((kind) => seesMargins({ kind }))
  expect(seen).toEqual(['manager'])
})
