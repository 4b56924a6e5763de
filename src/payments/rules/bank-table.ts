import type { BankTable } from './bank-cells.ts'
import { guessColumns } from './bank-columns.ts'

const separators = [',', ';', '\t', '|'] as const

/**
 * Decodes a file by its bytes: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which banks' systems use
 * where they do not use UTF-8, and in which every byte is valid. Excel for Mac writes MacRoman, whose ó is a dash in
 * Windows-1252.
 */
export function bankText(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes)
    return /[a-z]—[a-z]/i.test(text) ? new TextDecoder('macintosh').decode(bytes) : text
  }
}

/** How much of a text may be control characters before it is none. */
const mostStrange = 1 / 100

/** Whether decoded bytes are text: of a picture or a program many are control characters, of a bank's file hardly any. */
export function isText(text: string): boolean {
  const begins = text.slice(0, 20_000)
  const strange = [...begins].filter((letter) => isStrange(letter.codePointAt(0)!)).length
  return strange <= begins.length * mostStrange
}

/** Neither white space nor the NUL and the end marks that exports leave behind. */
const isStrange = (code: number) =>
  (code > 0 && code < 9) || (code > 13 && code < 32 && code !== 26) || code === 0xfffd

/**
 * The rows of a file, by the separator that shows its headings, else by the one that splits rows most evenly; empty
 * rows stay, so that rows have the numbers that a spreadsheet shows, but those at the end.
 */
export function bankTable(text: string): BankTable {
  const first = text.slice(0, 20_000)
  const cut = separators.map((separator) => ({ separator, ...fitOf(rowsOf(first, separator)) }))
  const { separator } = cut.reduce((best, one) =>
    one.hasHead === best.hasHead ? (one.width > best.width ? one : best) : one.hasHead ? one : best,
  )
  const rows = rowsOf(text, separator)
  return rows.slice(0, rows.findLastIndex((row) => row.some(Boolean)) + 1)
}

const fitOf = (rows: BankTable) => ({ hasHead: guessColumns(rows).head !== -1, width: agreed(rows) })

/** The number of rows with the commonest number of cells (more than one), times that number. */
function agreed(rows: BankTable): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  return Math.max(0, ...[...counts].map(([width, count]) => width * count))
}

/** RFC 4180: a cell that begins with a quote may contain anything, its quotes doubled, and ends with a quote. */
function rowsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  const end = new RegExp(`[${separator === '|' ? '\\|' : separator}\\r\\n]`, 'g')
  const whole = /"(?:[^"]|"")*"/y
  const quotedAt = (at: number): string => {
    whole.lastIndex = at
    const quoted = text[at] === '"' ? (whole.exec(text)?.[0] ?? '') : ''
    const isClosed = [undefined, separator, '\r', '\n'].includes(text[at + quoted.length])
    // A quote that was never closed would take the rows up to the next one with it.
    return isClosed && (!/[\r\n]/.test(quoted) || !quoted.includes(separator)) ? quoted : ''
  }
  for (let at = 0; at <= text.length; ) {
    const quoted = quotedAt(at)
    end.lastIndex = at + quoted.length
    const stop = end.exec(text)?.index ?? text.length
    rows.at(-1)!.push(bare(quoted ? quoted.slice(1, -1).replaceAll('""', '"') : text.slice(at, stop)))
    at = stop + (text.startsWith('\r\n', stop) ? 2 : 1)
    if (stop < text.length && text[stop] !== separator) rows.push([])
  }
  return rows
}

/**
 * Trims spaces and invisible characters, and what some banks add against spreadsheet conversion: an apostrophe, or a
 * formula around the text (="0012").
 */
const bare = (cell: string) =>
  cell
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'(.*?)'?$/, '$1')
    .trim()
