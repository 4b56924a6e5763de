import {
  discountOf,
  discountText,
  metresOf,
  metresText,
  quantityOf,
  quantityText,
  unitPriceOf,
  unitPriceText,
} from '../../shared/money.ts'
import {
  type CatalogueItem,
  type ChargedLine,
  isCharged,
  lineFrom,
  type OptionId,
  optionIds,
  optionNames,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from './content.ts'
import { metresCounted, recounted } from './metres.ts'
import { repriced } from './prices.ts'
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

const listNames = ['lines', 'addOns'] as const
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
  for (let at = 0; at < mostLines && form[lineField(option, list, at, 'id')] !== undefined; at++)
    found.push(texts(lineFields, (name) => form[lineField(option, list, at, name)]))
  return found
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

const blankLine: TypedLine = {
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

function typedLine(line: QuoteLine): TypedLine {
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

/** The position of a line in a draft. */
export type LinePosition = { option: number; list: LineListName; at: number }

/** The edits that a button of the builder makes to the draft, before anything is saved. */
export type Edit =
  | ({ name: 'up' | 'down' | 'duplicate' | 'remove' } & LinePosition)
  | ({ name: 'move'; to: number } & LinePosition)
  /** `what` is a code of the catalogue, `blank` for an empty line, or `discount`. */
  | { name: 'add'; option: number; list: LineListName; what: string }
  | { name: 'addOption'; id: OptionId }
  | { name: 'removeOption'; option: number }
  /** The lines that stand for an option's metres follow them. */
  | { name: 'metres'; option: number }
  /** Every line of the catalogue gets today's price. */
  | { name: 'prices' }

const placed = /^(up|down|duplicate|remove)\.([0-2])\.(lines|addOns)\.(\d{1,2})$/
const adding = /^add\.([0-2])\.(lines|addOns)$/

/** The value of the button for an edit. */
export function editValue(edit: Exclude<Edit, { name: 'move' }>): string {
  if (edit.name === 'addOption') return `addOption.${edit.id}`
  if (edit.name === 'prices') return edit.name
  if (edit.name === 'removeOption' || edit.name === 'metres') return `${edit.name}.${edit.option}`
  if (edit.name === 'add') return `add.${edit.option}.${edit.list}`
  return `${edit.name}.${edit.option}.${edit.list}.${edit.at}`
}

/** The edit of a pressed button; null when the value is invalid. `chosen` returns the item picked for an option. */
export function draftEditOf(value: string, chosen: (option: number) => string): Edit | null {
  const [, name, option, list, at] = placed.exec(value) ?? []
  if (name)
    return {
      name: name as 'up',
      option: Number(option),
      list: list as LineListName,
      at: Number(at),
    }
  const [, into, target] = adding.exec(value) ?? []
  if (into)
    return { name: 'add', option: Number(into), list: target as LineListName, what: chosen(Number(into)) }
  const [what, which = ''] = value.split('.')
  if (what === 'addOption' && Object.hasOwn(optionNames, which))
    return { name: 'addOption', id: which as OptionId }
  if ((what === 'removeOption' || what === 'metres') && /^[0-2]$/.test(which))
    return { name: what, option: Number(which) }
  return value === 'prices' ? { name: 'prices' } : null
}

/** The draft after an edit, and the line to focus, if any. */
type Edited = { typed: TypedQuote; line: string | null }

/** Applies an edit; one that does not fit the draft leaves it as it is. */
export function edited(typed: TypedQuote, edit: Edit, catalogue: readonly CatalogueItem[]): Edited {
  if (edit.name === 'addOption') return { typed: withOption(typed, edit.id), line: null }
  if (edit.name === 'removeOption')
    return {
      typed: typed.options.length > 1 ? inOptions(typed, typed.options.toSpliced(edit.option, 1)) : typed,
      line: null,
    }
  if (edit.name === 'prices')
    return { typed: { ...typed, options: typed.options.map((one) => repriced(one, catalogue)) }, line: null }
  const option = typed.options[edit.option]
  if (!option) return { typed, line: null }
  if (edit.name === 'metres')
    return { typed: { ...typed, options: typed.options.with(edit.option, withMetres(option)) }, line: null }
  const { line, lines } = inList(typed, option[edit.list], edit, catalogue)
  const options = typed.options.with(edit.option, { ...option, [edit.list]: lines })
  return { typed: inOptions(typed, options), line }
}

/** Metres that cannot be read change nothing yet. */
function withMetres(option: TypedOption): TypedOption {
  const { counted, metres } = option
  if (!metresOf(metres)) return option
  const lines = recounted(option.lines, counted, metres)
  const addOns = recounted(option.addOns, counted, metres)
  return { ...option, lines, addOns, counted: metres }
}

const inOptions = (typed: TypedQuote, options: readonly TypedOption[]): TypedQuote => ({
  ...typed,
  options,
  lastId: String(highest({ ...typed, options })),
})

type InList = Extract<Edit, { list: LineListName }>
type Lines = readonly TypedLine[]

function inList(typed: TypedQuote, lines: Lines, edit: InList, catalogue: readonly CatalogueItem[]) {
  if (edit.name === 'add') {
    const added = { ...newLine(edit.what, catalogue), id: nextId(typed) }
    return { lines: [...lines, added], line: added.id }
  }
  const line = lines[edit.at]
  if (!line) return { lines, line: null }
  if (edit.name === 'remove')
    return {
      lines: lines.toSpliced(edit.at, 1),
      line: (lines[edit.at + 1] ?? lines[edit.at - 1])?.id ?? null,
    }
  if (edit.name === 'duplicate') {
    const copy = { ...line, id: nextId(typed) }
    return { lines: lines.toSpliced(edit.at + 1, 0, copy), line: copy.id }
  }
  const target = edit.name === 'move' ? edit.to : edit.at + (edit.name === 'up' ? -1 : 1)
  const to = Math.min(Math.max(target, 0), lines.length - 1)
  return { lines: lines.toSpliced(edit.at, 1).toSpliced(to, 0, line), line: line.id }
}

function newLine(what: string, catalogue: readonly CatalogueItem[]): TypedLine {
  if (what === 'discount') return { ...blankLine, kind: 'discount' }
  const item = catalogue.find(({ code }) => code === what)
  return item ? typedLine(lineFrom(item, '')) : blankLine
}

/** Adds an option in its place, as a copy of the option before it, or else the one after it. */
function withOption(typed: TypedQuote, id: OptionId): TypedQuote {
  if (typed.options.some((option) => option.id === id)) return typed
  const before = typed.options.filter((one) => optionIds.indexOf(one.id) < optionIds.indexOf(id))
  const like = before.at(-1) ?? typed.options[0]
  if (!like) return typed
  let next = Number(nextId(typed))
  const copied = (lines: Lines) => lines.map((line) => ({ ...line, id: String(next++) }))
  const option = { ...like, id, summary: '', lines: copied(like.lines), addOns: copied(like.addOns) }
  return inOptions(typed, typed.options.toSpliced(before.length, 0, option))
}

/** An id that no line has, or had. */
const nextId = (typed: TypedQuote) => String(highest(typed) + 1)

const highest = ({ lastId, options }: TypedQuote) =>
  Math.max(Number(lastId) || 0, ...options.flatMap(lineIds))
