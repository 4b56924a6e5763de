import type { AppointmentState } from '../../src/appointments/rules/appointment.ts'
import { lateMinutes, lateWords } from '../../src/appointments/rules/late.ts'
import {
  type BoardDay,
  type BoardVisit,
  boardRowsOf,
  capacityOf,
  dayFigures,
  dayToOpen,
  hoursOf,
  isAway,
  isBarred,
  judgeOf,
  rankedFor,
  shownRows,
  snapped,
  spanPercentOf,
  startsWithin,
} from '../../src/dispatch/rules/board.ts'
import { noZone } from '../../src/scheduling/rules/roster.ts'
import { daysOn, minuteAt } from '../../src/shared/calendar.ts'
import { at, board, coyoacan, date, person, ride, toluca, visit } from './board-day.ts'

describe('rows', () => {
  test('has a row for each person at work, and for each with a visit that day; time off is clipped to the day', () => {
    const off = [{ start: at('12:00'), end: at('12:00') + 5 * 1440 }]
    const people = [
      person('works', { timeOff: off }),
      person('rests', { shifts: [] }),
      person('called in', { shifts: [] }),
      person('gone', { active: false }),
    ]
    const day = board({ people, visits: [visit('called in', '10:00')] })
    const rows = boardRowsOf(day)
    expect(rows.map((row) => row.person.id)).toEqual(['works', 'called in'])
    expect(rows[0]!.off).toEqual([{ start: at('12:00'), end: day.day.end }])
  })

  test('shows the ride to the next place with its buffer, cut off where it does not fit; calls have no place', () => {
    const first = visit('tomas', '09:00')
    const call = visit('tomas', '11:00', { zone: noZone, service: 'videocall' })
    const last = visit('tomas', '14:00', { zone: toluca })
    const [row] = boardRowsOf(board({ visits: [last, call, first] }))
    expect(row!.visits).toEqual([first, call, last])
    expect(row!.gaps).toEqual([
      { start: first.end, end: first.end + 15 + ride, travel: ride, after: first.id, short: false },
    ])
    expect(row!.travel).toBe(ride)
    const soon = visit('tomas', '10:30', { zone: toluca })
    expect(boardRowsOf(board({ visits: [first, soon] }))[0]!.gaps).toMatchObject([
      { start: first.end, end: soon.start, travel: ride, short: true },
    ])
  })

  test('adds up the road of the rows shown, which a filter of zone or service leaves', () => {
    const of = (id: string) => [visit(id, '09:00'), visit(id, '14:00', { zone: toluca })]
    const day = board({ visits: [...of('tomas'), ...of('tania')] })
    expect(dayFigures(day, { zones: [] }).travel).toBe(2 * ride)
    const shown = (idle: BoardDay, filter: Parameters<typeof shownRows>[1]) =>
      shownRows(idle, filter).map((row) => row.person.id)
    const people = [person('tomas', { zones: [coyoacan] }), person('tania', { zones: [toluca] })]
    expect(shown(board({ people }), { zones: [coyoacan] })).toEqual(['tomas'])
    expect(shown(board(), { zones: [], service: 'videocall' })).toEqual(['andres'])
  })
})

test('capacity counts minutes taken of the shift less time off, none on a holiday; a no-show takes none', () => {
  const people = [person('tomas', { timeOff: [{ start: at('16:00'), end: at('20:00') }] })]
  const own = [visit('tomas', '09:00'), visit('tomas', '11:00', { state: 'no_show' })]
  const day = board({ people, visits: own })
  const of = (more: Partial<BoardDay>) => boardRowsOf(day).map((row) => capacityOf(row, { ...day, ...more }))
  expect(of({})).toEqual([{ used: 60, total: 7 * 60 }])
  expect(of({ settings: { ...day.settings, holidays: [date] } })).toEqual([{ used: 60, total: 0 }])
})

test.each([
  ['the whole day', '00:00', '23:00', '08:00', true],
  ['from now on', '12:00', '18:00', '12:30', true],
  ['only the morning', '09:00', '12:00', '08:00', false],
  ['until the evening, seen after work', '00:00', '18:00', '20:00', true],
])('capacity away %s', (_, from, to, now, away) => {
  const people = [person('tomas', { timeOff: [{ start: at(from), end: at(to) }] })]
  const [row] = boardRowsOf(board({ people }))
  expect(isAway(row!, at(now))).toBe(away)
})

test('counts the figures of the day of what the filter leaves', () => {
  const own = [
    visit('tomas', '09:00'),
    visit('tomas', '11:00', { state: 'en_route', zone: toluca }),
    visit('tania', '12:00', { state: 'requested' }),
    visit(null, '12:00', { state: 'requested' }),
  ]
  const day = board({ now: at('09:38'), visits: own })
  const figures = { visits: 4, toAssign: 2, nobody: 1, enRoute: 1, late: 1 }
  expect(dayFigures(day, { zones: [] })).toMatchObject(figures)
  expect(dayFigures(day, { zones: [toluca] })).toMatchObject({ visits: 1, toAssign: 0, late: 0 })
})

test.each<[AppointmentState, string, number, string]>([
  ['assigned', '09:38', 38, '38\u00a0min tarde'],
  ['en_route', '10:20', 80, '1\u00a0h 20\u00a0min tarde'],
  ['requested', '09:00', 0, '0\u00a0min tarde'],
  ['in_progress', '09:38', 0, '0\u00a0min tarde'],
])('counts %s, due at 9:00, at %s as %i minutes late', (state, now, minutes, words) => {
  const late = lateMinutes({ state, start: at('09:00') }, at(now))
  expect([late, lateWords(late)]).toEqual([minutes, words])
})

