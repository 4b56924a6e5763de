import { tidy } from '../shared/text.ts'

/** Words of a name, without accents and case. */
const wordsOf = (name: string) =>
  tidy(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)

/**
 * Whether an account may well be this person's, by its name: one names the other, in any order and with or without second
 * names. It is a hint for the reviewer and decides nothing.
 */
export function mayBeOf(beneficiary: string, person: string): boolean {
  const [one, other] = [new Set(wordsOf(beneficiary)), new Set(wordsOf(person))]
  const shared = one.intersection(other).size
  return shared >= Math.min(2, other.size) && shared === Math.min(one.size, other.size)
}
