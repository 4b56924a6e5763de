import { expect, test } from 'vitest'
import { addOnField, choiceTotal, quoteChoiceIn } from '../../src/domain/quotes/totals.ts'
import { line, option } from '../kit/quotes.ts'

const addOns = [line('surge', { unitPrice: 500_0000 }), line('lock', { unitPrice: 100_0000 })]
const lines = [line('base', { unitPrice: 2000_0000 })]
const options = [option('essential', { addOns }), option('complete', { addOns, lines })]
const content = { options, depositPercent: 50 }

test('an add-on counts with the option that it belongs to', () => {
  const choice = quoteChoiceIn(content, {
    option: 'complete',
    [addOnField('essential', 'surge')]: 'on',
    [addOnField('complete', 'lock')]: 'on',
    'add-complete-unknown': 'on',
  })
  expect(choice).toEqual({ option: 'complete', addOns: { essential: ['surge'], complete: ['lock'] } })
  expect(choiceTotal(content, choice)).toEqual({ option: 'complete', total: 2_436_00, deposit: 1_218_00 })
})

test('no option is chosen without a known one', () => {
  for (const fields of [{}, { option: 'recommended' }, { option: '' }])
    expect(choiceTotal(content, quoteChoiceIn(content, fields))).toBeNull()
})
