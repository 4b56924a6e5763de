import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { openSlots } from '../../src/domain/scheduling/availability.ts'
import { localDate, toDate } from '../../src/domain/shared/calendar.ts'
import { longDate, theTime } from '../../src/domain/shared/format.ts'
import { rounds } from '../kit/dice.ts'
import { packed, smallWorld } from './small-worlds.ts'

/** A hash of what the engine offers in always the same random worlds, and of how it words the first start. */
export function digestOfWorlds(): string {
  const hash = createHash('sha256')
  for (const world of fc.sample(smallWorld, { seed: 20261121, numRuns: rounds(20) })) {
    const { busy, roster } = packed(world)
    const days = openSlots(roster, busy, world.ask)
    const first = days.flatMap(({ starts }) => starts)[0] ?? world.ask.now
    const at = toDate(first)
    hash.update(JSON.stringify([days, localDate(first), longDate(at), theTime(at), at]))
  }
  return hash.digest('hex')
}

// Started by itself, in a process of another time zone.
if (import.meta.main) console.log(new Date(0).getTimezoneOffset(), digestOfWorlds())
