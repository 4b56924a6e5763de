import { type BalanceCheck, chainOf, checkBalances, tellDirections, wayOf } from './bank-balances.ts'
import {
  amountMark,
  type BankTable,
  bankAmount,
  bankDate,
  type DateOrder,
  dateOrderOf,
  decimalOf,
  isBlank,
  type ReadOrder,
} from './bank-cells.ts'
import {
  amountKind,
  type BankColumns,
  type BankField,
  type Direction,
  directionsOf,
  type SignAnswers,
  type signAnswers,
  signWord,
  textFields,
} from './bank-columns.ts'

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
}

/** A row that is not read as a movement, and why, as the end of a sentence. */
type UnreadRow = { row: number; cells: readonly string[]; reason: string }

/** A word whose direction neither the vocabulary nor the balances tell, with a row of it; empty for amounts without one. */
type AskedWord = {
  word: string
  count: number
  row: number
  cells: readonly string[]
  answer: keyof typeof signAnswers | undefined
}

/** The result of reading a file. */
export type BankReading = {
  lines: BankLine[]
  /** The number of debits, and the first one; its amount is unknown in a file of credits only. */
  debits: number
  firstDebit: Entry | null
  unread: UnreadRow[]
  asked: AskedWord[]
  dates: ReadOrder
  /** Whether each balance follows from the one before; the first row whose balance does not; or no two balances. */
  balance: BalanceCheck
  /** The first and last day of its movements, debits too: between them a credit that it lacks did not come. */
  days: { from: string; to: string } | null
}

/** A row while it is read; `amount` is null where a debit's is not in the file, or it can't be read. */
type Entry = Omit<BankLine, 'amount'> & {
  cells: readonly string[]
  amount: number | null
  direction: Direction | undefined
  word: string
  balance: number | null
  /** Why it is not read; empty where it is. */
  problem: string
}

/** The largest transfer, in centavos: a larger amount is a misread column. */
const most = 100_000_000_00

/** Reads a file by its columns; headings and known words decide the direction before balances and answers do. */
export function readBankTable(
  table: BankTable,
  head: number,
  columns: BankColumns,
  answers: SignAnswers = {},
): BankReading {
  const { dates, entries } = entriesOf(table, head, columns)
  const chain = chainOf(entries)
  tellDirections(chain, entries)
  const asked = new Map<string, AskedWord>()
  for (const entry of entries) {
    const answer = Object.hasOwn(answers, entry.word) ? answers[entry.word] : undefined
    if (entry.problem || entry.direction) continue
    const { cells, row, word } = entry
    asked.set(word, { word, row, cells, answer, count: 1, ...counted(asked.get(word)) })
    if (answer === 'skip') entry.problem = `no dice si entra o sale: «${entry.word || 'sin signo'}»`
    else entry.direction = answer
  }
  const balance = checkBalances(chain)
  const read = entries.filter(({ direction, problem }) => direction && !problem)
  const debits = read.filter(({ direction }) => direction === 'out')
  const days = entries.flatMap(({ bookedOn, problem }) => (problem ? [] : bookedOn)).toSorted()
  return {
    lines: read.flatMap((entry) => lineOf(entry) ?? []),
    debits: debits.length,
    firstDebit: debits[0] ?? null,
    unread: entries.flatMap(({ cells, problem, row }) => (problem ? { row, cells, reason: problem } : [])),
    asked: [...asked.values()],
    dates,
    balance,
    days: days[0] ? { from: days[0], to: days.at(-1)! } : null,
  }
}

const counted = (before: AskedWord | undefined) => before && { ...before, count: before.count + 1 }

const lineOf = ({
  amount,
  bookedOn,
  description,
  direction,
  reference,
  row,
  trackingKey,
}: Entry): BankLine | null =>
  direction === 'in' && amount ? { row, bookedOn, amount, description, reference, trackingKey } : null

/** The rows below the headings, with their dates in the order that was chosen or that they and their balances tell. */
function entriesOf(table: BankTable, head: number, columns: BankColumns) {
  const rows = table.flatMap((cells, n) => (n > head && cells.some(Boolean) ? { cells, row: n + 1 } : []))
  const entryOf = readerOf(
    rows.map(({ cells }) => cells),
    table[head] ?? [],
    columns,
  )
  const entriesBy = (order: DateOrder) => rows.map(({ cells, row }) => entryOf(cells, row, order))
  const assumed = entriesBy('dmy')
  const dates = columns.order
    ? { order: columns.order, isAssumed: false }
    : dateOrderOf(
        rows.map(({ cells }) => cells[columns.date ?? -1] ?? ''),
        wayOf(assumed),
      )
  const order = dates?.order ?? 'dmy'
  return { dates, entries: order === 'dmy' ? assumed : entriesBy(order) }
}

