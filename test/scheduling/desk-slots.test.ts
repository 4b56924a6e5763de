import { describe, expect, test } from 'vitest'
import { whoHearsOfMove } from '../../src/domain/appointments/rules.ts'
import { earliest, openSlots } from '../../src/domain/scheduling/availability.ts'
import { dayShown, deskSlotsOn, kindOfSlot, takerOf } from '../../src/domain/scheduling/desk-slots.ts'
import { isHard, type ReasonCode, rank, whyNot } from '../../src/domain/scheduling/eligibility.ts'
import { inSmallWorlds, packed, type SmallWorld } from './small-worlds.ts'

const slotsIn = (world: SmallWorld, wanted: Parameters<typeof deskSlotsOn>[4] = {}) => {
  const { busy, roster } = packed(world)
  return world.ask.days.flatMap((day) => deskSlotsOn(day, roster, busy, world.ask, wanted))
}

describe('the starts that the manager is shown', () => {
  test('are free exactly where the customer is offered one that is still to come', () => {
    inSmallWorlds(25, (world) => {
      const { busy, roster } = packed(world)
      const offered = openSlots(roster, busy, world.ask).flatMap(({ starts }) => starts)
      expect(
        slotsIn(world)
          .filter(({ kind }) => kind === 'free')
          .map(({ start }) => start),
      ).toEqual(offered.filter((start) => start > world.ask.now))
    })
  })

  test('have a person without a hard reason against them: the best where free, the preferred where able', () => {
    let soft = 0
    let urgent = 0
    inSmallWorlds(20, (world, nth) => {
      const { busy, roster } = packed(world)
      const { ask } = world
      const preferred = nth % Math.max(1, roster.ids.length)
      for (const { against, kind, person, start } of slotsIn(world)) {
        expect(against).toEqual(whyNot(roster, busy, person, start, ask))
        expect(against.some(isHard)).toBe(false)
        if (kind === 'free') expect(person).toBe(rank(roster, busy, start, ask)[0]?.person)
        if (kind === 'urgent') expect(start).toBeLessThan(earliest(ask))
        urgent += Number(kind === 'urgent')
        soft += Number(kind === 'ruled')
        if (whyNot(roster, busy, preferred, start, ask).length === 0)
          expect(takerOf(roster, busy, start, ask, { preferred })).toEqual({ person: preferred, against: [] })
      }
    })
    expect(Math.min(soft, urgent)).toBeGreaterThan(20)
  })

  test('with one person only are those without a hard reason against that person; none for an unknown one', () => {
    inSmallWorlds(15, (world, nth) => {
      const { busy, roster } = packed(world)
      const only = nth % Math.max(1, roster.ids.length)
      const own = slotsIn(world, { only })
      for (const { person } of own) expect(person).toBe(only)
      const starts = new Set(own.map(({ start }) => start))
      for (const { start } of slotsIn(world))
        expect(starts.has(start)).toBe(!whyNot(roster, busy, only, start, world.ask).some(isHard))
      expect(slotsIn(world, { only: -1 })).toEqual([])
    })
  })
})

test.each<[ReasonCode[], string]>([
  [[], 'free'],
  [['notice'], 'urgent'],
  [['shift'], 'ruled'],
  [['notice', 'shift'], 'ruled'],
])('classifies a slot with %j against it as %s', (codes, kind) => {
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
])('opens the calendar on %s', (_, days, wanted, opened) => {
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
])('words who is notified of a move from %s to %s', (before, after, words) => {
  expect(whoHearsOfMove({ customer: 'Carlos', before, after })).toBe(words)
})
