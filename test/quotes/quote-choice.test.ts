import { expect, test } from 'vitest'
import type { ChargedLine, QuoteOption } from '../../src/domain/quotes/content.ts'
import { addOnField, choiceTotal, quoteChoiceIn } from '../../src/domain/quotes/totals.ts'

const line = (id: string, pesos: number): ChargedLine => ({
  id,
  kind: 'material',
  description: id,
  unit: 'pza',
  quantity: 1000,
  unitPrice: pesos * 10_000,
  iva: 16,
  satProduct: '26121600',
  satUnit: 'H87',
})
const option = (id: QuoteOption['id'], pesos: number): QuoteOption => ({
  id,
  summary: '',
  lines: [line('base', pesos)],
  addOns: [line('surge', 500), line('lock', 100)],
  metres: null,
})
const content = { options: [option('essential', 1000), option('complete', 2000)], depositPercent: 50 }

test('an add-on counts with the option it stands in', () => {
  const choice = quoteChoiceIn(content, {
    option: 'complete',
    [addOnField('essential', 'surge')]: 'on',
    [addOnField('complete', 'lock')]: 'on',
    'add-complete-unknown': 'on',
  })
  expect(choice).toEqual({ option: 'complete', addOns: { essential: ['surge'], complete: ['lock'] } })
  expect(choiceTotal(content, choice)).toEqual({ option: 'complete', total: 2_436_00, deposit: 1_218_00 })
})

test('nothing is chosen for anybody', () => {
  for (const fields of [{}, { option: 'recommended' }, { option: '' }])
    expect(choiceTotal(content, quoteChoiceIn(content, fields))).toBeNull()
})
