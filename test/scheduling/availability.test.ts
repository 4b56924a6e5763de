import fc from 'fast-check'
import { whoHearsOfMove } from '../../src/appointments/rules/rules.ts'
import { earliest, openSlots, slotSearch } from '../../src/scheduling/rules/availability.ts'
import { dayShown, deskSlotsOn, kindOfSlot, takerOf } from '../../src/scheduling/rules/desk-slots.ts'
import {
  canTake,
  isHard,
  nearestFree,
  type ReasonCode,
  rank,
  whyNot,
} from '../../src/scheduling/rules/eligibility.ts'
import { busyOf } from '../../src/scheduling/rules/roster.ts'
import { offeredMinuteByMinute } from './minute-by-minute.ts'
import { inSmallWorlds, packed, type SmallWorld } from './small-fixtures.ts'

const offeredIn = (fixture: SmallWorld) => {
  const { busy, roster } = packed(fixture)
  return openSlots(roster, busy, fixture.ask).flatMap(({ starts }) => starts)
}
/** Some quarter of an hour of the days asked about. */
const quarterOf = ({ ask }: SmallWorld, nth: number) => ask.days[0]!.start + (nth % (7 * 96)) * 15

test('the engine offers exactly the slots that a search through every minute finds', () => {
  const offers = { technical_visit: 0, installation: 0, videocall: 0 }
  inSmallWorlds(40, (fixture) => {
    const offered = offeredIn(fixture)
    offers[fixture.ask.service] += offered.length
    expect(offered).toEqual(offeredMinuteByMinute(fixture))
  })
  expect(Math.min(...Object.values(offers))).toBeGreaterThan(20)
})

test('the engine finds the same slots when people and their appointments are read in parts', () => {
  let early = 0
  let several = 0
  inSmallWorlds(100, (fixture, nth) => {
    const size = 1 + (nth % 2)
    const { busy, roster } = packed(fixture)
    const search = slotSearch(roster, fixture.ask)
    for (let done = 0; done < search.people.length; done += size) {
      const part = search.people.slice(done, done + size)
      const rows = fixture.rows.filter(({ person }) => part.includes(person))
      if (done > 0) several++
      if (!search.look(part, busyOf(fixture.people.length, rows))) {
        if (done + size < search.people.length) early++
        break
      }
    }
    expect(search.days()).toEqual(openSlots(roster, busy, fixture.ask))
  })
  expect(Math.min(early, several)).toBeGreaterThan(0)
})

test('the engine offers a start exactly when at least one person has no reason against it, each reason named once', () => {
  inSmallWorlds(150, (fixture, nth) => {
    const { busy, roster } = packed(fixture)
    const { ask } = fixture
    const start = quarterOf(fixture, nth)
    const codes = whyNot(roster, busy, 0, start, ask).map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    // A promised time need not be on the grid, so that more can be taken than is offered.
    if (ask.promised) fc.pre(start % ask.settings.stepMinutes === 0)
    fc.pre(start < ask.days.at(-1)!.end)
    const free = fixture.people.some((_, person) => canTake(roster, busy, person, start, ask))
    expect(offeredIn(fixture).includes(start)).toBe(free)
  })
})

test('lists the nearest free starts first, the earlier of two equally near', () => {
  const days = [
    { date: '2026-11-24', starts: [100, 130, 160] },
    { date: '2026-11-25', starts: [400] },
  ]
  expect(nearestFree(days, 145)).toEqual([130, 160, 100])
  expect(nearestFree(days, 1000, 1)).toEqual([400])
  expect(nearestFree([], 145)).toEqual([])
})

const slotsIn = (fixture: SmallWorld, wanted: Parameters<typeof deskSlotsOn>[4] = {}) => {
  const { busy, roster } = packed(fixture)
  return fixture.ask.days.flatMap((day) => deskSlotsOn(day, roster, busy, fixture.ask, wanted))
}

test('the starts that the manager is shown are free exactly where the customer is offered one that is still to come', () => {
  inSmallWorlds(25, (fixture) => {
    const free = slotsIn(fixture).filter(({ kind }) => kind === 'free')
    expect(free.map(({ start }) => start)).toEqual(
      offeredIn(fixture).filter((start) => start > fixture.ask.now),
    )
  })
})

test('the starts that the manager is shown have a person without a hard reason against them: the best where free, the preferred where able', () => {
  let soft = 0
  let urgent = 0
  inSmallWorlds(20, (fixture, nth) => {
    const { busy, roster } = packed(fixture)
    const { ask } = fixture
    const preferred = nth % Math.max(1, roster.ids.length)
    for (const { against, kind, person, start } of slotsIn(fixture)) {
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

test('the starts that the manager is shown with one person only are those without a hard reason against that person; none for an unknown one', () => {
  inSmallWorlds(15, (fixture, nth) => {
    const { busy, roster } = packed(fixture)
    const only = nth % Math.max(1, roster.ids.length)
    const own = slotsIn(fixture, { only })
    for (const { person } of own) expect(person).toBe(only)
    const starts = new Set(own.map(({ start }) => start))
    for (const { start } of slotsIn(fixture))
      expect(starts.has(start)).toBe(!whyNot(roster, busy, only, start, fixture.ask).some(isHard))
    expect(slotsIn(fixture, { only: -1 })).toEqual([])
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
