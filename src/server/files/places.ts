import { Refusal } from '../../domain/refusal.ts'

/** Bodies that are on their way at once, of everybody and of each: those who wait on a slow network take no one else's place. */
type Limits = { all: number; each: number }

/** Counts who is inside; whoever finds no place is asked to come again. */
export function openPlaces({ all, each }: Limits = { all: 32, each: 4 }) {
  const inside = new Map<string, number>()
  let count = 0
  return {
    async within<Result>(person: string, run: () => Promise<Result>): Promise<Result> {
      const own = inside.get(person) ?? 0
      if (count >= all || own >= each)
        throw new Refusal('unavailable', {
          description: 'Estamos recibiendo muchas fotos. Esta se enviará en un momento.',
        })
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
