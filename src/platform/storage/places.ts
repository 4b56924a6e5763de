import { Refusal } from '../../shared/refusal.ts'

/** How many requests may run at once, of all users and of each; `full` is the message to retry. */
type Limits = { all: number; each: number; full: string }

/** Counts running requests: a user with many at once, or on a slow network, takes no other user's place. */
export function openPlaces({ all, each, full }: Limits) {
  const inside = new Map<string, number>()
  let count = 0
  return {
    /** Whether more than half of the places are taken. */
    isShort: () => count > all / 2,
    async within<Result>(person: string, run: () => Promise<Result>): Promise<Result> {
      const own = inside.get(person) ?? 0
      if (count >= all || own >= each) throw new Refusal('unavailable', { description: full })
      count++
      inside.set(person, own + 1)
      try {
        return await run()
      } finally {
        count--
        const left = (inside.get(person) ?? 1) - 1
        if (left > 0) inside.set(person, left)
        else inside.delete(person)
      }
    },
  }
}
