/** What someone asked of one slot, when, and what they were told. `full` is a booking refused because no one was left. */
export type Call = { client: number; from: number; to: number } & (
  | { what: 'book'; told: 'booked' | 'full' }
  | { what: 'cancel'; told: 'cancelled' }
  | { what: 'read'; told: 'free' | 'full' }
)

/**
 * Whether there is an order in which a slot for so many, asked one thing after another, would have told all of that: each
 * call somewhere between its beginning and its end (Wing & Gong). A call that ended before another began comes first.
 */
export function hasOrder(calls: readonly Call[], capacity: number): boolean {
  const seen = new Set<string>()
  const search = (left: readonly Call[], holders: ReadonlySet<number>): boolean => {
    if (left.length === 0) return true
    const key = `${left.map((call) => calls.indexOf(call)).join()} ${[...holders].toSorted().join()}`
    if (seen.has(key)) return false
    seen.add(key)
    const firstEnd = Math.min(...left.map(({ to }) => to))
    return left.some((call) => {
      const after = call.from <= firstEnd && afterwards(call, holders, capacity)
      return (
        after &&
        search(
          left.filter((other) => other !== call),
          after,
        )
      )
    })
  }
  return search(calls, new Set())
}

/** Who holds the slot once a call was answered so; false when it could not have been. */
function afterwards(
  { client, told, what }: Call,
  holders: ReadonlySet<number>,
  capacity: number,
): ReadonlySet<number> | false {
  const full = holders.size >= capacity
  if (what === 'cancel') return holders.has(client) && new Set([...holders].filter((one) => one !== client))
  if (told === 'booked') return !full && !holders.has(client) && new Set([...holders, client])
  return full === (told === 'full') && holders
}
