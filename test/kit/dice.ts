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
