import {
  discountOf,
  discountText,
  metresText,
  quantityOf,
  quantityText,
  unitPriceOf,
  unitPriceText,
} from '../shared/quote-figures.ts'
import { benefitLineId } from './benefit-line.ts'
import {
  type ChargedLine,
  isCharged,
  type OptionId,
  optionIds,
  optionNames,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from './quote-content.ts'

// A draft while it is typed: text only, so that the form shows exactly what was typed.

const lineFields = [
  'id',
  'kind',
  'description',
  'unit',
  'quantity',
  'unitPrice',
  'iva',
  'satProduct',
  'satUnit',
  'discount',
  'code',
] as const
/** A charged line, or a discount, whose `discount` is an amount or a percentage. */
export type TypedLine = Record<(typeof lineFields)[number], string>

const listNames = ['lines', 'addOns'] as const
export type ListName = (typeof listNames)[number]
const optionFields = ['summary', 'metres', 'furtherPrice'] as const
export type TypedOption = { id: OptionId } & Record<(typeof optionFields)[number], string> &
  Record<ListName, readonly TypedLine[]>

const termFields = [
  'depositPercent',
  'validUntil',
  'warrantyMonths',
  'exclusions',
  'refundTerms',
  'notes',
  // The highest line id so far: ids of deleted lines are not reused.
  'lastId',
] as const
export type TypedQuote = { options: readonly TypedOption[] } & Record<(typeof termFields)[number], string>

/** More than a quote takes: what is too much is told, and not dropped unseen. */
const mostLines = 100

/** The name of a field of an option, or of one of its lines. */
export const optionField = (option: number, field: string) => `options.${option}.${field}`
export const lineField = (option: number, list: ListName, at: number, field: string) =>
  optionField(option, `${list}.${at}.${field}`)

type Flat = Readonly<Partial<Record<string, string>>>

const texts = <Name extends string>(names: readonly Name[], read: (name: Name) => string | undefined) =>
  Object.fromEntries(names.map((name) => [name, read(name) ?? ''])) as Record<Name, string>

/** A draft as a form sent it, field by field. */
export function typedIn(form: Flat): TypedQuote {
  const count = optionIds.findIndex((_, n) => form[optionField(n, 'id')] === undefined)
  const options = optionIds.slice(0, count < 0 ? optionIds.length : count).map((_, n): TypedOption => {
    const id = form[optionField(n, 'id')] ?? ''
    return {
      id: Object.hasOwn(optionNames, id) ? (id as OptionId) : optionIds[n]!,
      ...texts(optionFields, (name) => form[optionField(n, name)]),
      lines: linesIn(form, n, 'lines'),
      addOns: linesIn(form, n, 'addOns'),
    }
  })
  return { options, ...texts(termFields, (name) => form[name]) }
}

function linesIn(form: Flat, option: number, list: ListName): TypedLine[] {
  const found: TypedLine[] = []
  for (let at = 0; at < mostLines && form[lineField(option, list, at, 'id')] !== undefined; at++)
    found.push(texts(lineFields, (name) => form[lineField(option, list, at, name)]))
  return found
}

/** The same as the fields of a form. */
export function fieldsOf({ options, ...terms }: TypedQuote): Record<string, string> {
  const inLists = (option: TypedOption, n: number) =>
    listNames.flatMap((list) =>
      option[list].flatMap((line, at) =>
        lineFields.map((name) => [lineField(n, list, at, name), line[name]] as const),
      ),
    )
  const inOptions = options.flatMap((option, n) => [
    ...(['id', ...optionFields] as const).map((name) => [optionField(n, name), option[name]] as const),
    ...inLists(option, n),
  ])
  return { ...terms, ...Object.fromEntries(inOptions) }
}

/** A stored draft as its form shows it; `before` is the version that it follows, whose lines keep their ids to themselves. */
export function typedOf(content: QuoteContent, before?: QuoteContent): TypedQuote {
  const { depositPercent, options, warrantyMonths, ...words } = content
  const ids = [content, ...(before ? [before] : [])].flatMap((one) => one.options.flatMap(lineIds))
  return {
    ...words,
    depositPercent: String(depositPercent),
    warrantyMonths: String(warrantyMonths),
    lastId: String(Math.max(0, ...ids)),
    options: options.map(typedOption),
  }
}

/** The ids of an option's lines as numbers. */
export const lineIds = ({ addOns, lines }: Record<ListName, readonly { id: string }[]>) =>
  [...lines, ...addOns].map(({ id }) => Number(id) || 0)

const typedOption = ({ addOns, id, lines, metres, summary }: QuoteOption): TypedOption => ({
  ...{ id, summary },
  metres: metres ? metresText(metres.included) : '',
  furtherPrice: metres ? unitPriceText(metres.furtherPrice) : '',
  // What a code takes off is put in by the server.
  lines: lines.filter(({ id }) => id !== benefitLineId).map(typedLine),
  addOns: addOns.map(typedLine),
})

export const blankLine: TypedLine = {
  ...{ id: '', kind: 'material', description: '', unit: 'pieza', quantity: '1', unitPrice: '' },
  ...{ iva: '16', satProduct: '', satUnit: '', discount: '', code: '' },
}

export function typedLine(line: QuoteLine): TypedLine {
  if (!isCharged(line)) {
    const { description, id, kind } = line
    return { ...blankLine, id, kind, description, discount: discountText(line) }
  }
  const { iva, quantity, unitPrice, ...texts } = line
  return {
    ...texts,
    ...{ quantity: quantityText(quantity), unitPrice: unitPriceText(unitPrice) },
    ...{ iva: String(iva), discount: '', code: line.code ?? '' },
  }
}

export const isDiscount = ({ kind }: Pick<TypedLine, 'kind'>) => kind === 'discount'

/** What can be read of lines while they are typed, for their totals; a line whose figures are none yet counts for nothing. */
export const readableLines = (lines: readonly TypedLine[]): QuoteLine[] =>
  lines.flatMap((line) => readable(line) ?? [])

function readable(line: TypedLine): QuoteLine | null {
  const { id, kind, description, unit, satProduct, satUnit } = line
  if (isDiscount(line)) {
    const off = discountOf(line.discount)
    return off && { id, kind: 'discount', description, ...off }
  }
  const [quantity, unitPrice] = [quantityOf(line.quantity), unitPriceOf(line.unitPrice)]
  if (quantity === null || unitPrice === null) return null
  return {
    ...{ id, description, unit, quantity, unitPrice, satProduct, satUnit },
    kind: kind as ChargedLine['kind'],
    iva: line.iva === '0' ? 0 : 16,
    ...(line.code && { code: line.code }),
  }
}
