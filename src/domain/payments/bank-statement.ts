/** The parts of a movement that have a column of their own. */
export const bankFields = {
  date: 'Fecha',
  credit: 'Cantidad recibida (abono o importe)',
  sign: 'Cargo o abono (+ o −)',
  description: 'Descripción o concepto',
  concept: 'Otra columna de texto',
  detail: 'Otra columna de texto (2)',
  reference: 'Referencia',
  trackingKey: 'Clave de rastreo',
} as const
export type BankField = keyof typeof bankFields

/** The fields that a file cannot be read without. */
export const neededFields = ['date', 'credit'] as const satisfies readonly BankField[]

/** The column index of each part, from 0; missing parts are left out. */
export type BankColumns = Partial<Record<BankField, number>>

const plain = (words: string) =>
  words
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z/+]+/g, ' ')
    .trim()

/** The columns of a movement's text: a bank may have several, of which any may hold what the customer wrote. */
const texts = [
  /^descripcion\b/,
  /^concepto\b/,
  /^detalle\b/,
  /^movimiento$/,
  /^(leyenda|observaciones|motivo)\b/,
]

/** Of a heading in plain letters: what names money that went out, and money that came in. */
const debitWord = /\b(cargo|retiro|egreso|debito|salida|enviad[oa])s?\b/
const creditWord = /\b(abono|deposito|credito|ingreso|entrada|recibid[oa])s?\b/

/** Whether a column is of debits by its heading: its money is never read as received. */
const isOfDebits = (heading = '') => debitWord.test(plain(heading)) && !creditWord.test(plain(heading))

/** The headings that banks use, the surest first. */
const names: Record<BankField, readonly RegExp[]> = {
  date: [/^fecha( de)?( la)? operacion$/, /^fecha$/, /^fecha\b/, /^dia$/],
  credit: [
    /^abonos?$/,
    /^depositos?$/,
    /^creditos?$/,
    /^(abono|deposito|credito)s?\b/,
    /^(importe|monto)( de)? (abono|deposito|credito)s?\b/,
    /^(importe|monto)\b/,
  ],
  sign: [/^cargo ?\/ ?abono$/, /^tipo( de)?( movimiento)?$/, /^(signo|c\/a|\+\/)$/, /^naturaleza$/],
  description: texts,
  concept: texts,
  detail: texts,
  reference: [/^referencia\b/, /^ref\b/, /^(folio|no|numero) (de )?(referencia|documento|movimiento)$/],
  trackingKey: [/^clave (de )?rastreo$/, /^rastreo$/],
}

/**
 * The row of a file's headings, and the columns that they name; without headings no column is known and every row is a
 * movement.
 */
export function guessColumns(table: BankTable): { head: number; columns: BankColumns } {
  for (const [head, row] of table.slice(0, 40).entries()) {
    const columns = columnsOf(row)
    if (neededFields.every((field) => columns[field] !== undefined)) return { head, columns }
  }
  return { head: -1, columns: {} }
}

function columnsOf(row: readonly string[]): BankColumns {
  const words = row.map(plain)
  const columns: BankColumns = {}
  for (const field of Object.keys(names) as BankField[]) {
    const isTaken = (at: number) => Object.values(columns).includes(at)
    const isOut = (cell: string) => field === 'credit' && debitWord.test(cell)
    const at = names[field]
      .map((name) => words.findIndex((cell, n) => name.test(cell) && !isOut(cell) && !isTaken(n)))
      .find((n) => n !== -1)
    if (at !== undefined) columns[field] = at
  }
  return columns
}

/**
 * The columns chosen for an earlier file with the same headings, and the texts that this one has besides: a file read
 * before texts could be joined named one. One that took debits for credits is not followed.
 */
export function rememberedColumns(
  known: BankColumns,
  guessed: BankColumns,
  headings: BankTable[number],
): BankColumns {
  if (isOfDebits(headings[known.credit ?? -1])) return guessed
  const used = Object.values(known)
  const besides = textFields.filter((field) => {
    const at = guessed[field]
    return at !== undefined && known[field] === undefined && !used.includes(at)
  })
  return { ...known, ...Object.fromEntries(besides.map((field) => [field, guessed[field]])) }
}

const textFields = ['description', 'concept', 'detail'] as const satisfies readonly BankField[]

/** An incoming transfer, as one row of a file describes it. */
export type BankLine = {
  /** The row in the file, from 1. */
  row: number
  bookedOn: string
  /** Centavos, always positive. */
  amount: number
  description: string
  reference: string
  trackingKey: string | null
  /**
   * Its identity across files: overlapping files give the same identity, and two equal movements of one file give two.
   */
  identity: string
}

/** The result of reading a file: the credits, the number of debits, and the rows that are no movement. */
type BankReading = {
  lines: BankLine[]
  debits: number
  unread: number[]
  /** The first and last day of its movements, debits too: between them a credit that it lacks did not come. */
  days: { from: string; to: string } | null
}

/** The largest transfer, in centavos: a larger amount is a misread column. */
const most = 100_000_000_00

