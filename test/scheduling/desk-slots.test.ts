import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whoHearsOfMove } from '../../src/domain/appointments/rules.ts'
import { earliest, openSlots } from '../../src/domain/scheduling/availability.ts'
import { dayShown, deskSlotsOn, kindOfSlot, takerOf } from '../../src/domain/scheduling/desk-slots.ts'
import { isHard, type ReasonCode, rank, whyNot } from '../../src/domain/scheduling/eligibility.ts'
import { rounds } from '../kit/dice.ts'
import { packed, type SmallWorld, smallWorld } from './small-worlds.ts'

const slotsIn = (world: SmallWorld, wanted: Parameters<typeof deskSlotsOn>[4] = {}) => {
  const { busy, roster } = packed(world)
  return world.ask.days.flatMap((day) => deskSlotsOn(day, roster, busy, world.ask, wanted))
}

describe('the starts that the manager is shown', () => {
  test('the free ones are what the customer is offered, from this minute on', () => {
    fc.assert(
      fc.property(smallWorld, (world) => {
        const { busy, roster } = packed(world)
        const { ask } = world
        const offered = openSlots(roster, busy, ask).flatMap(({ starts }) => starts)
        const free = slotsIn(world).filter(({ kind }) => kind === 'free')
        expect(free.map(({ start }) => start)).toEqual(offered.filter((start) => start > ask.now))
      }),
      { numRuns: rounds(200) },
    )
  })

  test('no hard reason stands against who takes one, and a free one’s person is the best', () => {
    let [soft, urgent] = [0, 0]
    fc.assert(
      fc.property(smallWorld, (world) => {
        const { busy, roster } = packed(world)
        for (const { against, kind, person, start } of slotsIn(world)) {
          expect(against).toEqual(whyNot(roster, busy, person, start, world.ask))
          expect(against.some(isHard)).toBe(false)
          if (kind === 'free') expect(person).toBe(rank(roster, busy, start, world.ask)[0]?.person)
          if (kind === 'urgent') expect(start).toBeLessThan(earliest(world.ask))
          urgent += Number(kind === 'urgent')
          soft += Number(kind === 'ruled')
        }
      }),
      { numRuns: rounds(200) },
    )
    expect(Math.min(soft, urgent)).toBeGreaterThan(20)
  })

  test('with one person: only where nothing hard is against that person', () => {
    fc.assert(
      fc.property(smallWorld, fc.nat(3), (world, nth) => {
        const { busy, roster } = packed(world)
        const only = nth % Math.max(1, roster.ids.length)
        for (const { person } of slotsIn(world, { only })) expect(person).toBe(only)
        const starts = new Set(slotsIn(world, { only }).map(({ start }) => start))
        for (const { start } of slotsIn(world))
          expect(starts.has(start)).toBe(!whyNot(roster, busy, only, start, world.ask).some(isHard))
      }),
      { numRuns: rounds(100) },
    )
  })

  test('a preferred person keeps it wherever able', () => {
    fc.assert(
      fc.property(smallWorld, fc.nat(3), (world, nth) => {
        const { busy, roster } = packed(world)
        const preferred = nth % Math.max(1, roster.ids.length)
        for (const { start } of slotsIn(world)) {
          const able = whyNot(roster, busy, preferred, start, world.ask).length === 0
          const taker = takerOf(roster, busy, start, world.ask, { preferred })
          if (able) expect(taker).toEqual({ person: preferred, against: [] })
        }
      }),
      { numRuns: rounds(100) },
    )
  })

  test('nobody of an unknown index takes anything', () => {
    fc.assert(
      fc.property(smallWorld, (world) => {
        expect(slotsIn(world, { only: -1 })).toEqual([])
      }),
      { numRuns: rounds(20) },
    )
  })
})

test.each<[ReasonCode[], string]>([
  [[], 'free'],
  [['notice'], 'urgent'],
  [['shift'], 'ruled'],
  [['notice', 'shift'], 'ruled'],
  [['holiday'], 'ruled'],
])('%j is %s', (codes, kind) => {
  expect(kindOfSlot({ against: codes.map((code) => ({ code })) })).toBe(kind)
})

const day = (date: string, free: number, urgent = 0, ruled = false) => ({ date, free, ruled, urgent })

test.each([
  ['the wanted one, though full', [day('2026-11-24', 3), day('2026-11-25', 0)], '2026-11-25', '2026-11-25'],
  ['not one that is not offered', [day('2026-11-24', 3)], '2027-01-01', '2026-11-24'],
  ['the first that needs no reason', [day('2026-11-24', 2, 2), day('2026-11-25', 1)], null, '2026-11-25'],
  ['else the first with any', [day('2026-11-24', 0), day('2026-11-25', 1, 1)], null, '2026-11-25'],
  ['else the first with a reason', [day('2026-11-24', 0), day('2026-11-25', 0, 0, true)], null, '2026-11-25'],
  ['none', [day('2026-11-24', 0)], null, null],
])('the calendar opens %s', (_, days, wanted, opened) => {
  expect(dayShown(days, wanted)).toBe(opened)
})

test.each([
  ['Ernesto', 'Ernesto', 'A Carlos le avisamos de su nueva hora, y a Ernesto también.'],
  [null, 'Teresa', 'A Carlos le avisamos de su nueva hora, y a Teresa también.'],
  [
    'Ernesto',
    'Teresa',
    'A Carlos le avisamos de su nueva hora. Ernesto deja de llevarla y la lleva Teresa: les avisamos a los dos.',
  ],
])('who hears of a move from %s to %s', (before, after, words) => {
  expect(whoHearsOfMove({ customer: 'Carlos', before, after })).toBe(words)
})
