import fc from 'fast-check'
import { type BoardDay, judgeOf } from '../../src/dispatch/rules/board.ts'
import { exceptionFor, repairsOf } from '../../src/dispatch/rules/repairs.ts'
import { at, board, coyoacan, person, toluca, visit } from './board-day.ts'

/** Tomás is expected to finish at 12:00 what was planned until 10:00. */
const behind = () => visit('tomas', '09:00', { state: 'in_progress', until: at('12:00') })
const today = (visits: BoardDay['visits'], more: Partial<BoardDay> = {}) =>
  board({ now: at('10:15'), visits, ...more })
const shown = (day: BoardDay) =>
  repairsOf(day).map(({ late, taker, visit: { id } }) => [id, late, taker?.id ?? null])

test('gives the visit that its technician would miss to one who can come at that hour', () => {
  const next = visit('tomas', '11:00')
  expect(shown(today([behind(), next]))).toEqual([[next.id, 90, 'tania']])
})

test('gives away a visit that no technician could reach by the plan itself', () => {
  const next = visit('tomas', '11:15', { zone: toluca })
  expect(shown(today([visit('tomas', '10:00', { state: 'in_progress' }), next]))).toEqual([
    [next.id, expect.any(Number), 'tania'],
  ])
})

test('judges each visit by the day that the proposals before it leave', () => {
  const second = visit('tomas', '11:00')
  const third = visit('tomas', '12:30', { until: at('14:45') })
  // Without the second one, Tomás is at the third in time.
  expect(shown(today([behind(), second, third]))).toEqual([[second.id, expect.any(Number), 'tania']])
})

test.each([
  [
    'a delay of under ten minutes',
    [visit('tomas', '09:00', { state: 'in_progress', until: at('10:35') }), visit('tomas', '11:00')],
  ],
  ['a visit that has no person', [behind(), visit(null, '11:00')]],
  ['a visit that its technician is on the way to', [visit('tomas', '10:00', { state: 'en_route' })]],
])('proposes nothing for %s', (_, visits) => {
  expect(shown(today(visits))).toEqual([])
})

test('proposes nothing for another day', () => {
  const visits = [behind(), visit('tomas', '11:00')]
  expect(shown(board({ visits }))).toEqual([])
})

test('names no one for a visit that begins within half an hour, and none where all are held', () => {
  const soon = visit('tomas', '10:30')
  expect(shown(today([behind(), soon]))).toEqual([[soon.id, expect.any(Number), null]])
  const next = visit('tomas', '11:00')
  expect(shown(today([behind(), next, visit('tania', '11:00')]))).toEqual([
    [next.id, expect.any(Number), null],
  ])
})

test('gives an overdue visit to someone who can go now, not to who is free at its hour only', () => {
  const overdue = visit('tomas', '09:30')
  expect(shown(today([overdue]))).toEqual([[overdue.id, 45, 'tania']])
  const held = visit('tania', '11:00', { zone: toluca })
  expect(shown(today([overdue, held]))).toEqual([[overdue.id, 45, null]])
})

test('sets a rule aside where no one can by all of them, and no way that is too long', () => {
  const people = [person('tomas'), person('tania', { zones: [toluca] })]
  const [repair] = repairsOf(today([behind(), visit('tomas', '11:00')], { people }))
  expect(repair).toMatchObject({ taker: { id: 'tania' }, exceptions: [{ code: 'zone' }] })
  const offShift = [person('tomas'), person('tania', { shifts: [] })]
  expect(repairsOf(today([behind(), visit('tomas', '11:00')], { people: offShift }))[0]!.taker).toBeNull()
})

test('says the cheapest rule to set aside for a visit that no one may take', () => {
  const people = [person('tomas', { zones: [toluca], shifts: [] }), person('tania', { zones: [toluca] })]
  const open = visit(null, '11:00')
  expect(exceptionFor(board({ people, visits: [open] }), open)).toEqual({
    name: 'tania',
    against: [{ code: 'zone' }],
  })
  const all = ['tomas', 'tania'].map((id) => visit(id, '11:00'))
  expect(exceptionFor(board({ people, visits: [open, ...all] }), open)).toBeNull()
})

