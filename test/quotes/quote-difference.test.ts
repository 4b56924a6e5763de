import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ChargedLine,
  optionIds,
  type QuoteLine,
  type QuoteOption,
} from '../../src/domain/quotes/content.ts'
import { changedIn, differenceOf, type LineChange } from '../../src/domain/quotes/diff.ts'
import { totalsOfOption } from '../../src/domain/quotes/totals.ts'
import { content as contentOf, line, option as optionOf } from '../kit/quotes.ts'

const off = (percent: number): QuoteLine => ({
  id: 'd',
  kind: 'discount',
  description: 'Descuento',
  amount: null,
  percent,
})
const option = (wish: Partial<QuoteOption> = {}) =>
  optionOf(wish.id ?? 'essential', { lines: [line('a')], addOns: [], metres: null, ...wish })
const content = (options: QuoteOption[], wish = {}) => contentOf({ options, ...wish })

describe('what changed', () => {
  test.each<[string, Partial<QuoteOption>, Partial<QuoteOption>, object[]]>([
    ['nothing', {}, {}, []],
    ['a line more', {}, { lines: [line('a'), line('b')] }, [{ change: 'added', isAddOn: false }]],
    ['a line less', { addOns: [line('b')] }, {}, [{ change: 'removed', isAddOn: true }]],
    ['a quantity', {}, { lines: [line('a', { quantity: 2000 })] }, [{ change: 'changed' }]],
    ['a price', {}, { lines: [line('a', { unitPrice: 1 })] }, [{ change: 'changed' }]],
    [
      'a discount',
      { lines: [line('a'), off(500)] },
      { lines: [line('a'), off(600)] },
      [{ change: 'changed' }],
    ],
    [
      'an add-on that is now included',
      { addOns: [line('b')] },
      { lines: [line('a'), line('b')] },
      [{ change: 'moved', isAddOn: false }],
    ],
    ['the order', { lines: [line('a'), line('b')] }, { lines: [line('b'), line('a')] }, []],
    ['keys of the SAT', {}, { lines: [line('a', { satProduct: '72151500', satUnit: 'E48' })] }, []],
  ])('%s', (_, before, after, lines) => {
    const { options } = differenceOf(content([option(before)]), content([option(after)]))
    expect(options.flatMap((one) => one.lines)).toMatchObject(lines)
    expect(options).toHaveLength(lines.length > 0 ? 1 : 0)
  })

  test('of an added or removed option is its total', () => {
    const one = option()
    const more = option({ id: 'complete', lines: [line('a', { quantity: 3000 })] })
    expect(differenceOf(content([one]), content([one, more])).options).toEqual([
      { option: 'complete', before: null, after: 3480_00, lines: [], metres: null },
    ])
    expect(differenceOf(content([one, more]), content([one])).options).toMatchObject([
      { option: 'complete', before: 3480_00, after: null },
    ])
  })

  test('of metres and terms is their values', () => {
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
})

const someLine: fc.Arbitrary<ChargedLine> = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    quantity: fc.integer({ min: 1, max: 3 }).map((units) => units * 1000),
    unitPrice: fc.constantFrom(10_0000, 20_0000),
    iva: fc.constantFrom(16 as const, 0 as const),
  })
  .map(({ id, ...wish }) => line(id, wish))
const someOption = (id: QuoteOption['id']): fc.Arbitrary<QuoteOption> =>
  fc
    .tuple(fc.uniqueArray(someLine, { selector: (one) => one.id, maxLength: 6 }), fc.nat({ max: 6 }))
    .map(([all, included]) => option({ id, lines: all.slice(0, included), addOns: all.slice(included) }))
const someContent = fc
  .tuple(...optionIds.map((id) => fc.option(someOption(id), { nil: null })))
  .map((options) => content(options.filter((one) => one !== null)))

/** Every line of an option by its id, with where it stands. */
const byId = ({ addOns, lines }: QuoteOption) =>
  new Map<string, { isAddOn: boolean; line: QuoteLine }>([
    ...lines.map((one) => [one.id, { isAddOn: false, line: one }] as const),
    ...addOns.map((one) => [one.id, { isAddOn: true, line: one }] as const),
  ])

/** What an option becomes by its changes. */
function changed(before: QuoteOption, changes: readonly LineChange[]) {
  const lines = byId(before)
  for (const change of changes)
    if (change.change === 'removed') lines.delete(change.before.id)
    else lines.set(change.after.id, { isAddOn: change.isAddOn, line: change.after })
  return lines
}

describe('for any two versions', () => {
  test('the changes turn one into the other, each stated once', () => {
    fc.assert(
      fc.property(someContent, someContent, (before, after) => {
        const changes = differenceOf(before, after).options
        expect(new Set(changes.map((one) => one.option)).size).toBe(changes.length)
        for (const id of optionIds) {
          const [was, is] = [before, after].map(({ options }) => options.find((one) => one.id === id))
          const change = changes.find((one) => one.option === id)
          if (!was || !is) {
            expect(change !== undefined).toBe(was !== is)
            continue
          }
          expect(changed(was, change?.lines ?? [])).toEqual(byId(is))
          if (change) {
            const totals = { before: totalsOfOption(was).total, after: totalsOfOption(is).total }
            expect(change).toMatchObject(totals)
            const ids = change.lines.map((one) => ('after' in one ? one.after : one.before).id)
            expect(new Set(ids).size).toBe(ids.length)
          }
        }
      }),
    )
  })

  test('a version does not differ from itself', () => {
    fc.assert(
      fc.property(someContent, (one) => {
        expect(differenceOf(one, structuredClone(one))).toEqual({ options: [], terms: [] })
      }),
    )
  })
})

test('names the fields in which two lines differ', () => {
  const amount = { ...off(500), amount: 100, percent: null } as QuoteLine
  expect(changedIn(off(500), amount)).toEqual(['amount', 'percent'])
  expect(changedIn(line('a'), amount)).toEqual(['kind'])
})
