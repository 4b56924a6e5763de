import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ChargedLine,
  optionIds,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from '../../src/domain/quotes/content.ts'
import { changedIn, differenceOf, type LineChange } from '../../src/domain/quotes/diff.ts'
import { totalsOfOption } from '../../src/domain/quotes/totals.ts'

const charged = (id: string, wish: Partial<ChargedLine> = {}): ChargedLine => ({
  id,
  kind: 'material',
  description: `Línea ${id}`,
  unit: 'm',
  quantity: 1000,
  unitPrice: 100_0000,
  iva: 16,
  satProduct: '26121600',
  satUnit: 'MTR',
  ...wish,
})
const off = (percent: number): QuoteLine => ({
  id: 'd',
  kind: 'discount',
  description: 'Descuento',
  amount: null,
  percent,
})
const option = (wish: Partial<QuoteOption> = {}): QuoteOption => ({
  id: 'essential',
  summary: 'Lo justo',
  lines: [charged('a')],
  addOns: [],
  metres: null,
  ...wish,
})
const content = (options: QuoteOption[], wish: Partial<QuoteContent> = {}): QuoteContent => ({
  options,
  depositPercent: 50,
  validUntil: '2026-12-07',
  warrantyMonths: 12,
  exclusions: 'Obra civil',
  refundTerms: 'Todo',
  notes: '',
  ...wish,
})

describe('what changed', () => {
  test.each<[string, Partial<QuoteOption>, Partial<QuoteOption>, object[]]>([
    ['nothing', {}, {}, []],
    ['a line more', {}, { lines: [charged('a'), charged('b')] }, [{ change: 'added', isAddOn: false }]],
    ['a line less', { addOns: [charged('b')] }, {}, [{ change: 'removed', isAddOn: true }]],
    ['a quantity', {}, { lines: [charged('a', { quantity: 2000 })] }, [{ change: 'changed' }]],
    ['a price', {}, { lines: [charged('a', { unitPrice: 1 })] }, [{ change: 'changed' }]],
    [
      'a discount',
      { lines: [charged('a'), off(500)] },
      { lines: [charged('a'), off(600)] },
      [{ change: 'changed' }],
    ],
    [
      'an add-on that is now included',
      { addOns: [charged('b')] },
      { lines: [charged('a'), charged('b')] },
      [{ change: 'moved', isAddOn: false }],
    ],
    ['the order', { lines: [charged('a'), charged('b')] }, { lines: [charged('b'), charged('a')] }, []],
    ['keys of the SAT', {}, { lines: [charged('a', { satProduct: '72151500', satUnit: 'E48' })] }, []],
  ])('%s', (_, before, after, lines) => {
    const { options } = differenceOf(content([option(before)]), content([option(after)]))
    expect(options.flatMap((one) => one.lines)).toMatchObject(lines)
    expect(options).toHaveLength(lines.length > 0 ? 1 : 0)
  })

  test('an option that is new or gone is told by its total', () => {
    const one = option()
    const more = option({ id: 'complete', lines: [charged('a', { quantity: 3000 })] })
    expect(differenceOf(content([one]), content([one, more])).options).toEqual([
      { option: 'complete', before: null, after: 348_00, lines: [], metres: null },
    ])
    expect(differenceOf(content([one, more]), content([one])).options).toMatchObject([
      { option: 'complete', before: 348_00, after: null },
    ])
  })

  test('included metres and terms', () => {
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

const line: fc.Arbitrary<ChargedLine> = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    quantity: fc.integer({ min: 1, max: 3 }).map((units) => units * 1000),
    unitPrice: fc.constantFrom(10_0000, 20_0000),
    iva: fc.constantFrom(16 as const, 0 as const),
  })
  .map(({ id, ...wish }) => charged(id, wish))
const someOption = (id: QuoteOption['id']): fc.Arbitrary<QuoteOption> =>
  fc
    .tuple(fc.uniqueArray(line, { selector: (one) => one.id, maxLength: 6 }), fc.nat({ max: 6 }))
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

/** What an option becomes when it is told everything that changed. */
function told(before: QuoteOption, changes: readonly LineChange[]) {
  const lines = byId(before)
  for (const change of changes)
    if (change.change === 'removed') lines.delete(change.before.id)
    else lines.set(change.after.id, { isAddOn: change.isAddOn, line: change.after })
  return lines
}

describe('for any two versions', () => {
  test('what is told turns the one into the other, and nothing is told twice', () => {
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
          expect(told(was, change?.lines ?? [])).toEqual(byId(is))
          if (change) {
            expect([change.before, change.after]).toEqual([
              totalsOfOption(was).total,
              totalsOfOption(is).total,
            ])
            const ids = change.lines.map((one) => ('after' in one ? one.after : one.before).id)
            expect(new Set(ids).size).toBe(ids.length)
          }
        }
      }),
    )
  })

  test('backwards it says the opposite', () => {
    const opposite = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved' } as const
    const said = ({ options }: ReturnType<typeof differenceOf>, turned: boolean) =>
      options
        .flatMap(({ lines, option: of }) =>
          lines.map((one) =>
            [
              of,
              ('after' in one ? one.after : one.before).id,
              turned ? opposite[one.change] : one.change,
            ].join(),
          ),
        )
        .sort()
    fc.assert(
      fc.property(someContent, someContent, (before, after) => {
        expect(said(differenceOf(before, after), false)).toEqual(said(differenceOf(after, before), true))
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

test('a discount by percentage and one by amount differ in both', () => {
  const amount: QuoteLine = {
    id: 'd',
    kind: 'discount',
    description: 'Descuento',
    amount: 100,
    percent: null,
  }
  expect(changedIn(off(500), amount)).toEqual(['amount', 'percent'])
  expect(changedIn(charged('a'), amount)).toEqual(['kind'])
})
