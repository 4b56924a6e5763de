import { withoutAccents } from '../../shared/text.ts'
import type { BankTable, DateOrder } from './bank-cells.ts'

/** The parts of a movement that have a column of their own. */
export const bankFields = {
  date: 'Fecha',
  credit: 'Cantidad recibida (abono o importe)',
  debit: 'Cargo',
  balance: 'Saldo',
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

/** The column index of each part, from 0, without missing ones; and the order of the date's numbers, where it was chosen. */
export type BankColumns = Partial<Record<BankField, number>> & { order?: DateOrder }

/** Money that came in, or that went out. */
export type Direction = 'in' | 'out'

/** What the office answers about a word of direction that no bank is known to use; skipped rows are not read. */
export const signAnswers = {
  in: 'Dinero que entró',
  out: 'Dinero que salió',
  skip: 'No los importes',
} as const
export type SignAnswers = Readonly<Record<string, keyof typeof signAnswers>>

/** The most words that are asked about: more are no words of direction. */
export const mostAsked = 12

/** The names of a form's fields that depend on its file: the answer for a word of direction, and a row that is new. */
export const answerName = 'entra.'
export const otherName = 'otro.'

/** Longer texts are no headings, and taking the accents from a long one takes quadratic time. */
const longest = 100

const plain = (words: string) =>
  withoutAccents(words.slice(0, longest))
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

/** The words that name money's direction, of headings and of cells alike; other words are asked about. */
const credits = /^(abono|deposito|credito|ingreso|entrada|recibido|recibida|haber|cr)s?$/
const debits = /^(cargo|retiro|debito|egreso|salida|enviado|enviada|debe|dr|db)s?$/

/** Of a heading: its amount's words and currency, which do not tell its direction. */
const filler = /\b(importe|monto|cantidad|de|del|en|la|operacion|movimiento|mn|m n|mxn|pesos)\b/g

/** What the column of a heading holds; null where no known word says it. */
export function amountKind(heading = ''): Direction | 'any' | null {
  const words = plain(heading)
  const core = words.replace(filler, ' ').trim()
  if (credits.test(core)) return 'in'
  if (debits.test(core)) return 'out'
  return core === '' && /^(importe|monto|cantidad)\b/.test(words) ? 'any' : null
}

/** The headings that banks use, the surest first; the columns of amounts have `amountKind`. */
const names: Record<Exclude<BankField, 'credit' | 'debit'>, readonly RegExp[]> = {
  date: [/^fecha( de)?( la)? operacion$/, /^fecha$/, /^fecha\b/, /^dia$/],
  balance: [/^saldo$/, /^saldo( (final|actual|contable|disponible|mn|mxn|pesos))+$/],
  sign: [/^cargo ?\/ ?abono$/, /^tipo( de)?( movimiento)?$/, /^(signo|c\/a|\+\/)$/, /^naturaleza$/],
  description: texts,
  concept: texts,
  detail: texts,
  reference: [/^referencia\b/, /^ref\b/, /^(folio|no|numero) (de )?(referencia|documento|movimiento)$/],
  trackingKey: [/^clave (de )?rastreo$/, /^rastreo$/],
}

/** Columns further right are not offered. */
export const mostColumns = 40

/**
 * The row of a file's headings, and the columns that they name; without headings no column is known and every row is a
 * movement.
 */
export function guessColumns(table: BankTable): { head: number; columns: BankColumns } {
  for (const [head, row] of table.slice(0, 40).entries()) {
    const columns = columnsOf(row.slice(0, mostColumns))
    if (neededFields.every((field) => columns[field] !== undefined)) return { head, columns }
  }
  return { head: -1, columns: {} }
}

function columnsOf(row: readonly string[]): BankColumns {
  const kinds = row.map(amountKind)
  const amounts = { credit: kinds.indexOf('in'), debit: kinds.indexOf('out') }
  if (amounts.credit === -1) amounts.credit = kinds.indexOf('any')
  const columns: BankColumns = Object.fromEntries(Object.entries(amounts).filter(([, at]) => at !== -1))
  const words = row.map(plain)
  for (const field of Object.keys(names) as (keyof typeof names)[]) {
    const isTaken = (at: number) => Object.values(columns).includes(at)
    const at = names[field]
      .map((name) => words.findIndex((cell, n) => name.test(cell) && !isTaken(n)))
      .find((n) => n !== -1)
    if (at !== undefined) columns[field] = at
  }
  return columns
}

/**
 * The columns chosen for an earlier file with the same headings, and those that it did not name: a file read before
 * balances or several texts were known has none. One that took debits for credits is not followed.
 */
export function rememberedColumns(
  known: BankColumns,
  guessed: BankColumns,
  headings: BankTable[number],
): BankColumns {
  if (amountKind(headings[known.credit ?? -1]) === 'out') return guessed
  const used = Object.values(known)
  const more = newFields.filter((field) => {
    const at = guessed[field]
    return at !== undefined && known[field] === undefined && !used.includes(at)
  })
  return { ...known, ...Object.fromEntries(more.map((field) => [field, guessed[field]])) }
}

export const textFields = ['description', 'concept', 'detail'] as const satisfies readonly BankField[]
const newFields = [...textFields, 'debit', 'balance'] as const

/** A word of a sign column as it is compared and asked about: in lower case without accents. */
export const signWord = (cell: string) => withoutAccents(cell.slice(0, longest))

/**
 * The direction of each word of a sign column; undefined where it must be asked. A letter's meaning depends on the other
 * letters: C is cargo beside A for abono and crédito beside D for débito, D is depósito beside R for retiro.
 */
export function directionsOf(words: ReadonlySet<string>): (word: string) => Direction | undefined {
  const oneOf = (received: string, sent: string): Direction | undefined => {
    if (words.has(received) === words.has(sent)) return undefined
    return words.has(received) ? 'in' : 'out'
  }
  const letters: Record<string, Direction | undefined> = {
    '+': 'in',
    '-': 'out',
    '−': 'out',
    a: 'in',
    r: words.has('e') ? undefined : 'out',
    c: words.has('a') ? 'out' : oneOf('d', 'r'),
    d: words.has('a') ? 'out' : oneOf('r', 'c'),
  }
  return (word) => {
    if (credits.test(word)) return 'in'
    if (debits.test(word)) return 'out'
    return Object.hasOwn(letters, word) ? letters[word] : undefined
  }
}

/** How an account is compared: by its last four digits as banks print them (of a CLABE those of its number), or its name. */
export function accountKey(account: string): string {
  const digits = account.replace(/\D/g, '')
  if (digits.length === 18) return digits.slice(13, 17)
  return digits.length >= 4 ? digits.slice(-4) : withoutAccents(account)
}

/** The account that the rows above a file's headings name; empty without one. */
export function namedAccount(table: BankTable, head: number): string {
  for (const row of table.slice(0, Math.max(head, 0)))
    for (const [n, cell] of row.entries()) {
      if (!/^(no |numero )?(de )?(cuenta|clabe)\b/.test(plain(cell))) continue
      const number = [cell, row[n + 1] ?? ''].map((text) => /\d{4,18}$/.exec(text)?.[0]).find(Boolean)
      if (number) return number.trim()
    }
  return ''
}