test('words a visit that was never closed as days late', () => {
  expect(lateWords(2 * 1440 + 5)).toBe('2 días tarde')
})

const today = daysOn(date, 1)[0]!
const tomorrow = minuteAt('2026-11-25', '10:00')
test.each([
  ['today, with work to come', at('12:00'), at('12:00'), '10:00', date],
  ['today, while it is open, with a late one', at('09:00'), tomorrow, '10:30', date],
  ['the next one, once today is over', at('09:00'), tomorrow, '19:00', '2026-11-25'],
  ['today, after hours, while one is under way', at('17:00'), at('17:00'), '19:00', date],
  ['the next one, where today has nothing', tomorrow, tomorrow, '10:00', '2026-11-25'],
  ['today, where nothing is to come', null, null, '10:00', date],
])('the day the board opens on %s', (_, first, next, now, expected) => {
  expect(dayToOpen({ first, next }, today, 18 * 60, at(now))).toBe(expected)
})

test('people for a choice come best first, with the visits before and after; then those with soft reasons, then the barred', () => {
  const people = [
    person('busy'),
    person('elsewhere', { zones: [toluca] }),
    person('far'),
    person('near'),
    person('andres', { kind: 'analyst' }),
  ]
  const far = visit('far', '14:00', { zone: toluca })
  const near = visit('near', '08:00', { start: at('08:00'), end: at('09:00') })
  const moved = visit(null, '10:00')
  const day = board({ people, visits: [near, visit('busy', '10:30'), moved, far] })
  const ranked = rankedFor(day, moved, moved.start)
  expect(ranked.map(({ id }) => id)).toEqual(['near', 'far', 'elsewhere', 'busy'])
  expect(ranked[0]).toMatchObject({ before: { visit: near }, after: null, visits: [near] })
  expect(ranked[1]).toMatchObject({ addedTravel: ride, before: null, after: { visit: far, travel: ride } })
  expect(ranked.slice(2).map(({ addedTravel }) => addedTravel)).toEqual([null, null])
  expect(ranked.map(({ verdict }) => isBarred(verdict))).toEqual([false, false, false, true])
})

test.each([
  ['those of the opening', [], '09:00', '18:00'],
  ['earlier for an early visit', ['07:20'], '07:00', '18:00'],
  ['later for a late one', ['17:30'], '09:00', '19:00'],
])('the hours of the board %s', (_, times, from, to) => {
  const hours = hoursOf(board({ visits: times.map((time) => visit('tomas', time)) }))
  expect(hours).toEqual({ start: at(from), end: at(to) })
  expect(spanPercentOf(hours.start, hours)).toBe(0)
  expect(spanPercentOf(hours.end, hours)).toBe(100)
})

test('the hours of the board are those of an open day on a closed one', () => {
  const { end, start } = hoursOf(board({ day: daysOn('2026-11-22', 1)[0]! }))
  expect(end - start).toBe(9 * 60)
})

const codes = (day: BoardDay, moved: BoardVisit, to: string, time: string) =>
  judgeOf(day, moved)(to, at(time)).reasons.map(({ code }) => code)

test.each<[string, Partial<BoardDay>, string, string, string[]]>([
  [
    'at the time of another appointment',
    { visits: [visit('tania', '10:30')] },
    'tania',
    '10:00',
    ['overlap'],
  ],
  [
    'after one that takes longer',
    { visits: [visit('tania', '08:00', { until: at('09:45') })] },
    'tania',
    '10:00',
    ['delayed'],
  ],
  ['so far ahead, at its own time', { beyond: ['technical_visit'] }, 'tania', '10:00', []],
  ['so far ahead, at another', { beyond: ['technical_visit'] }, 'tania', '11:00', ['horizon']],
  ['off the slots', {}, 'tania', '10:10', ['grid']],
  ['soon, at its own time', { now: at('09:30') }, 'tania', '10:00', []],
  ['soon, at another', { now: at('09:30') }, 'tania', '10:30', ['notice']],
])('judging a move %s', (_, more, to, time, expected) => {
  const moved = visit('tomas', '10:00')
  const day = board({ ...more, visits: [moved, ...(more.visits ?? [])] })
  expect(codes(day, moved, to, time)).toEqual(expected)
})

test('judging a move is barred in the past and by time off, not by a zone', () => {
  const people = [
    person('away', { timeOff: [{ start: at('09:00'), end: at('18:00') }] }),
    person('elsewhere', { zones: [toluca] }),
  ]
  const judge = judgeOf(board({ people, now: at('09:30') }), visit(null, '10:00'))
  const past = judge('elsewhere', at('09:00'))
  expect([past.past, isBarred(past)]).toEqual([true, true])
  expect(isBarred(judge('away', at('10:00')))).toBe(true)
  const elsewhere = judge('elsewhere', at('10:00'))
  expect(elsewhere).toEqual({ reasons: [{ code: 'zone' }], past: false })
  expect(isBarred(elsewhere)).toBe(false)
})

test('puts starts on the grid', () => {
  const hours = { start: at('09:00'), end: at('11:00') }
  expect(startsWithin(board(), hours)).toEqual(['09:00', '09:30', '10:00', '10:30'].map(at))
  expect(snapped(board(), at('10:14'))).toBe(at('10:00'))
  expect(snapped(board(), at('10:16'))).toBe(at('10:30'))
})
