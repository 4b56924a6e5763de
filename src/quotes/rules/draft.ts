import {
  discountOf,
  discountText,
  metresText,
  quantityOf,
  quantityText,
  unitPriceOf,
  unitPriceText,
} from '../../shared/money.ts'
import {
  type ChargedLine,
  isCharged,
  type OptionId,
  optionIds,
  optionNames,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from './content.ts'
import { metresCounted } from './metres.ts'
import { benefitLineId } from './totals.ts'

// A draft while it is edited: text only, so that the form shows exactly what was typed.
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

export const listNames = ['lines', 'addOns'] as const
export type LineListName = (typeof listNames)[number]
// `counted`: the metres that its lines were counted with.
const optionFields = ['summary', 'metres', 'furtherPrice', 'counted'] as const
export type TypedOption = { id: OptionId } & Record<(typeof optionFields)[number], string> &
  Record<LineListName, readonly TypedLine[]>

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

/** More than a quote allows: an excess is reported, not dropped silently. */
const mostLines = 100

/** The name of a field of an option, or of one of its lines. */
export const optionField = (option: number, field: string) => `options.${option}.${field}`
export const lineField = (option: number, list: LineListName, at: number, field: string) =>
  optionField(option, `${list}.${at}.${field}`)

type Flat = Readonly<Partial<Record<string, string>>>

const texts = <Name extends string>(names: readonly Name[], read: (name: Name) => string | undefined) =>
  Object.fromEntries(names.map((name) => [name, read(name) ?? ''])) as Record<Name, string>

/** A draft from the fields of a form. */
export function typedQuoteIn(form: Flat): TypedQuote {
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

function linesIn(form: Flat, option: number, list: LineListName): TypedLine[] {
  const found: TypedLine[] = []
  const nameOf = (at: number) => (field: string) => lineField(option, list, at, field)
  for (let at = 0; at < mostLines && form[nameOf(at)('id')] !== undefined; at++)
    found.push(
      texts(lineFields, (name) => form[nameOf(at)(name)] ?? form[followedField(form, nameOf(at)(name))]),
    )
  return found
}

/** The field of a line that names the fields of another one: it has their values in those that it does not send. */
export const followsField = 'follows'

/** The field of the line that the line of a field follows. */
export function followedField(form: Flat, name: string): string {
  const end = name.lastIndexOf('.') + 1
  return `${form[name.slice(0, end) + followsField]}${name.slice(end)}`
}

/** The fields of a form from a draft. */
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

/** A stored draft as its form shows it; `before` is the version it follows, whose line ids are not reused. */
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

/**
 * The draft with a number of its own for each line whose id is none of the builder's, as in quotes written otherwise, or
 * is another line's: nothing that its author does would give it one.
 */
export function renumbered(typed: TypedQuote): TypedQuote {
  let last = highest(typed) % firstForeign
  const seen = new Set<string>()
  const own = (line: TypedLine): TypedLine => {
    const isOwn = /^[1-9]\d*$/.test(line.id) && Number(line.id) < firstForeign && !seen.has(line.id)
    const id = isOwn ? line.id : String(++last)
    seen.add(id)
    return isOwn ? line : { ...line, id }
  }
  const options = typed.options.map((option) => ({
    ...option,
    lines: option.lines.map(own),
    addOns: option.addOns.map(own),
  }))
  return { ...typed, options }
}

export const highest = ({ lastId, options }: TypedQuote) =>
  Math.max(Number(lastId) || 0, ...options.flatMap(lineIds))

/** The builder's ids have six digits at most. */
const firstForeign = 1_000_000

/** The ids of an option's lines as numbers. */
const lineIds = ({ addOns, lines }: Record<LineListName, readonly { id: string }[]>) =>
  [...lines, ...addOns].map(({ id }) => Number(id) || 0)

const typedOption = ({ addOns, id, lines, metres, summary }: QuoteOption): TypedOption => ({
  id,
  summary,
  counted: metresText(metresCounted({ lines, metres }) ?? metres?.included ?? 0),
  metres: metres ? metresText(metres.included) : '',
  furtherPrice: metres ? unitPriceText(metres.furtherPrice) : '',
  // The server adds the discount line of a customer's code.
  lines: lines.filter(({ id }) => id !== benefitLineId).map(typedLine),
  addOns: addOns.map(typedLine),
})

export const blankLine: TypedLine = {
  id: '',
  kind: 'material',
  description: '',
  unit: 'pieza',
  quantity: '1',
  unitPrice: '',
  iva: '16',
  satProduct: '',
  satUnit: '',
  discount: '',
  code: '',
}

export function typedLine(line: QuoteLine): TypedLine {
  if (!isCharged(line)) {
    const { description, id, kind } = line
    return { ...blankLine, id, kind, description, discount: discountText(line) }
  }
  const { iva, quantity, unitPrice, ...texts } = line
  return {
    ...texts,
    quantity: quantityText(quantity),
    unitPrice: unitPriceText(unitPrice),
    iva: String(iva),
    discount: '',
    code: line.code ?? '',
  }
}

export const isDiscount = ({ kind }: Pick<TypedLine, 'kind'>) => kind === 'discount'

/** The lines that can be parsed while they are typed, for their totals; a line with invalid figures is left out. */
export const readableLines = (lines: readonly TypedLine[]): QuoteLine[] =>
  lines.flatMap((line) => readable(line) ?? [])

function readable(line: TypedLine): QuoteLine | null {
  const { id, kind, description, unit, satProduct, satUnit } = line
  if (isDiscount(line)) {
    const off = discountOf(line.discount)
    return off && { id, kind: 'discount', description, ...off }
  }
  const quantity = quantityOf(line.quantity)
  const unitPrice = unitPriceOf(line.unitPrice)
  if (quantity === null || unitPrice === null) return null
  return {
    id,
    description,
    unit,
    quantity,
    unitPrice,
    satProduct,
    satUnit,
    kind: kind as ChargedLine['kind'],
    iva: line.iva === '0' ? 0 : 16,
    ...(line.code && { code: line.code }),
  }
}
