import { describe, expect, test } from 'vitest'
import {
  type BoardDay,
  type BoardPerson,
  type BoardVisit,
  boardRowsOf,
  hoursOf,
  isBarred,
  judgeOf,
  lanesWithoutPerson,
  rowsTravelOf,
  shortName,
  shownRows,
  snapped,
  spanPercentOf,
  startsWithin,
} from '../../src/domain/scheduling/board.ts'
import { defaultTravel, noZone, travelBetween } from '../../src/domain/scheduling/roster.ts'
import { defaultSettings } from '../../src/domain/settings/settings-schema.ts'
import { daysOn, minuteAt } from '../../src/domain/shared/calendar.ts'

const date = '2026-11-24'
const at = (time: string) => minuteAt(date, time)
const [coyoacan, toluca] = [3, 19]
const ride = travelBetween(defaultTravel(), coyoacan, toluca)

const person = (id: string, more: Partial<BoardPerson> = {}): BoardPerson => ({
  id,
  name: id,
  kind: 'tecnician',
  active: true,
  zones: [],
  shifts: [{ weekday: 1, from: 9 * 60, to: 18 * 60 }],
  timeOff: [],
  ...more,
})
let visits = 0
const visit = (personId: string | null, time: string, more: Partial<BoardVisit> = {}): BoardVisit => {
  visits++
  return {
    id: `visit${visits}`,
    folio: `VT-${visits}`,
    service: 'technical_visit',
    state: 'assigned',
    customer: 'Ana P.',
    customerId: 'c',
    confirmed: true,
    version: 1,
    zone: coyoacan,
    personId,
    start: at(time),
    end: at(time) + 60,
    ...more,
  }
}
const board = (more: Partial<BoardDay> = {}): BoardDay => ({
  day: daysOn(date, 1)[0]!,
  now: minuteAt('2026-11-20', '10:00'),
  people: [person('tomas'), person('tania'), person('andres', { kind: 'analyst' })],
  visits: [],
  settings: defaultSettings,
  travel: [...defaultTravel()],
  beyond: [],
  ...more,
})

describe('rows', () => {
  test('everybody at work has one, and whoever has something that day', () => {
    const people = [
      person('works'),
      person('rests', { shifts: [] }),
      person('called in', { shifts: [] }),
      person('gone', { active: false }),
    ]
    const rows = boardRowsOf(board({ people, visits: [visit('called in', '10:00')] }))
    expect(rows.map((row) => row.person.id)).toEqual(['works', 'called in'])
  })

  test('the ride between two places takes the buffer and the way; what has no place is passed by', () => {
    const first = visit('tomas', '09:00')
    const call = visit('tomas', '11:00', { zone: noZone, service: 'videocall' })
    const last = visit('tomas', '14:00', { zone: toluca })
    const [row] = boardRowsOf(board({ visits: [last, call, first] }))
    expect(row!.visits).toEqual([first, call, last])
    expect(row!.gaps).toEqual([
      { start: first.end, end: first.end + 15 + ride, travel: ride, after: first.id, short: false },
    ])
    expect(row!.travel).toBe(ride)
  })

  test('a ride that does not fit is cut off and says so', () => {
    const [first, next] = [visit('tomas', '10:00'), visit('tomas', '11:30', { zone: toluca })]
    const [gap] = boardRowsOf(board({ visits: [first, next] }))[0]!.gaps
    expect(gap).toMatchObject({ start: first.end, end: next.start, travel: ride, short: true })
  })

  test('minutes on the road of the rows shown', () => {
    const of = (id: string) => [visit(id, '09:00'), visit(id, '14:00', { zone: toluca })]
    const day = board({ visits: [...of('tomas'), ...of('tania')] })
    expect(rowsTravelOf(shownRows(day, { zones: [] }))).toBe(2 * ride)
    const near = [person('tomas', { zones: [coyoacan] }), person('tania', { zones: [toluca] })]
    const idle = board({ people: near })
    expect(shownRows(idle, { zones: [coyoacan] }).map((row) => row.person.id)).toEqual(['tomas'])
  })

  test('a filter of a service shows who does it', () => {
    const shown = shownRows(board(), { zones: [], service: 'videocall' })
    expect(shown.map((row) => row.person.id)).toEqual(['andres'])
  })

  test('time off is clipped to the day', () => {
    const off = [{ start: at('12:00'), end: at('12:00') + 5 * 1440 }]
    const [row] = boardRowsOf(board({ people: [person('tomas', { timeOff: off })] }))
    expect(row!.off).toEqual([{ start: at('12:00'), end: board().day.end }])
  })
})

