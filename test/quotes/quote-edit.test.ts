import fc from 'fast-check'
import { byHand } from '../../src/quotes/rules/adding.ts'
import {
  type CatalogueItem,
  type ChargedLine,
  optionIds,
  type QuoteContent,
} from '../../src/quotes/rules/content.ts'
import { fieldsOf, type TypedQuote, typedOf, typedQuoteIn } from '../../src/quotes/rules/draft.ts'
import { draftEditOf, type Edit, edited, editValue } from '../../src/quotes/rules/draft-edits.ts'
import { rowsOf } from '../../src/quotes/rules/grid.ts'
import { judgeQuote, quoteInput } from '../../src/quotes/rules/schema.ts'
import { smallContent } from './draft-form.ts'

const now = new Date('2026-11-21T18:00:00Z')
const today = '2026-11-21'
const item: CatalogueItem = {
  code: 'PER-CON',
  kind: 'permit',
  description: 'Permiso',
  unit: 'trámite',
  unitPrice: 600_0000,
  iva: 16,
  satProduct: '80161500',
  satUnit: 'E48',
}
const [only] = smallContent(now).options
const line = only!.lines[0] as ChargedLine
const named = (id: string, description: string) => ({ ...line, id, description })
const content: QuoteContent = {
  ...smallContent(now),
  options: [
    {
      ...only!,
      lines: [
        named('1', 'a'),
        named('2', 'b'),
        { id: '3', kind: 'discount', description: 'c', amount: null, percent: 1000 },
      ],
    },
  ],
}
const first = typedOf(content)
const inOrder = ({ options }: TypedQuote) =>
  options.map(({ lines }) => lines.map(({ description }) => description).join(''))
const linesAfter = (edit: Edit, typed = first) => inOrder(edited(typed, edit, [item]).typed)
const at = (place: number) => ({ option: 0, list: 'lines', at: place }) as const

test.each([
  ['up.0.lines.1', 'bac'],
  ['up.0.lines.0', 'abc'],
  ['down.0.lines.0', 'bac'],
  ['down.0.lines.1', 'abc'],
  ['duplicate.0.lines.1', 'abbc'],
  ['remove.0.lines.1', 'ac'],
  ['remove.0.lines.9', 'abc'],
  ['removeAll.0.lines.1', 'ac'],
  ['add.0.lines', 'abcPermiso'],
  ['add.all.lines', 'abcPermiso'],
  ['add.1.lines', 'abc'],
  ['add.0.addOns', 'abc'],
  ['add.0.lines.texto', 'abcPER-CON'],
  ['up.2.lines.0', 'abc'],
])('what a button does: %s leaves the lines %s', (button, lines) =>
  expect(linesAfter(draftEditOf(button, 'PER-CON')!)).toEqual([lines]),
)

/** Options with a line for each character: lower case material, upper case equipment. */
const quoteOf = (...options: readonly string[]) => {
  let id = 0
  return typedOf({
    ...content,
    options: options.map((names, n) => ({
      ...only!,
      id: optionIds[n]!,
      lines: [...names].map((name) => ({
        ...named(String(++id), name.toLowerCase()),
        kind: name === name.toLowerCase() ? ('material' as const) : ('equipment' as const),
      })),
    })),
  })
}

test.each([
  [['ab', 'abc', 'bd'], 'a00- b110 c-2- d--1'],
  [['bc', 'abc'], 'a-0 b01 c12'],
  [['aa', 'a'], 'a00 a1-'],
  [['ba', 'ab'], 'b01 a10'],
])('matches the lines of %s as rows: %s', (options, rows) => {
  const typed = quoteOf(...options)
  const found = rowsOf(typed).map(({ at }) => {
    const n = at.findIndex((place) => place !== null)
    return typed.options[n]!.lines[at[n]!]!.description + at.map((place) => place ?? '-').join('')
  })
  expect(found.join(' ')).toBe(rows)
})

test('matches lines by their code, those of one code by their words, and says what they do not agree in', () => {
  const priced = (code: string, description: string, unitPrice = 1) => ({
    ...line,
    code,
    description,
    unitPrice,
  })
  const lines = [
    [priced('C', 'hilo'), priced('C', 'tierra'), priced('D', 'tubo')],
    [priced('C', 'tierra'), priced('D', 'tubo visible', 2)],
  ]
  const options = lines.map((all, n) => ({ ...only!, id: optionIds[n]!, lines: all }))
  expect(rowsOf(typedOf({ ...content, options }))).toMatchObject([
    { at: [0, null], apart: [] },
    { at: [1, 0], apart: [] },
    { at: [2, 1], apart: ['description', 'unitPrice'] },
  ])
})

