import {
  isDiscount,
  type LineListName,
  lineField,
  listNames,
  type TypedLine,
  type TypedQuote,
} from './draft.ts'

/** The groups of the builder's rows; work is every other kind. */
export const rowGroups = {
  equipment: 'Equipo',
  material: 'Material',
  work: 'Trabajo y trámites',
  discount: 'Descuento',
  addOns: 'Adicionales que el cliente puede elegir',
} as const
type RowGroup = keyof typeof rowGroups

/** One item across the options. */
export type GridRow = {
  /** Stays as long as its oldest line does. */
  key: string
  list: LineListName
  group: RowGroup
  /** The place of its line in the list of each option; null where an option lacks the item. */
  at: readonly (number | null)[]
  /** The fields that its lines do not agree in. */
  apart: readonly string[]
}

/** The fields that lines of a row have in common. */
const commonFields = ['description', 'kind', 'unit', 'unitPrice', 'iva', 'satProduct', 'satUnit'] as const

const isNamedAlike = (a: TypedLine, b: TypedLine) => a.description === b.description && a.unit === b.unit

/** Whether two lines are of one item: by its code in the catalogue, else by their words. */
export const isSameItem = (a: TypedLine, b: TypedLine) =>
  isDiscount(a) === isDiscount(b) && (a.code && b.code ? a.code === b.code : isNamedAlike(a, b))

type Places = { line: TypedLine; at: (number | null)[] }

/**
 * The rows of a draft, in the order of the first option that has each. `doubted` are the names of fields of which two
 * people's values are shown: each stands for itself.
 */
export function rowsOf(typed: TypedQuote, doubted: readonly string[] = []): GridRow[] {
  return listNames.flatMap((list) => {
    const rows: Places[] = []
    for (const [n, option] of typed.options.entries()) {
      takePlaces(rows, option[list], n, (a, b) => isSameItem(a, b) && isNamedAlike(a, b))
      takePlaces(rows, option[list], n, isSameItem)
      addMissing(rows, option[list], n, typed.options.length)
    }
    return rows.map(({ at, line }) => rowOf(typed, list, at, line, doubted))
  })
}

/** Gives the lines of an option that have no row yet the first free one of their item. */
function takePlaces(rows: Places[], lines: readonly TypedLine[], n: number, isSame: typeof isSameItem): void {
  for (const [place, line] of lines.entries()) {
    if (rows.some(({ at }) => at[n] === place)) continue
    const row = rows.find((one) => one.at[n] === null && isSame(one.line, line))
    if (row) row.at[n] = place
  }
}

/** Adds a row for each line that still has none, before the row of the line after it. */
function addMissing(rows: Places[], lines: readonly TypedLine[], n: number, count: number): void {
  let next = rows.length
  for (const [place, line] of [...lines.entries()].reverse()) {
    const found = rows.findIndex(({ at }) => at[n] === place)
    if (found >= 0) next = found
    else rows.splice(next, 0, { line, at: Array(count).fill(null).with(n, place) })
  }
}

function rowOf(
  typed: TypedQuote,
  list: LineListName,
  at: Places['at'],
  { kind }: TypedLine,
  doubted: readonly string[],
): GridRow {
  const lines = linesIn(typed, { list, at })
  const isApart = (field: (typeof commonFields)[number]) =>
    new Set(lines.map(({ line }) => line[field])).size > 1 ||
    lines.slice(1).some(({ option, place }) => doubted.includes(lineField(option, list, place, field)))
  const oldest = lines.toSorted((a, b) => Number(a.line.id) - Number(b.line.id))[0]!
  const own = kind in rowGroups ? (kind as RowGroup) : 'work'
  return {
    key: `${oldest.option}-${oldest.line.id}`,
    list,
    group: list === 'addOns' ? list : own,
    at,
    apart: commonFields.filter(isApart),
  }
}

/** The lines of a row, each with its option and its place there. */
export const linesIn = ({ options }: TypedQuote, { at, list }: Pick<GridRow, 'at' | 'list'>) =>
  at.flatMap((place, option) => {
    const line = place === null ? undefined : options[option]?.[list][place]
    return line ? [{ line, option, place: place! }] : []
  })

/** The next row of its group, up or down, that some option has too: what a row is moved past. */
export function nearRow(rows: readonly GridRow[], row: GridRow, step: -1 | 1): GridRow | undefined {
  const group = rows.filter(({ group }) => group === row.group)
  const beyond = step > 0 ? group.slice(group.indexOf(row) + 1) : group.slice(0, group.indexOf(row)).reverse()
  return beyond.find(({ at }) => at.some((place, n) => place !== null && row.at[n] !== null))
}
