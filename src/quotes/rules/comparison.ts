import { type ChargedLine, isCharged, type OptionId, type QuoteContent, type QuoteOption } from './content.ts'

type Options = readonly Pick<QuoteOption, 'id' | 'lines'>[]

/** One item of a quote in each of its options, in their order; null where an option does not include it. */
export type ComparedItem = {
  key: string
  description: string
  lines: readonly (ChargedLine | null)[]
  /** Whether the options include different amounts of it. */
  differs: boolean
}

/** The option that is chosen before its customer chooses: the recommended one, else the first. */
export const suggestedOption = ({ options }: Pick<QuoteContent, 'options'>): OptionId | null =>
  (options.find(({ id }) => id === 'recommended') ?? options[0])?.id ?? null

/** Every item of the options, each once: by its catalogue code, else by its words. What all include comes first. */
export function comparedItems(options: Options): ComparedItem[] {
  const columns = options.map(keyedLines)
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))]
  const items = keys.map((key): ComparedItem => {
    const lines = columns.map((column) => column.get(key) ?? null)
    const [first] = lines.filter((line) => line !== null)
    return {
      key,
      description: first!.description,
      lines,
      differs: lines.some((line) => line?.quantity !== first!.quantity),
    }
  })
  return [...items.filter(({ differs }) => !differs), ...items.filter(({ differs }) => differs)]
}

/** The lines of an option that the one before it does not include; none of the first. */
export function addedLines(options: Options, id: OptionId): ChargedLine[] {
  const at = options.findIndex((option) => option.id === id)
  const before = options[at - 1]
  const option = options[at]
  if (!before || !option) return []
  const known = keyedLines(before)
  return [...keyedLines(option)].filter(([key]) => !known.has(key)).map(([, line]) => line)
}

/** The charged lines by what they are; the second line of one item is an item of its own. */
function keyedLines({ lines }: Pick<QuoteOption, 'lines'>): Map<string, ChargedLine> {
  const found = new Map<string, ChargedLine>()
  for (const line of lines.filter(isCharged)) {
    const name = line.code ?? line.description
    const nth = [...found.keys()].filter((key) => key.startsWith(`${name} `)).length
    found.set(`${name} ${nth + 1}`, line)
  }
  return found
}
