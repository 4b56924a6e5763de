import type { AppointmentState } from '../../../src/appointments/rules/appointment.ts'
import { lateMinutes } from '../../../src/appointments/rules/late.ts'
import {
  atWorkWords,
  departureOf,
  nextStopOf,
  stopWhen,
  wayWords,
} from '../../../src/appointments/rules/next-stop.ts'
import {
  asksIfLate,
  type LateChoice,
  lateChoicesAt,
  runningLateOf,
  runningLateWords,
} from '../../../src/appointments/rules/running-late.ts'
import { stepWait } from '../../../src/appointments/rules/transitions.ts'

/** Mexico City, UTC-6, on Monday 23 November 2026. */
const at = (time: string, day = 23) => new Date(`2026-11-${day}T${time}:00-06:00`)
const plain = (words: string | null) => words?.replaceAll('\u00a0', ' ') ?? null
const stop = (id: string, time: string, state: AppointmentState = 'assigned') => ({
  id,
  state,
  startsAt: at(time),
})

const first = stop('a', '09:00')
const second = stop('b', '11:00')
const third = stop('c', '13:00')
const over = (...ids: string[]) => new Set(ids)

test.each([
  ['is the soonest', [first, second, third], over(), 'a'],
  [
    'is the one under way, whatever is before it',
    [first, { ...second, state: 'paused' as const }],
    over(),
    'b',
  ],
  ['is not one finished on the phone', [{ ...first, state: 'in_progress' as const }, second], over('a'), 'b'],
  ['is none when all are finished', [first], over('a'), undefined],
])('the next stop %s', (_, stops, ended, id) => expect(nextStopOf(stops, ended)?.id).toBe(id))

test.each([
  ['09:30', '09:18', 'assigned', '9:30 a. m., en 12 min'],
  ['09:30', '09:30', 'assigned', '9:30 a. m., ahora'],
  ['13:00', '09:30', 'en_route', '1:00 p. m., en 3 h 30 min'],
  ['09:30', '09:36', 'assigned', '9:30 a. m., hace 6 min'],
  ['09:30', '10:00', 'in_progress', '9:30 a. m.'],
] as const)('a stop at %s, seen at %s while %s: %s', (start, now, state, words) =>
  expect(plain(stopWhen({ startsAt: at(start), state }, at(now)))).toBe(words),
)

test.each([
  ['06:59', 'assigned', false],
  ['07:00', 'assigned', true],
  ['09:20', 'en_route', true],
  ['09:20', 'in_progress', false],
] as const)('at %s a stop of 9:00 that is %s asks whether its assignee is late: %s', (now, state, asks) =>
  expect(asksIfLate({ startsAt: at('09:00'), state }, at(now))).toBe(asks),
)

test('names another day of a stop', () => {
  const state = 'assigned'
  expect(plain(stopWhen({ startsAt: at('09:30', 24), state }, at('23:59')))).toBe('mañana, 9:30 a. m.')
  expect(plain(stopWhen({ startsAt: at('09:30', 26), state }, at('09:00')))).toBe('jue 26 nov, 9:30 a. m.')
})

test.each([
  ['in_progress', '09:34', '10:09', 'desde las 9:34 a. m., 35 min'],
  ['paused', '13:00', '15:30', 'desde la 1:00 p. m., 2 h 30 min'],
  // The phone’s clock is behind.
  ['in_progress', '09:34', '09:30', 'desde las 9:34 a. m.'],
  ['in_progress', '09:34', '09:35', 'desde las 9:34 a. m., 1 min'],
  ['en_route', '09:34', '10:09', null],
] as const)('%s since %s, seen at %s: %s', (state, started, now, words) =>
  expect(plain(atWorkWords({ state, startedAt: at(started) }, at(now)))).toBe(words),
)

test.each([
  ['09:20', 28, '08:50'],
  ['09:20', 30, '08:50'],
  ['09:20', 31, '08:45'],
  ['00:10', 20, '23:50'],
])('the way to a stop to be there at %s after %i minutes, leaves at %s', (start, travel, leaves) =>
  expect(departureOf({ startsAt: at(start), travel })).toEqual(leaves > start ? at(leaves, 22) : at(leaves)),
)

test.each([
  [28, 'assigned', '08:00', '28 min de camino, sal a las 8:50 a. m.'],
  [28, 'assigned', '08:50', '28 min de camino, sal ya'],
  [28, 'en_route', '08:55', '28 min de camino'],
  [28, 'in_progress', '09:30', null],
  [0, 'assigned', '08:00', null],
] as const)('the way to a stop %i minutes, %s, at %s: %s', (travel, state, now, words) =>
  expect(plain(wayWords({ startsAt: at('09:20'), state, travel }, at(now)))).toBe(words),
)

test.each([
  ['assigned', '08:00', null],
  ['assigned', '08:00', 'Podrás hacerlo ese día.', 22],
  ['en_route', '08:00', 'Desde las 9:00 a. m. podrás iniciar.'],
  ['en_route', '09:10', null],
] as const)('%s waits at %s: %s', (state, now, words, day: number = 23) => {
  const wait = plain(stepWait({ service: 'technical_visit', state, startsAt: at('09:30') }, at(now, day)))
  if (words) expect(wait).toContain(words)
  else expect(wait).toBeNull()
})

describe('running late', () => {
  const told = {
    state: 'assigned' as AppointmentState,
    startsAt: at('09:30'),
    timeSetAt: at('08:00', 20),
    runningLateMinutes: 30 as LateChoice | null,
    runningLateAt: at('09:10') as Date | null,
  }

  test.each([
    [{}, '09:15', '10:00'],
    [{ state: 'en_route' as const }, '09:59', '10:00'],
    [{}, '10:00', null],
    [{ state: 'in_progress' as const }, '09:15', null],
    // Moved since.
    [{ timeSetAt: at('09:12') }, '09:15', null],
    [{ runningLateMinutes: null, runningLateAt: null }, '09:15', null],
  ])('of %o at %s counts until %s', (input, now, until) =>
    expect(runningLateOf({ ...told, ...input }, at(now))?.until ?? null).toEqual(until && at(until)),
  )

  test.each([
    ['09:00', [15, 30, 60]],
    ['09:45', [30, 60]],
    ['10:30', []],
  ])('at %s offers %o minutes', (now, choices) => expect(lateChoicesAt(told, at(now))).toEqual(choices))

  test('is shown to the customer with the hour', () => {
    const words = (minutes: LateChoice, until: string) =>
      plain(runningLateWords({ minutes, until: at(until) }))
    expect(words(30, '10:00')).toBe('Tu técnico va unos 30 minutos tarde: llega cerca de las 10:00 a. m.')
    expect(words(60, '13:00')).toBe('Tu técnico va una hora tarde: llega cerca de la 1:00 p. m.')
  })

  test('counts on the board before the hour has passed', () => {
    const late = (told: number | null, now: number) =>
      lateMinutes({ state: 'assigned', start: 100, told }, now)
    expect([late(null, 90), late(30, 90), late(30, 110), late(30, 140)]).toEqual([0, 30, 30, 40])
    expect(lateMinutes({ state: 'in_progress', start: 100, told: 30 }, 110)).toBe(0)
  })
})
