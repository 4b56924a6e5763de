export type Dice = ReturnType<typeof dice>

/** A repeatable source of chance: the same seed makes the same story. */
export function dice(seed: number) {
  let state = seed
  /** A whole number from 0 to below a limit. */
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return {
    below,
    oneOf: <Item>(items: readonly Item[]): Item => items[below(items.length)]!,
  }
}

/** How often a random test tries: the usual number, or so many times that many with ROUNDS=20. */
export const rounds = (usual: number) => usual * Number(process.env.ROUNDS ?? 1)

/** The cases of a property: always the same, or with ROUNDS=20 so many times that many, each time other ones. */
export const cases = (usual: number) =>
  process.env.ROUNDS ? { numRuns: rounds(usual) } : { numRuns: usual, seed: 1 }
