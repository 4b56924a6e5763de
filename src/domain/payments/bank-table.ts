/** A bank file before its columns are interpreted: rows of raw cells. */
export type BankTable = readonly (readonly string[])[]

const separators = [',', ';', '\t', '|'] as const

/**
 * The text of a file by its own bytes: UTF-8, UTF-16 with its mark, or else Windows-1252, which is what banks' systems
 * write where they don't write UTF-8, and in which every byte is something.
 */
export function bankText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The rows of a file, by the separator that most of them agree on; those without a word are left out. */
export function bankTable(text: string): BankTable {
  const first = text.slice(0, 20_000)
  const cut = separators.map((separator) => ({ separator, width: agreed(rowsOf(first, separator)) }))
  const { separator } = cut.reduce((best, one) => (one.width > best.width ? one : best))
  return rowsOf(text, separator).filter((row) => row.some((cell) => cell !== ''))
}

/** How many rows of more than one cell have the commonest number of cells, times that number. */
function agreed(rows: BankTable): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  return Math.max(0, ...[...counts].map(([width, count]) => width * count))
}

/** RFC 4180: a cell that begins with a quote may hold anything, its own quotes doubled, and ends with a quote. */
function rowsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  const end = new RegExp(`[${separator === '|' ? '\\|' : separator}\\r\\n]`, 'g')
  for (let at = 0; at <= text.length; ) {
    const quoted = text[at] === '"' ? /"(?:[^"]|"")*"/y : null
    if (quoted) quoted.lastIndex = at
    const inQuotes = quoted?.exec(text)?.[0] ?? ''
    end.lastIndex = at + inQuotes.length
    const stop = end.exec(text)?.index ?? text.length
    const cell = inQuotes
      ? inQuotes.slice(1, -1).replaceAll('""', '"') + text.slice(at + inQuotes.length, stop)
      : text.slice(at, stop)
    rows.at(-1)!.push(bare(cell))
    at = stop + (text.startsWith('\r\n', stop) ? 2 : 1)
    if (stop < text.length && text[stop] !== separator) rows.push([])
  }
  return rows
}

/** Trims spaces and invisible characters, and the apostrophes that some banks add against spreadsheet conversion. */
const bare = (cell: string) =>
  cell
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^'(.*?)'?$/, '$1')
    .trim()
