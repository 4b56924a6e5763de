import { describe, expect, test } from 'vitest'
import { addedLines, comparedItems, suggestedOption } from '../../src/domain/quotes/comparison.ts'
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

describe('the option that is picked for who has not picked', () => {
  test.each([
    [options, 'recommended'],
    [[options[2]!, options[0]!], 'complete'],
    [[], null],
  ])('is the recommended one, else the first', (of, expected) => {
    expect(suggestedOption({ options: of })).toBe(expected)
  })
})

test('what an option adds is what the one before it lacks, whatever the ids and amounts', () => {
  const added = (id: 'essential' | 'recommended' | 'complete') => addedLines(options, id).map((one) => one.id)
  expect([added('essential'), added('recommended'), added('complete')]).toEqual([[], ['3'], ['6', '7']])
})

test('an item is compared once, by its code or its words, and an amount of its own is a difference', () => {
  const table = comparedItems(options).map(({ description, differs, lines }) => [
    description,
    differs,
    lines.map((one) => one && one.quantity / 1000),
  ])
  expect(table).toEqual([
    ['Cable', true, [12, 12, 15]],
    ['Supresor de picos', true, [null, 1, 1]],
    ['Partida 6', true, [null, null, 1]],
    ['Partida 6', true, [null, null, 1]],
  ])
  expect(
    comparedItems(options.slice(0, 2)).map(({ description, differs }) => [description, differs]),
  ).toEqual([
    ['Cable', false],
    ['Supresor de picos', true],
  ])
})