function readerOf(rows: BankTable, heads: BankTable[number], columns: BankColumns) {
  const column = (field: BankField) => rows.map((cells) => cells[columns[field] ?? -1] ?? '')
  const decimal = decimalOf((['credit', 'debit', 'balance'] as const).flatMap(column))
  const width = heads.findLastIndex(Boolean) + 1 || commonest(rows.map(({ length }) => length))
  const amountOf = amountsBy({
    size: (cell) => (isBlank(cell) ? 0 : bankAmount(cell, decimal)),
    kind: amountKind(heads[columns.credit ?? -1]),
    columns,
    isSigned: column('credit').some((cell) => (bankAmount(cell, decimal) ?? 0) < 0),
    directionOf: directionsOf(new Set(column('sign').map(signWord))),
  })
  return (cells: readonly string[], row: number, order: DateOrder): Entry => {
    const cell = (field: BankField) => cells[columns[field] ?? -1] ?? ''
    const bookedOn = bankDate(cell('date'), order)
    const key = cell('trackingKey').replace(/[\s-]/g, '').toUpperCase()
    const amount = amountOf(cell)
    const isWide = cells.slice(width).some(Boolean) || (cells.length > width && isCut(cells))
    return {
      ...amount,
      row,
      cells,
      bookedOn: bookedOn ?? '',
      description: [...new Set(textFields.map(cell).filter(Boolean))].join(' ').slice(0, 300),
      reference: cell('reference').slice(0, 60),
      // Banks fill a key that they lack with zeros.
      trackingKey: /^[A-Z0-9]{5,30}$/.test(key) && /[1-9]/.test(key) ? key : null,
      balance: isWide ? null : bankAmount(cell('balance'), decimal),
      problem: isWide
        ? 'trae más columnas que los títulos: revisa si las cantidades llevan comas sin comillas'
        : bookedOn
          ? amount.problem
          : `no entendemos la fecha «${cell('date').slice(0, 40)}»`,
    }
  }
}

/** Whether a row has a number that seems cut at its comma: 1,234.56 as two cells. */
const isCut = (cells: readonly string[]) =>
  cells.some((cell, n) => /^-?\$?\d{1,3}$/.test(cell) && /^\d{3}(\.\d{1,2})?$/.test(cells[n + 1] ?? ''))

function commonest(widths: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0]!
}

type Amount = Pick<Entry, 'amount' | 'direction' | 'word' | 'problem'>
type Rules = {
  columns: BankColumns
  /** What the heading of the column of credits says. */
  kind: ReturnType<typeof amountKind>
  /** Whether that column has negative amounts. */
  isSigned: boolean
  /** Centavos of a cell, 0 for none, null for what is no amount. */
  size: (cell: string) => number | null
  directionOf: (word: string) => Direction | undefined
}

/** How the amount of a row and its direction are read. */
function amountsBy({ columns, directionOf, isSigned, kind, size }: Rules) {
  const failed = (problem: string): Amount => ({ amount: null, direction: undefined, word: '', problem })
  const found = (amount: number | null, direction: Direction | undefined, word = ''): Amount =>
    amount !== null && Math.abs(amount) > most
      ? failed('la cantidad es demasiado grande')
      : { amount: amount && Math.abs(amount), direction, word, problem: '' }
  const bySign = (came: number, marked: Direction | undefined, word: string): Amount => {
    if (came < 0 || kind === 'out') return found(came, 'out')
    if (kind === 'in') return found(came || null, came === 0 ? 'out' : (marked ?? 'in'))
    if (came === 0) return failed('no trae cantidad')
    return isSigned && !marked && columns.sign === undefined ? found(came, 'in') : found(came, marked, word)
  }
  return (cell: (field: BankField) => string): Amount => {
    const credit = size(cell('credit'))
    const debit = size(cell('debit'))
    if (credit === null || debit === null)
      return failed(`no entendemos la cantidad «${cell(credit === null ? 'credit' : 'debit').slice(0, 40)}»`)
    const word = signWord(cell('sign'))
    const said = directionOf(word)
    const mark = directionOf(amountMark(cell('credit')))
    const marked = said ?? mark
    if (said && mark && said !== mark) return failed('dice que entró y que salió')
    if (columns.debit === undefined || kind === 'out') return bySign(credit, marked, word)
    if (credit !== 0 && debit !== 0) return failed('trae cargo y abono')
    if (credit === 0 && debit === 0) return failed('no trae cantidad')
    if (credit > 0 && marked === 'out') return failed('dice que entró y que salió')
    return found(credit || debit, credit > 0 ? 'in' : 'out')
  }
}
