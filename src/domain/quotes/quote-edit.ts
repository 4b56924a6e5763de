import { type CatalogueItem, lineFrom } from './catalogue.ts'
import { type OptionId, optionIds, optionNames } from './quote-content.ts'
import {
  blankLine,
  type ListName,
  lineIds,
  type TypedLine,
  type TypedOption,
  type TypedQuote,
  typedLine,
} from './quote-form.ts'

/** Where a line stands in a draft. */
export type Place = { option: number; list: ListName; at: number }
/** What a button of the builder does to what is typed, before anything is saved. */
export type Edit =
  | ({ name: 'up' | 'down' | 'duplicate' | 'remove' } & Place)
  | ({ name: 'move'; to: number } & Place)
  /** `what` is a code of the catalogue; `blank` a line to fill in, `discount` one that takes off. */
  | { name: 'add'; option: number; list: ListName; what: string }
  | { name: 'addOption'; id: OptionId }
  | { name: 'removeOption'; option: number }

const placed = /^(up|down|duplicate|remove)\.([0-2])\.(lines|addOns)\.(\d{1,2})$/
const adding = /^add\.([0-2])\.(lines|addOns)$/

/** The value of the button that asks for an edit. */
export function editValue(edit: Exclude<Edit, { name: 'move' }>): string {
  if (edit.name === 'addOption') return `addOption.${edit.id}`
  if (edit.name === 'removeOption') return `removeOption.${edit.option}`
  if (edit.name === 'add') return `add.${edit.option}.${edit.list}`
  return `${edit.name}.${edit.option}.${edit.list}.${edit.at}`
}

/** The edit that a pressed button asks for; null when it asks for none. `chosen` answers what is picked to be added to an option. */
export function editOf(value: string, chosen: (option: number) => string): Edit | null {
  const [, name, option, list, at] = placed.exec(value) ?? []
  if (name)
    return {
      name: name as 'up',
      ...{ option: Number(option), list: list as ListName, at: Number(at) },
    }
  const [, into, target] = adding.exec(value) ?? []
  if (into) return { name: 'add', option: Number(into), list: target as ListName, what: chosen(Number(into)) }
  const [what, which = ''] = value.split('.')
  if (what === 'addOption' && Object.hasOwn(optionNames, which))
    return { name: 'addOption', id: which as OptionId }
  if (what === 'removeOption' && /^[0-2]$/.test(which)) return { name: 'removeOption', option: Number(which) }
  return null
}

/** What is typed after an edit, and the line that it was about, if any: it is the one to look at. */
export type Edited = { typed: TypedQuote; line: string | null }

/** Does an edit; one that says nothing to what is typed leaves it as it is. */
export function edited(typed: TypedQuote, edit: Edit, catalogue: readonly CatalogueItem[]): Edited {
  if (edit.name === 'addOption') return { typed: withOption(typed, edit.id), line: null }
  if (edit.name === 'removeOption')
    return {
      typed: typed.options.length > 1 ? inOptions(typed, typed.options.toSpliced(edit.option, 1)) : typed,
      line: null,
    }
  const option = typed.options[edit.option]
  if (!option) return { typed, line: null }
  const { line, lines } = inList(typed, option[edit.list], edit, catalogue)
  const options = typed.options.with(edit.option, { ...option, [edit.list]: lines })
  return { typed: inOptions(typed, options), line }
}

const inOptions = (typed: TypedQuote, options: readonly TypedOption[]): TypedQuote => ({
  ...typed,
  options,
  lastId: String(highest({ ...typed, options })),
})

type InList = Extract<Edit, { list: ListName }>
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

/** Adds an option in its place, with what the one before it has, or else the one after it. */
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

/** One that no line has, or had. */
const nextId = (typed: TypedQuote) => String(highest(typed) + 1)

const highest = ({ lastId, options }: TypedQuote) =>
  Math.max(Number(lastId) || 0, ...options.flatMap(lineIds))
