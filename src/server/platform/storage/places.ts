import { Refusal } from '../../../domain/shared/refusal.ts'

/** How many may be inside at once, of everybody and of each; `full` says to whoever finds no place that they come again. */
type Limits = { all: number; each: number; full: string }

/** Counts who is inside: those who do much at once, or wait on a slow network, take no one else's place. */
export function openPlaces({ all, each, full }: Limits) {
  const inside = new Map<string, number>()
  let count = 0
  return {
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

/** For photos on their way: their phones send them again by themselves. */
export const manyPhotos = 'Estamos recibiendo muchas fotos. Esta se enviará en un momento.'
