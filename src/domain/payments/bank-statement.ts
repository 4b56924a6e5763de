import {
  amountMark,
  type BankTable,
  bankAmount,
  bankDate,
  type DateOrder,
  dateOrderOf,
  decimalOf,
  isBlank,
} from './bank-cells.ts'
import {
  amountKind,
  type BankColumns,
  type BankField,
  type Direction,
  directionsOf,
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

/** What the office answers about a word of direction that no bank is known to use; skipped rows are not read. */
export const signAnswers = {
  in: 'Dinero que entró',
  out: 'Dinero que salió',
  skip: 'No los importes',
} as const
export type SignAnswers = Readonly<Record<string, keyof typeof signAnswers>>

/** A word whose direction neither the vocabulary nor the balances tell, with a row of it; empty for amounts without one. */
type AskedWord = {
  word: string
  count: number
  row: number
  cells: readonly string[]
  answer: keyof typeof signAnswers | undefined
}

/** The most words that are asked about: more are no words of direction. */
export const mostAsked = 12

/** The result of reading a file. */
export type BankReading = {
  lines: BankLine[]
  /** The number of debits, and the first one; its amount is unknown in a file of credits only. */
  debits: number
  firstDebit: Entry | null
  unread: UnreadRow[]
  asked: AskedWord[]
  dates: DateOrder
  /** Whether each balance follows from the one before; the first row whose balance does not; or no two balances. */
  balance: 'follows' | 'none' | { row: number; expected: number; found: number }
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
  const { dates, entryOf } = readerOf(table, head, columns)
  const entries = table.slice(head + 1).map((cells, n) => entryOf(cells, head + n + 2))
  const balance = byBalances(entries)
  const asked = new Map<string, AskedWord>()
  for (const entry of entries) {
    const answer = Object.hasOwn(answers, entry.word) ? answers[entry.word] : undefined
    if (entry.problem || entry.direction) continue
    const { cells, row, word } = entry
    asked.set(word, { word, row, cells, answer, count: 1, ...counted(asked.get(word)) })
    if (answer === 'skip') entry.problem = `no dice si entra o sale: «${entry.word || 'sin signo'}»`
    else entry.direction = answer
  }
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

function readerOf(table: BankTable, head: number, columns: BankColumns) {
  const rows = table.slice(head + 1)
  const column = (field: BankField) => rows.map((cells) => cells[columns[field] ?? -1] ?? '')
  const dates = dateOrderOf(column('date'))
  const decimal = decimalOf((['credit', 'debit', 'balance'] as const).flatMap(column))
  const width = table[head]?.length ?? commonest(rows.map(({ length }) => length))
  const amountOf = amountsBy({
    size: (cell) => (isBlank(cell) ? 0 : bankAmount(cell, decimal)),
    kind: amountKind(table[head]?.[columns.credit ?? -1]),
    columns,
    isSigned: column('credit').some((cell) => (bankAmount(cell, decimal) ?? 0) < 0),
    directionOf: directionsOf(new Set(column('sign').map(signWord))),
  })
  const entryOf = (cells: readonly string[], row: number): Entry => {
    const cell = (field: BankField) => cells[columns[field] ?? -1] ?? ''
    const bookedOn = bankDate(cell('date'), dates)
    const key = cell('trackingKey').replace(/[\s-]/g, '').toUpperCase()
    const amount = amountOf(cell)
    const isWide = cells.slice(width).some(Boolean)
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
  return { dates, entryOf }
}

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
  const bySign = (came: number, cell: (field: BankField) => string): Amount => {
    const word = columns.sign === undefined ? amountMark(cell('credit')) : signWord(cell('sign'))
    const marked = directionOf(word)
    if (came < 0 || kind === 'out') return found(came, 'out')
    if (kind === 'in') return found(came || null, came === 0 ? 'out' : (marked ?? 'in'))
    if (isBlank(cell('credit'))) return failed('no trae cantidad')
    return isSigned && !marked && columns.sign === undefined ? found(came, 'in') : found(came, marked, word)
  }
  return (cell: (field: BankField) => string): Amount => {
    const credit = size(cell('credit'))
    const debit = size(cell('debit'))
    if (credit === null || debit === null)
      return failed(`no entendemos la cantidad «${cell(credit === null ? 'credit' : 'debit').slice(0, 40)}»`)
    if (columns.debit === undefined || kind === 'out') return bySign(credit, cell)
    if (credit !== 0 && debit !== 0) return failed('trae cargo y abono')
    if (credit === 0 && debit === 0) return failed('no trae cantidad')
    return found(credit || debit, credit > 0 ? 'in' : 'out')
  }
}

const signed = ({ amount, direction }: Entry) => (direction === 'out' ? -amount! : amount!)

/**
 * Compares each balance with the one before, in the order of time that more of them follow. It tells the direction of
 * amounts that have none where all of these follow; a row that says the opposite of its balance is not read.
 */
function byBalances(entries: Entry[]): BankReading['balance'] {
  const changesIn = (step: 1 | -1) =>
    entries.flatMap((entry, n) => {
      const before = entries[n - step]?.balance ?? null
      const isKnown = entry.balance !== null && before !== null && entry.amount !== null
      return isKnown ? { entry, before, change: entry.balance! - before } : []
    })
  const isFollowing = ({ change, entry }: Changed) =>
    entry.direction ? change === signed(entry) : Math.abs(change) === entry.amount
  const count = (changes: Changed[]) => changes.filter(isFollowing).length
  const rising = changesIn(1)
  const falling = changesIn(-1)
  const changes = count(falling) > count(rising) ? falling : rising
  if (changes.length === 0) return 'none'
  const open = changes.filter(({ entry }) => !entry.direction && !entry.problem)
  for (const word of new Set(open.map(({ entry }) => entry.word)))
    tellDirection(
      word,
      open.filter(({ entry }) => entry.word === word),
      entries,
    )
  for (const { change, entry } of changes)
    if (entry.direction && entry.amount && change === -signed(entry) && !entry.problem)
      entry.problem = 'su saldo dice lo contrario: si el saldo es una deuda, deja vacía esa columna'
  const off = changes.find(
    ({ change, entry }) => !entry.problem && entry.direction && change !== signed(entry),
  )
  if (off) return { row: off.entry.row, expected: off.before + signed(off.entry), found: off.entry.balance! }
  return 'follows'
}

type Changed = { entry: Entry; before: number; change: number }

/** Of a word whose rows all follow: of an empty one each row has its own direction, of another all have the same. */
function tellDirection(word: string, of: readonly Changed[], entries: Entry[]): void {
  const ups = of.filter(({ change, entry }) => change === entry.amount).length
  const downs = of.filter(({ change, entry }) => change === -entry.amount!).length
  if (ups + downs < of.length || of.some(({ entry }) => entry.amount === 0)) return
  if (word === '') for (const { change, entry } of of) entry.direction = change > 0 ? 'in' : 'out'
  else if (ups === 0 || downs === 0)
    for (const entry of entries)
      if (entry.word === word && !entry.problem) entry.direction ??= ups > 0 ? 'in' : 'out'
}
