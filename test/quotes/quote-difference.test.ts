import type { QuoteLine, QuoteOption } from '../../src/quotes/rules/content.ts'
import { changedIn, differenceOf } from '../../src/quotes/rules/diff.ts'
import { content as contentOf, line, option as optionOf } from '../kit/quotes.ts'

const off = (percent: number): QuoteLine => ({
  id: 'd',
  kind: 'discount',
  description: 'Descuento',
  amount: null,
  percent,
})
const option = (input: Partial<QuoteOption> = {}) =>
  optionOf(input.id ?? 'essential', { lines: [line('a')], addOns: [], metres: null, ...input })
const content = (options: QuoteOption[], input = {}) => contentOf({ options, ...input })
const twoOfA = line('a', { quantity: 2000 })

test.each<[string, Partial<QuoteOption>, Partial<QuoteOption>, object[]]>([
  ['nothing', {}, {}, []],
  ['a line more', {}, { lines: [line('a'), line('b')] }, [{ change: 'added', isAddOn: false }]],
  ['a line less', { addOns: [line('b')] }, {}, [{ change: 'removed', isAddOn: true }]],
  ['a quantity', {}, { lines: [twoOfA] }, [{ change: 'changed', isAddOn: false }]],
  ['a price', {}, { lines: [line('a', { unitPrice: 1 })] }, [{ change: 'changed' }]],
  ['a discount', { lines: [line('a'), off(500)] }, { lines: [line('a'), off(600)] }, [{ change: 'changed' }]],
  [
    'an add-on that is now included',
    { addOns: [line('b')] },
    { lines: [line('a'), line('b')] },
    [{ change: 'moved', isAddOn: false }],
  ],
  [
    'several at once, those removed last',
    { lines: [line('b'), line('a'), line('c')], addOns: [line('d')] },
    { lines: [line('d'), twoOfA], addOns: [line('c'), line('e')] },
    [
      { change: 'moved', isAddOn: false, after: line('d') },
      { change: 'changed', before: line('a'), after: twoOfA },
      { change: 'moved', isAddOn: true, before: line('c') },
      { change: 'added', isAddOn: true, after: line('e') },
      { change: 'removed', isAddOn: false, before: line('b') },
    ],
  ],
  ['the order', { lines: [line('a'), line('b')] }, { lines: [line('b'), line('a')] }, []],
  ['keys of the SAT', {}, { lines: [line('a', { satProduct: '72151500', satUnit: 'E48' })] }, []],
])('what changed: %s', (_, before, after, lines) => {
  const { options, terms } = differenceOf(content([option(before)]), content([option(after)]))
  expect(options).toMatchObject(lines.length > 0 ? [{ lines }] : [])
  expect(terms).toEqual([])
})

test('an added or removed option is shown by its total', () => {
  const one = option()
  const more = option({ id: 'complete', lines: [line('a', { quantity: 3000 })] })
  expect(differenceOf(content([one]), content([one, more])).options).toEqual([
    { option: 'complete', before: null, after: 3480_00, lines: [], metres: null },
  ])
  expect(differenceOf(content([one, more]), content([one])).options).toMatchObject([
    { option: 'complete', before: 3480_00, after: null },
  ])
})

test('changed metres and terms are shown by their values', () => {
  const metres = { included: 150, furtherPrice: 300_0000 }
  const before = content([option()], { notes: 'Sábado' })
  const after = content([option({ metres })], {
    depositPercent: 30,
    notes: 'Domingo',
    validUntil: '2026-12-24',
  })
  expect(differenceOf(before, after)).toMatchObject({
    options: [{ lines: [], metres: { before: null, after: metres } }],
    terms: [
      { term: 'depositPercent', before: 50, after: 30 },
      { term: 'notes', before: 'Sábado', after: 'Domingo' },
    ],
  })
})

test('names the fields in which two lines differ', () => {
  const amount = { ...off(500), amount: 100, percent: null } as QuoteLine
  expect(changedIn(off(500), amount)).toEqual(['amount', 'percent'])
  expect(changedIn(line('a'), amount)).toEqual(['kind'])
})
