import type { CatalogueItem, QuoteContent, QuoteOption } from '../../src/quotes/rules/content.ts'
import { type TypedQuote, typedOf } from '../../src/quotes/rules/draft.ts'
import { edited } from '../../src/quotes/rules/draft-edits.ts'
import {
  metresCounted,
  metresDoubt,
  metresPromise,
  recounted,
  wiresIn,
} from '../../src/quotes/rules/metres.ts'
import { pricesApart } from '../../src/quotes/rules/prices.ts'
import { content, line, option } from '../kit/quotes.ts'

const metre = (id: string, quantity: number, unitPrice = 10_0000) =>
  line(id, { unit: 'm', quantity, unitPrice, code: id })
/** Two conductors, earth, tube and labour for 12 m, and a breaker. */
const lines = [
  metre('CAB-8', 24_000, 36_0000),
  metre('CAB-10', 12_000, 22_0000),
  metre('TUB-VIS', 12_000, 95_0000),
  metre('MO-MET', 12_000, 95_0000),
  line('INT-2P-60'),
]
const metres = { included: 120, furtherPrice: 284_0000 }
const offer = (changes: Partial<QuoteOption> = {}): QuoteContent =>
  content({ options: [option('essential', { lines, metres, ...changes })] })
const quantities = ({ options }: TypedQuote) => options[0]?.lines.map(({ quantity }) => quantity)

test.each([
  [12_000, 120, 1],
  [48_000, 120, 4],
  [60_000, 120, null],
  [13_000, 120, null],
  [12_500, 125, 1],
  [12_000, 0, null],
  [0, 120, null],
])('%i thousandths are %i tenths of a metre %s times', (quantity, tenths, times) =>
  expect(wiresIn(quantity, tenths)).toBe(times),
)

const to = (typed: TypedQuote, value: string) => {
  const changed = { ...typed, options: [{ ...typed.options[0]!, metres: value }] }
  return edited(changed, { name: 'metres', option: 0 }, []).typed
}
test.each([
  ['change the lines that stand for them', '20', ['40', '20', '20', '20', '1']],
  ['have a decimal', '12.5', ['25', '12.5', '12.5', '12.5', '1']],
  ['change nothing where they cannot be read', 'doce', ['24', '12', '12', '12', '1']],
  ['change nothing where they are zero', '0', ['24', '12', '12', '12', '1']],
])('the metres of an option %s', (_, typed, after) =>
  expect(quantities(to(typedOf(offer()), typed))).toEqual(after),
)

test('the metres of an option leave a line that was changed by hand', () => {
  const first = typedOf(offer({ lines: [metre('a', 24_000), metre('b', 13_000)] }))
  expect(quantities(to(first, '20'))).toEqual(['40', '13'])
})

test('the metres of an option change lines and add-ons one after the other, and back', () => {
  const first = typedOf(offer())
  expect(to(to(to(first, '20'), '7.5'), '12')).toEqual(first)
  const extra = typedOf(offer({ addOns: [metre('x', 12_000)] }))
  expect(to(extra, '20').options[0]!.addOns).toMatchObject([{ quantity: '20' }])
})

test.each<[string, QuoteOption['metres'], number[], number | null]>([
  ['those it promises', metres, [24_000, 12_000], 120],
  [
    'those of most lines, where it promises others',
    { ...metres, included: 200 },
    [24_000, 12_000, 12_000],
    120,
  ],
  ['those of most lines, where it promises none', null, [13_000, 24_000, 12_000], 120],
  ['none without lines by the metre', metres, [], null],
])('the metres of an option were counted with %s', (_, promised, each, counted) =>
  expect(metresCounted({ metres: promised, lines: each.map((quantity, n) => metre(`${n}`, quantity)) })).toBe(
    counted,
  ),
)

test.each(['M', ' metro ', 'metros'])('the metres of an option count lines by the unit "%s"', (unit) =>
  expect(recounted([{ kind: 'material', unit, quantity: '12' }], '12', '20')).toMatchObject([
    { quantity: '20' },
  ]),
)

test.each<[string, QuoteContent, string | null]>([
  ['agree', offer(), null],
  ['are not promised', offer({ metres: null }), null],
  [
    'are more than a line has',
    offer({ lines: [metre('CAB-8', 24_000)], metres: { ...metres, included: 200 } }),
    'Esencial promete 20\u00a0m y lleva 24\u00a0m de «Partida CAB-8».',
  ],
  [
    'are fewer than a line has',
    offer({ lines: [metre('a', 24_000), metre('b', 13_000)] }),
    'Esencial promete 12\u00a0m y lleva 13\u00a0m de «Partida b».',
  ],
  [
    'are fewer than an add-on has',
    offer({ lines: [metre('a', 24_000)], addOns: [metre('b', 13_000)] }),
    'Esencial promete 12\u00a0m y lleva 13\u00a0m de «Partida b».',
  ],
])('metres that %s', (_, offered, words) => expect(metresDoubt(offered)?.words ?? null).toBe(words))

test.each([
  ['promises its metres', {}, 'Incluye 12\u00a0m de recorrido'],
  [
    'promises none beside a line with fewer',
    { metres: { ...metres, included: 200 } },
    'Cada metro adicional cuesta',
  ],
  [
    'promises them beside a line with more',
    { lines: [metre('a', 13_000)] },
    'Incluye 12\u00a0m de recorrido',
  ],
])('an option %s', (_, changes, start) =>
  expect(metresPromise(offer(changes).options[0]!)?.startsWith(start)).toBe(true),
)

const item = (code: string, unitPrice: number): CatalogueItem => {
  const { id: _, quantity: __, ...rest } = line(code)
  return { ...rest, code, unitPrice }
}
const catalogue = [item('CAB-8', 40_0000), item('CAB-10', 22_0000)]

test('changed catalogue prices are listed once for each item, and one press takes them, also for further metres', () => {
  const typed = typedOf(
    content({ options: [option('essential', { lines, metres }), option('complete', { lines, metres })] }),
  )
  const say = (now: TypedQuote) => pricesApart(now.options, catalogue)
  expect(say(typed)).toEqual([
    { code: 'CAB-8', description: 'Partida CAB-8', unit: 'm', from: 36_0000, to: 40_0000 },
  ])
  const after = edited(typed, { name: 'prices' }, catalogue).typed
  expect(say(after)).toEqual([])
  // 2 × $4.00 more.
  expect(after.options.map(({ furtherPrice }) => furtherPrice)).toEqual(['292.00', '292.00'])
  const prices = after.options[0]?.lines.map(({ unitPrice }) => unitPrice)
  expect(prices).toEqual(['40.00', '22.00', '95.00', '95.00', '1000.00'])
})

test('catalogue prices leave a price of further metres that was set by hand', () => {
  const typed = typedOf(offer({ metres: { ...metres, furtherPrice: 300_0000 } }))
  expect(edited(typed, { name: 'prices' }, catalogue).typed.options[0]?.furtherPrice).toBe('300.00')
})