/** Reads a file by its columns. */
export function readBankTable(table: BankTable, head: number, columns: BankColumns): BankReading {
  const reading: BankReading = { lines: [], debits: 0, unread: [], days: null }
  const days: string[] = []
  const seen = new Map<string, number>()
  const isOutBySign = outBy(table.slice(head + 1).map((cells) => cells[columns.sign ?? -1] ?? ''))
  const isDebits = isOfDebits(table[head]?.[columns.credit ?? -1])
  const isOut = (sign: string) => isDebits || isOutBySign(sign)
  for (const [n, cells] of table.entries()) {
    if (n <= head) continue
    const line = lineOf(cells, n + 1, columns, isOut)
    if (line) days.push(line.bookedOn)
    if (!line) reading.unread.push(n + 1)
    else if (line.amount <= 0) reading.debits++
    else {
      // The raw text: the same movement keeps its identity when the columns are mapped differently.
      const told = JSON.stringify(cells)
      const nth = (seen.get(told) ?? 0) + 1
      seen.set(told, nth)
      reading.lines.push({ ...line, identity: `${told}#${nth}` })
    }
  }
  days.sort()
  if (days[0]) reading.days = { from: days[0], to: days.at(-1)! }
  return reading
}

function lineOf(
  cells: readonly string[],
  row: number,
  columns: BankColumns,
  isOut: (sign: string) => boolean,
): Omit<BankLine, 'identity'> | null {
  const cell = (field: BankField) => cells[columns[field] ?? -1] ?? ''
  const bookedOn = bankDate(cell('date'))
  // A column of credits contains no debits.
  const size = cell('credit') === '' ? 0 : bankAmount(cell('credit'))
  if (!bookedOn || size === null || size > most) return null
  const amount = isOut(cell('sign')) ? -Math.abs(size) : size
  const key = cell('trackingKey').replace(/[\s-]/g, '').toUpperCase()
  return {
    row,
    bookedOn,
    amount,
    description: [...new Set(textFields.map(cell).filter(Boolean))].join(' ').slice(0, 300),
    reference: cell('reference').slice(0, 60),
    trackingKey: /^[A-Z0-9]{5,30}$/.test(key) ? key : null,
  }
}

const monthNumbers = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/** The longest cell that is read as a date, in characters: a date and its time fit. */
const longestDate = 60

/** The local date of a bank's cell as 2026-11-24: "24/11/2026", "24-11-26", "24 nov 2026", "24112026", "2026-11-24"; null when it is none. */
export function bankDate(cell: string): string | null {
  const [before = ''] = cell
    .trim()
    .toLowerCase()
    .slice(0, longestDate)
    .split(/[ t]\d{1,2}:\d{2}/, 1)
  const day = before.trimEnd()
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(day)
  if (iso) return real(iso[1]!, iso[2]!, iso[3]!)
  const named = /^(\d{1,2})[-/. ]+([a-z]{3})[a-z]*\.?[-/. ]+(\d{2}|\d{4})$/.exec(day)
  if (named) return real(named[3]!, String(monthNumbers.indexOf(named[2]!) + 1), named[1]!)
  const local = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})$/.exec(day) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(day)
  return local ? real(local[3]!, local[2]!, local[1]!) : null
}

function real(year: string, month: string, day: string): string | null {
  const full = year.length === 2 ? `20${year}` : year
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${date}T00:00:00Z`)
  // Rejects dates such as 31 February, which would roll over into the next month.
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== date ? null : date
}

/** Whole centavos of a bank's cell: "1,234.56", "$ 1234.5", "1.234,56", "-50.00", "50.00-", "(50.00)"; null when it is no amount. */
export function bankAmount(cell: string): number | null {
  const plain = cell.replace(/\s|\$|MXN|MN/gi, '')
  const [, before, size = '', after] = /^([-+(]?)(\d[\d.,]*|[.,]\d+)([-+)]?)$/.exec(plain) ?? []
  if (!size || (before === '(') !== (after === ')') || (before && after && before !== '(')) return null
  const centavos = sizeOf(size)
  if (centavos === null) return null
  return before === '-' || before === '(' || after === '-' ? -centavos || 0 : centavos
}

/** Uses a decimal point; a comma only where it can mean nothing else. */
function sizeOf(size: string): number | null {
  const [, whole, decimals = ''] =
    /^(\d{0,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(size) ??
    /^(\d{0,10}|\d{1,3}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/.exec(size) ??
    []
  if (whole === undefined || whole + decimals === '') return null
  return Number(whole.replace(/[.,]/g, '') + decimals.padEnd(2, '0'))
}

const outWord = /^(-|−|cargo|retiro|debito|débito)$/

/**
 * Which letters of a sign column mark a debit. A letter's meaning depends on the other letter: C is cargo beside A for
 * abono and crédito beside D for débito, D is depósito beside R for retiro. Alone, C and D count as debits: they become
 * no payment.
 */
function outBy(signs: readonly string[]): (sign: string) => boolean {
  const told = new Set(signs.map(letterOf))
  const ins = told.has('r') ? ['d'] : told.has('d') && !told.has('a') ? ['c'] : []
  const outs = ['c', 'd', 'r'].filter((letter) => !ins.includes(letter))
  return (sign) => outWord.test(letterOf(sign)) || outs.includes(letterOf(sign))
}

const letterOf = (sign: string) => sign.trim().toLowerCase()

/** A bank file before its columns are interpreted: rows of raw cells. */
export type BankTable = readonly (readonly string[])[]

const separators = [',', ';', '\t', '|'] as const

/**
 * Decodes a file by its bytes: UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which banks' systems use
 * where they do not use UTF-8, and in which every byte is valid.
 */
export function bankText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
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

/** The rows of a file, by the separator that splits them most evenly; rows without text are left out. */
export function bankTable(text: string): BankTable {
  const first = text.slice(0, 20_000)
  const cut = separators.map((separator) => ({ separator, width: agreed(rowsOf(first, separator)) }))
  const { separator } = cut.reduce((best, one) => (one.width > best.width ? one : best))
  return rowsOf(text, separator).filter((row) => row.some((cell) => cell !== ''))
}

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
