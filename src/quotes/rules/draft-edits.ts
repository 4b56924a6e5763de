import { metresOf } from '../../shared/money.ts'
import { readAdding } from './adding.ts'
import { type CatalogueItem, type OptionId, optionIds, optionNames } from './content.ts'
import {
  highest,
  isDiscount,
  type LineListName,
  type TypedLine,
  type TypedOption,
  type TypedQuote,
} from './draft.ts'
import { type GridRow, isSameItem, linesIn, nearRow, rowsOf } from './grid.ts'
import { recounted } from './metres.ts'
import { repriced } from './prices.ts'

/** The position of a line in a draft. */
export type LinePosition = { option: number; list: LineListName; at: number }

/** What is typed to be added, to one option or to all that lack it; `code` was chosen among candidates. */
export type Addition = { option: number | 'all'; list: LineListName; text: string; code?: string | undefined }

/** An edit of a line's row in every option; `remove` is of the line alone. */
type RowEdit =
  | ({ name: 'up' | 'down' | 'duplicate' | 'remove' | 'removeAll' } & LinePosition)
  /** Its line into the option `to` as well. */
  | ({ name: 'put'; to: number } & LinePosition)

/** The edits that a button of the builder makes to the draft, before anything is saved. */
export type Edit =
  | RowEdit
  | ({ name: 'add' } & Addition)
  | { name: 'addOption'; id: OptionId }
  | { name: 'removeOption'; option: number }
  /** The lines that stand for an option's metres follow them. */
  | { name: 'metres'; option: number }
  /** Every line of the catalogue gets today's price. */
  | { name: 'prices' }

const placed = /^(up|down|duplicate|remove|removeAll|put)\.([0-2])\.(lines|addOns)\.(\d{1,2})(?:\.([0-2]))?$/
const adding = /^add\.([0-2]|all)\.(lines|addOns)(?:\.([\w-]{2,20}))?$/
const parts = ['name', 'id', 'option', 'list', 'at', 'to', 'code'] as const

/** The value of the button for an edit. */
export const editValue = (edit: Edit): string =>
  parts.flatMap((part) => (edit as Partial<Record<string, unknown>>)[part] ?? []).join('.')

/** The edit of a pressed button; null when the value is invalid. `text` is what is typed to be added. */
export function draftEditOf(value: string, text: string): Edit | null {
  const [, name, option, list, at, to] = placed.exec(value) ?? []
  if (name) {
    const place = { option: Number(option), list: list as LineListName, at: Number(at) }
    return name === 'put' ? { ...place, name, to: Number(to) } : { ...place, name: name as 'up' }
  }
  const [, into, target, code] = adding.exec(value) ?? []
  if (into) {
    const option = into === 'all' ? into : Number(into)
    return { name: 'add', option, list: target as LineListName, text, code }
  }
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
  if (edit.name === 'add') return withAdded(typed, edit, catalogue)
  if ('at' in edit) return withRow(typed, edit)
  return { typed: withOptions(typed, edit, catalogue), line: null }
}

type OptionEdit = Exclude<Edit, { list: LineListName }>

