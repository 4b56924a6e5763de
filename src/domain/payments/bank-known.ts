import { addDays } from '../shared/calendar.ts'
import { withoutAccents } from '../shared/text.ts'
import type { BankLine } from './bank-statement.ts'

/** A movement that an earlier file had. */
export type StoredLine = Omit<BankLine, 'row'> & { id: string; account: string }

/** A movement that may be one of an earlier file, or of a row before it in its own. */
export type AlikeLine = { line: BankLine; like: StoredLine | BankLine }

/** The days by which a transfer's day may differ in another file. */
export const alikeWithinDays = 5

type Facts = Omit<BankLine, 'row'>

const dayOf = ({ amount, bookedOn }: Facts) => `${bookedOn} ${amount}`
const keyOf = ({ amount, trackingKey }: Facts) => trackingKey && `${amount} ${trackingKey}`
const keyedDayOf = (one: Facts) => one.trackingKey && `${dayOf(one)} ${one.trackingKey}`
const textOf = (one: Facts) =>
  `${dayOf(one)} ${withoutAccents(one.description + one.reference).replace(/[^a-z0-9]/g, '')}`

const hasOtherKey = (one: Facts, other: Facts) =>
  one.trackingKey !== null && other.trackingKey !== null && one.trackingKey !== other.trackingKey

/**
 * Tells the movements that are new from those that earlier files had, each of which is one movement: the same day, amount
 * and key, or else text and account. What is only alike is asked.
 */
export function compareLines(lines: readonly BankLine[], stored: readonly StoredLine[], account: string) {
  const taken = new Set<StoredLine>()
  const takenBy = (factOf: (one: Facts) => string | null, fits = (_: BankLine, __: StoredLine) => true) => {
    const groups = groupsOf(stored, factOf)
    return (line: BankLine): StoredLine | undefined => {
      const group = groups.get(factOf(line) ?? '') ?? []
      while (group[0] && taken.has(group[0])) group.shift()
      const found = group.find((one) => !taken.has(one) && !hasOtherKey(line, one) && fits(line, one))
      if (found) taken.add(found)
      return found
    }
  }
  const isNew = (take: (line: BankLine) => StoredLine | undefined) => (line: BankLine) => !take(line)
  const isOwn = (_: BankLine, one: StoredLine) => !one.account || !account || one.account === account
  const left = lines.filter(isNew(takenBy(keyedDayOf))).filter(isNew(takenBy(textOf, isOwn)))
  const sameDay = takenBy(dayOf)
  const sameKey = takenBy(keyOf, isAround)
  const twice = groupsOf<StoredLine | BankLine>([...stored, ...lines], keyedDayOf)
  const asked = left.map((line) => ({
    line,
    like: twice.get(keyedDayOf(line) ?? '')?.find(isBefore(line)) ?? sameDay(line) ?? sameKey(line),
  }))
  return {
    fresh: asked.flatMap(({ like, line }) => (like ? [] : line)),
    alike: asked.flatMap(({ like, line }): AlikeLine[] => (like ? [{ line, like }] : [])),
    known: lines.length - left.length,
  }
}

const isAround = (line: BankLine, { bookedOn }: StoredLine) =>
  addDays(line.bookedOn, -alikeWithinDays) <= bookedOn && bookedOn <= addDays(line.bookedOn, alikeWithinDays)

const isBefore = (line: BankLine) => (one: StoredLine | BankLine) => !('row' in one) || one.row < line.row

/** Lines by a fact of theirs; those without it are left out. */
function groupsOf<Line extends Facts>(lines: readonly Line[], factOf: (one: Facts) => string | null) {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const fact = factOf(line)
    const group = groups.get(fact ?? '')
    if (group) group.push(line)
    else if (fact) groups.set(fact, [line])
  }
  return groups
}
