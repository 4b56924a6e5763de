import { addedLines, comparedItems, suggestedOption } from '../../src/quotes/rules/comparison.ts'
import { line, option } from '../kit/quotes.ts'

const cable = (id: string, metres = 12) =>
  line(id, { code: 'CAB-8', description: 'Cable', quantity: metres * 1000 })
const surge = (id: string) => line(id, { code: 'PRO-SOB', description: 'Supresor de picos' })
const discount = { id: '9', kind: 'discount', description: 'Promoción', amount: null, percent: 5_00 } as const
const options = [
  option('essential', { lines: [cable('1'), discount] }),
  option('recommended', { lines: [cable('2'), surge('3')] }),
  option('complete', {
    lines: [cable('4', 15), surge('5'), line('6'), line('7', { description: 'Partida 6' })],
  }),
]

test('suggests the recommended option, else the first', () => {
  const suggested = [options, [options[2]!, options[0]!], []].map((of) => suggestedOption({ options: of }))
  expect(suggested).toEqual(['recommended', 'complete', null])
})

test('an option adds the lines that the one before lacks, whatever their ids and amounts', () => {
  const added = (id: 'essential' | 'recommended' | 'complete') => addedLines(options, id).map((one) => one.id)
  expect([added('essential'), added('recommended'), added('complete')]).toEqual([[], ['3'], ['6', '7']])
})

test('compares each item once, by its code or description, and marks different amounts', () => {
  const table = (of: typeof options) =>
    comparedItems(of).map(({ description, differs, lines }) => {
      const amounts = lines.map((one) => (one ? one.quantity / 1000 : '-'))
      return `${description}: ${amounts.join(' ')}${differs ? ' differs' : ''}`
    })
  expect(table(options)).toEqual([
    'Cable: 12 12 15 differs',
    'Supresor de picos: - 1 1 differs',
    'Partida 6: - - 1 differs',
    'Partida 6: - - 1 differs',
  ])
  expect(table(options.slice(0, 2))).toEqual(['Cable: 12 12', 'Supresor de picos: - 1 differs'])
})
