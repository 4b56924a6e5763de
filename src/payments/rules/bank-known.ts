import { addDays } from '../../shared/calendar.ts'
import { withoutAccents } from '../../shared/text.ts'
import type { BankLine } from './bank-statement.ts'

/** A movement that an earlier file had. */
export type StoredLine = Omit<BankLine, 'row'> & { id: string; account: string }

/** A movement that may be one of an earlier file, or of a row before it in its own. */
export type AlikeLine = { line: BankLine; like: StoredLine | BankLine }

/** The days by which a transfer's day may differ in another file. */
export const alikeWithinDays = 5

type Facts = Omit<BankLine, 'row'>
type FactOf = (one: Facts) => string | null

const dayOf = ({ amount, bookedOn }: Facts) => `${bookedOn} ${amount}`
const keyedDayOf = (one: Facts) => one.trackingKey && `${dayOf(one)} ${one.trackingKey}`
const textOf = (one: Facts) =>
  `${dayOf(one)} ${withoutAccents(one.description + one.reference).replace(/[^a-z0-9]/g, '')}`

/** Gives each stored line that has the fact of a line once, in their order. */
function takerOf(taken: Set<StoredLine>, stored: readonly StoredLine[], factOf: FactOf) {
  const groups = groupsOf(stored.toReversed(), factOf)
  return (line: BankLine): StoredLine | undefined => {
    const group = groups.get(factOf(line) ?? '') ?? []
    for (let one = group.pop(); one; one = group.pop())
      if (!taken.has(one)) {
        taken.add(one)
        return one
      }
    return undefined
  }
}

/**
 * Tells the movements that are new from those that earlier files had, each of which is one movement: the same day, amount
 * and key, or else text and account. What is only alike is asked.
 */
export function compareLines(lines: readonly BankLine[], stored: readonly StoredLine[], account: string) {
  const taken = new Set<StoredLine>()
  const sameKey = takerOf(taken, stored, keyedDayOf)
  // A line with a key is none with another key.
  const sameBy = (factOf: FactOf, among: readonly StoredLine[]) => {
    const any = takerOf(taken, among, factOf)
    const bare = takerOf(
      taken,
      among.filter(({ trackingKey }) => trackingKey === null),
      factOf,
    )
    return (line: BankLine) => (line.trackingKey === null ? any(line) : bare(line))
  }
  const sameText = sameBy(
    textOf,
    stored.filter((one) => !one.account || !account || one.account === account),
  )
  const left = lines.filter((line) => !sameKey(line)).filter((line) => !sameText(line))
  const sameDay = sameBy(dayOf, stored)
  const keys = new Set(stored.map(({ trackingKey }) => trackingKey))
  const keyAround = (line: BankLine) => {
    if (line.trackingKey === null || !keys.has(line.trackingKey)) return undefined
    for (let days = -alikeWithinDays; days <= alikeWithinDays; days++) {
      const found = sameKey({ ...line, bookedOn: addDays(line.bookedOn, days) })
      if (found) return found
    }
    return undefined
  }
  const twice = groupsOf<StoredLine | BankLine>([...stored, ...lines], keyedDayOf)
  const asked = left.map((line) => ({
    line,
    like: twice.get(keyedDayOf(line) ?? '')?.find(isBefore(line)) ?? sameDay(line) ?? keyAround(line),
  }))
  return {
    fresh: asked.flatMap(({ like, line }) => (like ? [] : line)),
    alike: asked.flatMap(({ like, line }): AlikeLine[] => (like ? [{ line, like }] : [])),
    known: lines.length - left.length,
  }
}

const isBefore = (line: BankLine) => (one: StoredLine | BankLine) => !('row' in one) || one.row < line.row

/** Lines by a fact of theirs; those without it are left out. */
function groupsOf<Line extends Facts>(lines: readonly Line[], factOf: FactOf) {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const fact = factOf(line)
    const group = groups.get(fact ?? '')
    if (group) group.push(line)
    else if (fact) groups.set(fact, [line])
  }
  return groups
}
