import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { services } from '../../src/domain/appointments/appointment.ts'
import { openSlots, slotSearch } from '../../src/domain/scheduling/availability.ts'
import { canTake, nearestFree, rank, whyNot } from '../../src/domain/scheduling/eligibility.ts'
import { type BusyRow, busyOf, travelBetween } from '../../src/domain/scheduling/roster.ts'
import { rounds } from '../kit/dice.ts'
import { digestOfWorlds } from './digest-of-worlds.ts'
import { offeredMinuteByMinute } from './minute-by-minute.ts'
import { packed, type SmallWorld, smallWorld } from './small-worlds.ts'

const offeredIn = (world: SmallWorld) => {
  const { busy, roster } = packed(world)
  return openSlots(roster, busy, world.ask).flatMap(({ starts }) => starts)
}

/** The appointment that taking a slot makes. */
const visit = ({ ask }: SmallWorld, person: number, start: number): BusyRow => ({
  person,
  start,
  end: start + ask.settings.services[ask.service].minutes,
  zone: ask.zone,
  service: ask.service,
})

/** Whether each appointment leaves time to reach the next. */
function reachable(rows: BusyRow[], { ask }: SmallWorld): boolean {
  const sorted = [...rows].sort((a, b) => a.person - b.person || a.start - b.start)
  return sorted.every((row, i) => {
    const next = sorted[i + 1]
    if (next?.person !== row.person) return true
    return row.end + ask.settings.bufferMinutes + travelBetween(ask.travel, row.zone, next.zone) <= next.start
  })
}

describe('the engine', () => {
  test('offers exactly what a walk through every minute finds', () => {
    const offers = { technical_visit: 0, installation: 0, videocall: 0 }
    fc.assert(
      fc.property(smallWorld, (world) => {
        const offered = offeredIn(world)
        offers[world.ask.service] += offered.length
        expect(offered).toEqual(offeredMinuteByMinute(world))
      }),
      { numRuns: rounds(1000) },
    )
    expect(Math.min(...Object.values(offers))).toBeGreaterThan(350)
  }, 60_000)

  test('is the same asked of some people after others, each time knowing only theirs', () => {
    let [early, several] = [0, 0]
    fc.assert(
      fc.property(smallWorld, fc.integer({ min: 1, max: 2 }), (world, size) => {
        const { busy, roster } = packed(world)
        const search = slotSearch(roster, world.ask)
        for (let done = 0; done < search.people.length; done += size) {
          const part = search.people.slice(done, done + size)
          const rows = world.rows.filter(({ person }) => part.includes(person))
          if (done > 0) several++
          if (!search.look(part, busyOf(world.people.length, rows))) {
            if (done + size < search.people.length) early++
            break
          }
        }
        expect(search.days()).toEqual(openSlots(roster, busy, world.ask))
      }),
      { numRuns: rounds(500) },
    )
    expect(Math.min(early, several)).toBeGreaterThan(0)
  })

  test('offers a start exactly when somebody has no reason against it', () => {
    fc.assert(
      fc.property(smallWorld, fc.nat(7 * 96), (world, quarter) => {
        const { busy, roster } = packed(world)
        const start = world.ask.days[0]!.start + quarter * 15
        const people = world.people.map((_, person) => person)
        const free = people.some((person) => canTake(roster, busy, person, start, world.ask))
        // A promised time need not be on the grid, so that more can be taken than is offered.
        if (world.ask.promised) fc.pre(start % world.ask.settings.stepMinutes === 0)
        fc.pre(start < world.ask.days.at(-1)!.end)
        expect(offeredIn(world).includes(start)).toBe(free)
      }),
      { numRuns: rounds(3000) },
    )
  })

  test('offers nothing that cannot be booked when nobody else books', () => {
    fc.assert(
      fc.property(
        smallWorld.filter((world) => offeredIn(world).length > 0),
        fc.nat(),
        (world, pick) => {
          const { busy, roster } = packed(world)
          const offered = offeredIn(world)
          const start = offered[pick % offered.length]!
          const [best] = rank(roster, busy, start, world.ask)
          expect(fits(visit(world, best!.person, start), world)).toBe(true)
        },
      ),
      { numRuns: rounds(1000) },
    )
  })

  test('booked one after another, slots never overlap and each is reachable from the one before', () => {
    fc.assert(
      fc.property(
        smallWorld,
        fc.array(fc.record({ pick: fc.nat(), zone: fc.nat(3), service: fc.nat(2) }), { maxLength: 25 }),
        (world, wishes) => {
          let rows: BusyRow[] = []
          for (const { pick, service, zone } of wishes) {
            const asked = services[service]!
            const ask = { ...world.ask, service: asked, zone: asked === 'videocall' ? -1 : zone }
            const now = { ...world, ask, rows }
            const offered = offeredIn(now)
            if (offered.length === 0) continue
            const start = offered[pick % offered.length]!
            const { busy, roster } = packed(now)
            const person = rank(roster, busy, start, ask)[0]!.person
            rows = [...rows, visit(now, person, start)]
          }
          expect(reachable(rows, world)).toBe(true)
        },
      ),
      { numRuns: rounds(300) },
    )
  })
})

/** Whether an appointment can be reached from the one before it and leaves time to reach the one after. */
function fits(row: BusyRow, world: SmallWorld): boolean {
  const own = world.rows.filter(({ person }) => person === row.person)
  const before = own.filter(({ start }) => start < row.start).slice(-1)
  const after = own.filter(({ start }) => start >= row.start).slice(0, 1)
  return reachable([...before, row, ...after], world)
}

test('says the same on a machine of any time zone', () => {
  const file = fileURLToPath(new URL('digest-of-worlds.ts', import.meta.url))
  const told = ['Asia/Kathmandu', 'America/Mexico_City', 'Pacific/Apia', 'UTC'].map((TZ) =>
    execFileSync(process.execPath, [file], { encoding: 'utf8', env: { ...process.env, TZ } })
      .trim()
      .split(' '),
  )
  expect(new Set(told.map(([offset]) => offset)).size).toBe(4)
  expect(told.map(([, digest]) => digest)).toEqual(told.map(() => digestOfWorlds()))
}, 60_000)

test('an empty world and an empty roster offer nothing, day by day', () => {
  fc.assert(
    fc.property(smallWorld, (world) => {
      const days = openSlots(packed({ ...world, people: [], rows: [] }).roster, busyOf(0, []), world.ask)
      expect(days.map(({ date }) => date)).toEqual(world.ask.days.map(({ date }) => date))
      expect(days.every(({ starts }) => starts.length === 0)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('the nearest free starts come nearest first, the earlier one when equally near', () => {
  const days = [
    { date: '2026-11-24', starts: [100, 130, 160] },
    { date: '2026-11-25', starts: [400] },
  ]
  expect(nearestFree(days, 145)).toEqual([130, 160, 100])
  expect(nearestFree(days, 1000, 1)).toEqual([400])
  expect(nearestFree([], 145)).toEqual([])
})

test('a reason against never comes twice', () => {
  fc.assert(
    fc.property(smallWorld, fc.nat(7 * 96), (world, quarter) => {
      const { busy, roster } = packed(world)
      const codes = whyNot(roster, busy, 0, world.ask.days[0]!.start + quarter * 15, world.ask).map(
        ({ code }) => code,
      )
      expect(new Set(codes).size).toBe(codes.length)
    }),
    { numRuns: 300 },
  )
})