test('gives one person one overdue visit at a time', () => {
  const overdue = ['09:00', '10:30'].map((time) => visit('tomas', time))
  expect(
    shown(today(overdue, { now: at('11:45') }))
      .map(([, , taker]) => taker)
      .toSorted(),
  ).toEqual([null, 'tania'])
})

test('names no one who has not begun their own visit', () => {
  const people = ['tomas', 'victor'].map((id) => person(id))
  const next = visit('victor', '11:00')
  const visits = [
    visit('tomas', '09:00'),
    visit('victor', '09:00', { state: 'in_progress', until: at('12:00') }),
    next,
  ]
  expect(shown(today(visits, { people }))).toContainEqual([next.id, 90, null])
})

test('leaves half an hour to who was given an overdue visit', () => {
  const overdue = visit('tania', '09:30', { givenAt: at('10:15') })
  expect(shown(today([overdue], { now: at('10:40') }))).toEqual([])
  expect(shown(today([overdue], { now: at('10:50') }))).toHaveLength(1)
})

test('counts the delay of the day where the plan lacks a few minutes', () => {
  const next = visit('tomas', '10:25')
  const day = today([visit('tomas', '09:00', { state: 'in_progress', until: at('12:00') }), next], {
    now: at('09:30'),
  })
  expect(shown(day)).toEqual([[next.id, 125, 'tania']])
})

test('lets what is done delay nobody', () => {
  const people = ['tomas', 'tania'].map((id) => person(id))
  const done = visit('tania', '10:00', { state: 'done', end: at('12:00'), zone: toluca })
  const later = visit('tania', '12:30')
  const visits = [behind(), visit('tomas', '11:00'), done, later]
  expect(shown(today(visits, { people })).map(([id]) => id)).not.toContain(later.id)
})

test('prefers a rule to set aside over working outside the shift, and no one on their day off', () => {
  const people = [
    person('off', { shifts: [] }),
    person('ends early', { shifts: [{ weekday: 1, from: 9 * 60, to: 11 * 60 + 30 }] }),
    person('elsewhere', { zones: [toluca] }),
  ]
  const open = visit(null, '11:00')
  expect(exceptionFor(board({ people, visits: [open] }), open)?.name).toBe('elsewhere')
  expect(exceptionFor(board({ people: people.slice(0, 2), visits: [open] }), open)?.name).toBe('ends early')
  expect(exceptionFor(board({ people: people.slice(0, 1), visits: [open] }), open)).toBeNull()
})

test('says who can take it where someone can', () => {
  const open = visit(null, '11:00')
  expect(exceptionFor(board({ visits: [open] }), open)).toMatchObject({ against: [] })
})

test('never proposes a person against whom the engine finds more than the exceptions it names', () => {
  const anyVisit = fc.record({
    who: fc.constantFrom('tomas', 'tania', 'teo'),
    slot: fc.integer({ min: 18, max: 33 }),
    state: fc.constantFrom('assigned' as const, 'assigned' as const, 'in_progress' as const),
    over: fc.integer({ min: 0, max: 120 }),
    zone: fc.constantFrom(coyoacan, toluca),
  })
  fc.assert(
    fc.property(fc.array(anyVisit, { maxLength: 9 }), fc.integer({ min: 540, max: 1020 }), (rows, minute) => {
      const visits: BoardDay['visits'][number][] = []
      for (const { over, slot, state, who, zone } of rows) {
        const start = at('00:00') + slot * 30
        const clashes = visits.some(
          (one) => one.personId === who && one.start < start + 60 && start < one.end,
        )
        if (!clashes)
          visits.push(visit(who, '09:00', { state, zone, start, end: start + 60, until: start + 60 + over }))
      }
      const people = ['tomas', 'tania', 'teo'].map((id) => person(id))
      const day = board({ now: at('00:00') + minute, people, visits })
      const repairs = repairsOf(day)
      expect(repairs.length).toBeLessThanOrEqual(5)
      for (const { exceptions, taker, visit: moved } of repairs) {
        if (!taker) continue
        expect(taker.id).not.toBe(moved.personId)
        const { reasons } = judgeOf(day, moved)(taker.id, moved.start)
        expect(reasons.map(({ code }) => code)).toEqual(exceptions.map(({ code }) => code))
      }
    }),
  )
})