function withOptions(typed: TypedQuote, edit: OptionEdit, catalogue: readonly CatalogueItem[]): TypedQuote {
  const { options } = typed
  if (edit.name === 'addOption') return withOption(typed, edit.id)
  if (edit.name === 'prices') return { ...typed, options: options.map((one) => repriced(one, catalogue)) }
  const option = options[edit.option]
  if (!option) return typed
  if (edit.name === 'metres') return { ...typed, options: options.with(edit.option, withMetres(option)) }
  return options.length > 1 ? inOptions(typed, options.toSpliced(edit.option, 1)) : typed
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

type Lines = readonly TypedLine[]
type Numbered = (line: TypedLine) => TypedLine

/** Changes a list of every option; `numbered` gives a new line an id that none has, or had. */
function inLists(
  typed: TypedQuote,
  list: LineListName,
  change: (lines: Lines, option: number, numbered: Numbered) => Lines,
): TypedQuote {
  let last = highest(typed)
  const numbered: Numbered = (line) => ({ ...line, id: String(++last) })
  const options = typed.options.map((option, n) => ({ ...option, [list]: change(option[list], n, numbered) }))
  return inOptions(typed, options)
}

/** The first of the lines that an edit added; null where it added none. */
const firstNew = (before: TypedQuote, after: TypedQuote) =>
  highest(after) > highest(before) ? String(highest(before) + 1) : null

/** Adds what was typed, but not to an option that has the item. */
function withAdded(typed: TypedQuote, edit: Addition, catalogue: readonly CatalogueItem[]): Edited {
  const { line } = readAdding(edit.text, catalogue, edit.code)
  if (!line) return { typed, line: null }
  const after = inLists(typed, isDiscount(line) ? 'lines' : edit.list, (lines, n, numbered) => {
    const isMeant = edit.option === 'all' || edit.option === n
    return isMeant && !lines.some((one) => isSameItem(one, line)) ? [...lines, numbered(line)] : lines
  })
  return { typed: after, line: firstNew(typed, after) }
}

function withRow(typed: TypedQuote, edit: RowEdit): Edited {
  const { at, list, name, option } = edit
  const rows = rowsOf(typed).filter((one) => one.list === list)
  const row = rows.find((one) => one.at[option] === at)
  const line = typed.options[option]?.[list][at]
  if (!row || !line) return { typed, line: null }
  if (name === 'remove' || name === 'removeAll')
    return without(typed, rows, row, name === 'remove' ? option : null)
  if (name === 'duplicate' || name === 'put') {
    const after = inLists(typed, list, name === 'put' ? putting(rows, row, line, edit.to) : copying(row))
    return { typed: after, line: firstNew(typed, after) }
  }
  const past = nearRow(rows, row, name === 'up' ? -1 : 1)
  const after = past ? inLists(typed, list, moving(row, past, name === 'down')) : typed
  return { typed: after, line: line.id }
}

type Change = Parameters<typeof inLists>[2]

const copying =
  (row: GridRow): Change =>
  (lines, n, numbered) =>
    lines.flatMap((line, place) => (place === row.at[n] ? [line, numbered(line)] : line))

/** After the row above that the option has. */
const putting =
  (rows: readonly GridRow[], row: GridRow, line: TypedLine, to: number): Change =>
  (lines, n, numbered) => {
    if (n !== to || row.at[n] !== null) return lines
    const above = rows.slice(0, rows.indexOf(row)).findLast(({ at }) => at[n] !== null)
    return lines.toSpliced((above?.at[n] ?? -1) + 1, 0, numbered(line))
  }

/** Where an option has both rows, and this one is not yet past the other. */
const moving =
  (row: GridRow, past: GridRow, isDown: boolean): Change =>
  (lines, n) => {
    const from = row.at[n] ?? null
    const to = past.at[n] ?? null
    if (from === null || to === null || from < to !== isDown) return lines
    return lines.toSpliced(from, 1).toSpliced(to, 0, lines[from]!)
  }

/** Without a row, or its line in one option; the focus goes to what is left of it, or next to it. */
function without(typed: TypedQuote, rows: readonly GridRow[], row: GridRow, option: number | null): Edited {
  const after = inLists(typed, row.list, (lines, n) =>
    option === null || option === n ? lines.filter((_, place) => place !== row.at[n]) : lines,
  )
  const index = rows.indexOf(row)
  const near = [row, rows[index + 1], rows[index - 1]].flatMap((one) => (one ? linesIn(typed, one) : []))
  const left = after.options.flatMap((one) => one[row.list].map(({ id }) => id))
  return { typed: after, line: near.find(({ line }) => left.includes(line.id))?.line.id ?? null }
}

/** Adds an option in its place, as a copy of the option before it, or else the one after it. */
function withOption(typed: TypedQuote, id: OptionId): TypedQuote {
  if (typed.options.some((option) => option.id === id)) return typed
  const before = typed.options.filter((one) => optionIds.indexOf(one.id) < optionIds.indexOf(id))
  const like = before.at(-1) ?? typed.options[0]
  if (!like) return typed
  let next = highest(typed) + 1
  const copied = (lines: readonly TypedLine[]) => lines.map((line) => ({ ...line, id: String(next++) }))
  const option = { ...like, id, summary: '', lines: copied(like.lines), addOns: copied(like.addOns) }
  return inOptions(typed, typed.options.toSpliced(before.length, 0, option))
}
