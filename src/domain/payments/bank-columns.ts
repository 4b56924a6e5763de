import { bankAmount, bankDate } from './bank-cells.ts'
import { outBy } from './bank-sign.ts'
import type { BankTable } from './bank-table.ts'

/** The parts of a movement that have a column of their own. */
export const bankFields = {
  date: 'Fecha',
  credit: 'Cantidad recibida (abono o importe)',
  sign: 'Cargo o abono (+ o −)',
  description: 'Descripción o concepto',
  reference: 'Referencia',
  trackingKey: 'Clave de rastreo',
} as const
export type BankField = keyof typeof bankFields
/** Those without which nothing can be read. */
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

/** How banks call them, the surest first. */
const names: Record<BankField, readonly RegExp[]> = {
  date: [/^fecha( de)?( la)? operacion$/, /^fecha$/, /^fecha\b/, /^dia$/],
  credit: [
    /^abonos?$/,
    /^depositos?$/,
    /^creditos?$/,
    /^(abono|deposito|credito)s?\b(?!.*cargo)/,
    /^(importe|monto)\b/,
  ],
  sign: [/^cargo ?\/ ?abono$/, /^tipo( de)?( movimiento)?$/, /^(signo|c\/a|\+\/)$/, /^naturaleza$/],
  description: [/^descripcion\b/, /^concepto\b/, /^detalle\b/, /^movimiento$/],
  reference: [/^referencia\b/, /^ref\b/, /^(folio|no|numero) (de )?(referencia|documento|movimiento)$/],
  trackingKey: [/^clave (de )?rastreo$/, /^rastreo$/],
}

/** Where the headings of a file stand, and which column is what by their words; without any, nothing is known and every row is a movement. */
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
    const at = names[field].map((name) => words.findIndex((cell) => name.test(cell))).find((n) => n !== -1)
    if (at !== undefined) columns[field] = at
  }
  return columns
}

/** An incoming transfer, as one row of a file describes it. */
export type BankLine = {
  /** Of the file, from 1. */
  row: number
  bookedOn: string
  /** Centavos, always more than nothing. */
  amount: number
  description: string
  reference: string
  trackingKey: string | null
  /** Its identity across files: overlapping files give the same one, and two equal movements of one file give two. */
  identity: string
}
/** What a file comes to: money in, how many rows are of money that went out, and the rows that are no movement. */
type BankReading = { lines: BankLine[]; debits: number; unread: number[] }

/** No transfer is larger, in centavos: what is, is a misread column. */
const most = 100_000_000_00

/** Reads a file by its columns. */
export function readBankTable(table: BankTable, head: number, columns: BankColumns): BankReading {
  const reading: BankReading = { lines: [], debits: 0, unread: [] }
  const seen = new Map<string, number>()
  const isOut = outBy(table.slice(head + 1).map((cells) => cells[columns.sign ?? -1] ?? ''))
  for (const [n, cells] of table.entries()) {
    if (n <= head) continue
    const line = lineOf(cells, n + 1, columns, isOut)
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
    ...{ row, bookedOn, amount, description: cell('description').slice(0, 300) },
    ...{ reference: cell('reference').slice(0, 60), trackingKey: /^[A-Z0-9]{5,30}$/.test(key) ? key : null },
  }
}
