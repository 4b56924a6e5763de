import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { openSlots } from '../../src/domain/scheduling/availability.ts'
import { localDate, toDate } from '../../src/domain/shared/calendar.ts'
import { longDate, theTime } from '../../src/domain/shared/format.ts'
import { packed, smallWorld } from './small-worlds.ts'

/** What the engine answers in always the same 500 random worlds, and how it says the first of it, as one number. */
export function digestOfWorlds(): string {
  const hash = createHash('sha256')
  for (const world of fc.sample(smallWorld, { seed: 20261121, numRuns: 500 })) {
    const { busy, roster } = packed(world)
    const days = openSlots(roster, busy, world.ask)
    const first = days.flatMap(({ starts }) => starts)[0] ?? world.ask.now
    hash.update(
      JSON.stringify([
        days,
        localDate(first),
        longDate(toDate(first)),
        theTime(toDate(first)),
        toDate(first),
      ]),
    )
  }
  return hash.digest('hex')
}

// Started by itself, in a process of another time zone.
if (import.meta.main) console.log(new Date(0).getTimezoneOffset(), digestOfWorlds())