test.each([
  ['down.0.lines.0', 'ba,bac,ad'],
  ['up.1.lines.2', 'ab,acb,ad'],
  ['up.2.lines.1', 'ab,abc,da'],
  ['duplicate.1.lines.0', 'aab,aabc,aad'],
  ['remove.1.lines.0', 'ab,bc,ad'],
  ['removeAll.1.lines.0', 'b,bc,d'],
  ['put.1.lines.2.0', 'abc,abc,ad'],
  ['put.0.lines.1.2', 'ab,abc,abd'],
  ['put.0.lines.0.1', 'ab,abc,ad'],
])('an edit of a row acts on it in every option: %s leaves %s', (button, lines) =>
  expect(linesAfter(draftEditOf(button, '')!, quoteOf('ab', 'abc', 'ad')).join()).toBe(lines),
)

test('moves a row within its group only', () => {
  expect(linesAfter(draftEditOf('up.0.lines.2', '')!, quoteOf('aBc'))).toEqual(['cab'])
  expect(linesAfter(draftEditOf('up.0.lines.1', '')!, quoteOf('aBc'))).toEqual(['abc'])
})

test('adds to the options that lack an item', () => {
  const one = edited(quoteOf('a', 'b'), { name: 'add', option: 1, list: 'lines', text: 'permiso 2' }, [
    item,
  ]).typed
  const all = edited(one, { name: 'add', option: 'all', list: 'lines', text: 'permiso' }, [item])
  expect(inOrder(all.typed)).toEqual(['aPermiso', 'bPermiso'])
  expect(all.typed.options.map(({ lines }) => lines[1]?.quantity)).toEqual(['1', '2'])
  expect(
    edited(all.typed, { name: 'add', option: 'all', list: 'lines', text: 'permiso' }, [item]).line,
  ).toBeNull()
})

test('a line that follows another has its values in the fields that it does not send, refused once', () => {
  const { 'options.1.lines.0.unitPrice': _, ...rest } = fieldsOf(quoteOf('a', 'a'))
  const form = {
    ...rest,
    'options.1.lines.0.follows': 'options.0.lines.0.',
    'options.0.lines.0.unitPrice': 'x',
  }
  expect(typedQuoteIn(form).options[1]?.lines[0]?.unitPrice).toBe('x')
  const names = (sent: Record<string, string>) =>
    quoteInput(today)
      .safeParse(sent)
      .error?.issues.map(({ path }) => path.join())
  expect(names(form)).toEqual(['options.0.lines.0.unitPrice'])
  // One that follows nothing is refused itself.
  expect(names({ ...form, 'options.1.lines.0.follows': 'options.1.lines.0.' })).toHaveLength(2)
  expect(names({ ...fieldsOf(first), adding: '8 awg' })).toEqual(['adding'])
})

test('an option is added in its place with the lines of the one before; all but the last can be removed', () => {
  const more = edited(first, { name: 'addOption', id: 'complete' }, []).typed
  const all = edited(more, { name: 'addOption', id: 'recommended' }, []).typed
  expect(all.options.map(({ id }) => id)).toEqual(['essential', 'recommended', 'complete'])
  expect(inOrder(all)).toEqual(['abc', 'abc', 'abc'])
  expect(edited(all, { name: 'addOption', id: 'complete' }, []).typed).toBe(all)
  const less = edited(all, { name: 'removeOption', option: 0 }, []).typed
  expect(less.options.map(({ id }) => id)).toEqual(['recommended', 'complete'])
  expect(edited(first, { name: 'removeOption', option: 0 }, []).typed).toBe(first)
})

test('the value of each button is read as its edit', () => {
  const edits: Edit[] = [
    { name: 'remove', option: 2, list: 'addOns', at: 12 },
    { name: 'put', option: 2, list: 'lines', at: 3, to: 0 },
    { name: 'add', option: 1, list: 'lines', text: '8 awg', code: undefined },
    { name: 'add', option: 'all', list: 'addOns', text: '8 awg', code: 'CAB-8' },
    { name: 'addOption', id: 'recommended' },
    { name: 'removeOption', option: 2 },
    { name: 'metres', option: 0 },
    { name: 'prices' },
  ]
  for (const edit of edits) expect(draftEditOf(editValue(edit), '8 awg')).toEqual(edit)
  const odd = 'up up.3.lines.0 up.0.nada.0 addOption.__proto__ removeOption.9 move.0.lines.1'
  for (const value of ['', ...odd.split(' ')]) expect(draftEditOf(value, '')).toBeNull()
})

test('gives the id of a removed line to no other', () => {
  const without = edited(first, { name: 'remove', ...at(2) }, []).typed
  const { typed } = edited(without, { name: 'add', option: 0, list: 'lines', text: 'd', code: byHand }, [])
  expect(typed.options[0]?.lines.at(-1)?.id).toBe('4')
  // Nor one of the version before.
  expect(edited(typedOf(smallContent(now), content), { name: 'duplicate', ...at(0) }, []).line).toBe('4')
})

