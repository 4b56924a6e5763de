import type { Direction } from './bank-columns.ts'

/** A row of a file as far as its balance concerns; amounts in centavos, null where unknown. */
type BalancedRow = {
  row: number
  bookedOn: string
  amount: number | null
  balance: number | null
  direction: Direction | undefined
  word: string
  problem: string
}

/** Whether each balance follows from the one before, the first row whose balance does not, or that none was compared. */
export type BalanceCheck = 'follows' | 'none' | { row: number; expected: number; found: number }

type Change = { entry: BalancedRow; before: number; change: number }

/** The changes from each balance to the next in order of time; not sure where both orders fit. */
type Chain = { changes: readonly Change[]; first: BalancedRow | undefined; isSure: boolean }

const signed = ({ amount, direction }: BalancedRow) => (direction === 'out' ? -amount! : amount!)

/** The way of time down the rows that more balances follow: 1 for the oldest first, -1 for the newest, 0 for neither. */
export const wayOf = (entries: readonly BalancedRow[]): number =>
  Math.sign(followers(changesIn(entries, 1)) - followers(changesIn(entries, -1)))

/** Compares each balance with the one before, in the order of time that balances tell, else that of their days. */
export function chainOf(entries: readonly BalancedRow[]): Chain {
  const days = entries.flatMap(({ bookedOn }) => bookedOn || [])
  const byDays = days[0] === days.at(-1) ? 0 : days[0]! < days.at(-1)! ? 1 : -1
  const way = wayOf(entries) || byDays
  return {
    changes: changesIn(entries, way < 0 ? -1 : 1),
    first: way < 0 ? entries.at(-1) : entries[0],
    isSure: way !== 0,
  }
}

const changesIn = (entries: readonly BalancedRow[], step: 1 | -1): Change[] =>
  entries.flatMap((entry, n) => {
    const before = entries[n - step]?.balance ?? null
    const isKnown = entry.balance !== null && before !== null && entry.amount !== null
    return isKnown ? { entry, before, change: entry.balance! - before } : []
  })

const followers = (changes: readonly Change[]) =>
  changes.filter(({ change, entry }) =>
    entry.direction ? change === signed(entry) : Math.abs(change) === entry.amount,
  ).length

/**
 * Gives amounts without a direction that of their balances, where all rows of their word follow; the first in time has no
 * balance before it. Of an empty word each row has its own direction, of another all have the same.
 */
export function tellDirections({ changes, first, isSure }: Chain, entries: readonly BalancedRow[]): void {
  if (!isSure) return
  const changeOf = new Map(changes.map(({ change, entry }) => [entry, change]))
  const words = new Map<string, BalancedRow[]>()
  for (const entry of entries)
    if (!entry.direction && !entry.problem) {
      const group = words.get(entry.word)
      if (group) group.push(entry)
      else words.set(entry.word, [entry])
    }
  for (const [word, all] of words) {
    const rows = all.filter((entry) => entry !== first)
    const ups = rows.filter((entry) => changeOf.get(entry) === entry.amount)
    const downs = rows.filter((entry) => changeOf.get(entry) === -entry.amount!)
    if (ups.length + downs.length < rows.length || rows.length === 0) continue
    if (word !== '' && ups.length > 0 && downs.length > 0) continue
    for (const entry of word === '' ? ups : ups.length > 0 ? all : []) entry.direction = 'in'
    for (const entry of word === '' ? downs : downs.length > 0 ? all : []) entry.direction = 'out'
  }
}

/** Once directions are known: a row that says the opposite of its balance is not read. */
export function checkBalances({ changes }: Chain): BalanceCheck {
  for (const { change, entry } of changes)
    if (entry.direction && entry.amount && change === -signed(entry) && !entry.problem)
      entry.problem = 'su saldo dice lo contrario: si el saldo es una deuda, deja vacía esa columna'
  const compared = changes.filter(({ entry }) => entry.direction && !entry.problem)
  const off = compared.find(({ change, entry }) => change !== signed(entry))
  if (off) return { row: off.entry.row, expected: off.before + signed(off.entry), found: off.entry.balance! }
  return compared.length > 0 ? 'follows' : 'none'
}