test('what has nobody stands in as few lanes as keep it apart', () => {
  const [a, b, c] = [visit(null, '09:00'), visit(null, '09:30'), visit(null, '10:00')]
  expect(lanesWithoutPerson(board({ visits: [a, b, c] })).map((lane) => lane.visits)).toEqual([[a, c], [b]])
})

describe('the hours of the board', () => {
  test.each([
    ['those of the opening', [], '09:00', '18:00'],
    ['earlier for an early visit', ['07:20'], '07:00', '18:00'],
    ['later for a late one', ['17:30'], '09:00', '19:00'],
  ])('%s', (_, times, from, to) => {
    const hours = hoursOf(board({ visits: times.map((time) => visit('tomas', time)) }))
    expect(hours).toEqual({ start: at(from), end: at(to) })
    expect(spanPercentOf(hours.start, hours)).toBe(0)
    expect(spanPercentOf(hours.end, hours)).toBe(100)
  })

  test('a closed day has those of an open one', () => {
    const sunday = board({ day: daysOn('2026-11-22', 1)[0]! })
    expect(hoursOf(sunday).end - hoursOf(sunday).start).toBe(9 * 60)
  })
})

test.each([
  ['Ana', 'Pérez', 'Ana P.'],
  ['Ana', null, 'Ana'],
  [null, null, ''],
  ['Luz', '', 'Luz'],
])('%s %s is short %s', (name, lastname, short) => {
  expect(shortName(name, lastname)).toBe(short)
})

describe('judging a move', () => {
  const codes = (day: BoardDay, moved: BoardVisit, to: string, time: string) =>
    judgeOf(day, moved)(to, at(time)).reasons.map(({ code }) => code)

  test.each<[string, Partial<BoardDay>, string, string, string[]]>([
    ['free', {}, 'tania', '10:00', []],
    ['its own place', {}, 'tomas', '10:00', []],
    ['where another one is', { visits: [visit('tania', '10:30')] }, 'tania', '10:00', ['overlap']],
    [
      'too near another place',
      { visits: [visit('tania', '11:30', { zone: toluca })] },
      'tania',
      '10:00',
      ['travel_after'],
    ],
    ['an analyst', {}, 'andres', '10:00', ['wrong_kind']],
    ['before the shift', {}, 'tomas', '08:00', ['shift', 'hours']],
    ['a stranger', {}, 'nobody', '10:00', ['wrong_kind']],
    ['so far ahead, at its own time', { beyond: ['technical_visit'] }, 'tania', '10:00', []],
    ['so far ahead, at another', { beyond: ['technical_visit'] }, 'tania', '11:00', ['horizon']],
    ['off the slots', {}, 'tania', '10:10', ['grid']],
    ['soon, at its own time', { now: at('09:30') }, 'tania', '10:00', []],
    ['soon, at another', { now: at('09:30') }, 'tania', '10:30', ['notice']],
    [
      'what is over holds nobody',
      { visits: [visit('tania', '10:30', { state: 'done' })] },
      'tania',
      '10:00',
      [],
    ],
  ])('%s', (_, more, to, time, expected) => {
    const moved = visit('tomas', '10:00')
    const day = board({ ...more, visits: [moved, ...(more.visits ?? [])] })
    expect(codes(day, moved, to, time)).toEqual(expected)
  })

  test('the past is closed to everybody', () => {
    const moved = visit('tomas', '15:00')
    const verdict = judgeOf(board({ now: at('12:00'), visits: [moved] }), moved)('tania', at('11:00'))
    expect([verdict.past, isBarred(verdict)]).toEqual([true, true])
  })

  test('time off bars, a zone does not', () => {
    const people = [
      person('away', { timeOff: [{ start: at('09:00'), end: at('18:00') }] }),
      person('elsewhere', { zones: [toluca] }),
    ]
    const judge = judgeOf(board({ people }), visit(null, '10:00'))
    expect(isBarred(judge('away', at('10:00')))).toBe(true)
    expect(judge('elsewhere', at('10:00'))).toEqual({ reasons: [{ code: 'zone' }], past: false })
    expect(isBarred(judge('elsewhere', at('10:00')))).toBe(false)
  })
})

test('starts stand on the grid', () => {
  const hours = { start: at('09:00'), end: at('11:00') }
  expect(startsWithin(board(), hours)).toEqual(['09:00', '09:30', '10:00', '10:30'].map(at))
  expect(snapped(board(), at('10:14'))).toBe(at('10:00'))
  expect(snapped(board(), at('10:16'))).toBe(at('10:30'))
})