test('any edits keep the form readable as typed, ids unique, and the options valid', () => {
  const edit = fc.record({
    name: fc.constantFrom(
      'up',
      'down',
      'duplicate',
      'remove',
      'removeAll',
      'put',
      'add',
      'addOption',
      'removeOption',
    ),
    option: fc.nat(2),
    list: fc.constantFrom('lines', 'addOns'),
    at: fc.nat(4),
    to: fc.nat(3),
    text: fc.constantFrom('permiso', 'permiso 2', 'descuento 5 %', 'resane'),
    id: fc.constantFrom(...optionIds),
  }) as fc.Arbitrary<Edit>
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const typed = edits.reduce((sofar, one) => edited(sofar, one, [item]).typed, first)
      expect(typedQuoteIn(fieldsOf(typed))).toEqual(typed)
      const ids = typed.options.flatMap(({ addOns, lines }) => [...lines, ...addOns].map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      expect(judgeQuote(typed, today)).not.toHaveProperty('errors.options')
    }),
  )
})

test('a stored content passes through the form unchanged', () => {
  expect(judgeQuote(typedOf(content), today)).toEqual({ content })
  const metres = { included: 125, furtherPrice: 284_5000 }
  const full = { ...content, options: [{ ...content.options[0]!, metres, addOns: [{ ...line, id: '9' }] }] }
  expect(judgeQuote(typedQuoteIn(fieldsOf(typedOf(full as QuoteContent))), today)).toEqual({ content: full })
})

test.each<[string, string, string | undefined]>([
  ['validUntil', '2026-11-22', undefined],
  ['validUntil', '2026-11-21', 'Elige un día de mañana'],
  ['validUntil', '2027-02-19', undefined],
  ['validUntil', '2027-02-20', 'Elige un día de mañana'],
  ['validUntil', '2026-02-30', 'Elige un día de mañana'],
  ['depositPercent', '0', undefined],
  ['depositPercent', '33.5', 'Escribe un número entero'],
  ['warrantyMonths', '121', 'Escribe un número entero'],
  ['notes', 'x'.repeat(2001), 'Usa como máximo 2000 caracteres.'],
  ['options.0.metres', '12', 'Escribe el precio'],
  ['options.0.lines.0.quantity', '9,999.9999', 'Escribe cuánto'],
  ['options.0.lines.0.unit', '', 'Escribe en qué se mide.'],
  ['options.0.lines.0.description', ' ', 'Escribe qué es.'],
  ['options.0.lines.0.satProduct', '123', 'Escribe los 8 dígitos'],
  ['options.0.lines.2.discount', '101 %', 'Escribe cuánto se descuenta'],
  ['options.0.lines.2.discount', '$0', 'Escribe cuánto se descuenta'],
  ['options.0.lines.2.discount', '$250.50', undefined],
  ['options.0.lines.0.satUnit', 'h87', undefined],
])('judges %s with "%s"', (name, typed, message) => {
  const judged = judgeQuote(typedQuoteIn({ ...fieldsOf(first), [name]: typed }), today)
  const errors = 'errors' in judged ? Object.values(judged.errors) : []
  if (message === undefined) expect(errors).toEqual([])
  else expect(errors).toContainEqual(expect.stringContaining(message))
})

test('refuses an option without a charge, and more lines than fit', () => {
  expect(judgeQuote({ ...first, options: [{ ...first.options[0]!, lines: [] }] }, today)).toMatchObject({
    errors: { 'options.0.lines': expect.stringContaining('no cobra nada') },
  })
  const lines = Array.from({ length: 61 }, (_, n) => ({ ...first.options[0]!.lines[0]!, id: String(n + 1) }))
  expect(judgeQuote({ ...first, options: [{ ...first.options[0]!, lines }] }, today)).toMatchObject({
    errors: { 'options.0.lines': 'Son 61; caben 60. Quita las que sobran.' },
  })
})

test('gives each line without a number a unique one', () => {
  const off = { id: 'descuento', kind: 'discount', description: 'Promo', amount: null, percent: 500 } as const
  const written = [only!, { ...only!, id: 'complete' as const, addOns: [] }].map((option) => ({
    ...option,
    lines: [named('1', 'a'), named('0', 'b'), off],
  }))
  const judged = judgeQuote(typedOf({ ...content, options: written }), today)
  const options = 'content' in judged ? judged.content.options : []
  const ids = options.flatMap(({ addOns, lines }) => [...lines, ...addOns].map(({ id }) => id))
  expect(ids[0]).toBe('1')
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[1-9]\d*$/)
  const descriptions = options.map(({ lines }) => lines.map((one) => one.description).join())
  expect(descriptions).toEqual(['a,b,Promo', 'a,b,Promo'])
})
