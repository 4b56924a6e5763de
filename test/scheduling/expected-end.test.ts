import type { AppointmentState } from '../../src/appointments/rules/appointment.ts'
import { type DayProgress, expectedEnds } from '../../src/scheduling/rules/expected-end.ts'
import { defaultTravel, travelBetween } from '../../src/scheduling/rules/roster.ts'

const day = 1_000 * 1440
const at = (hour: number, minute = 0) => day + hour * 60 + minute
const travel = defaultTravel()
const here = 3
const there = 6

const visit = (start: number, state: AppointmentState, own: Partial<DayProgress> = {}, zone = here) => ({
  start,
  end: start + 60,
  zone,
  service: 'technical_visit' as const,
  progress: { state, setOut: null, started: null, lateBy: null, confirmed: null, ...own },
})
const ends = (now: number, visits: ReturnType<typeof visit>[], usual: number[] = []) =>
  expectedEnds(visits, { now, end: at(24), bufferMinutes: 15, travel, usual: () => usual })

describe('when an appointment is expected to end', () => {
  test.each<[string, number, ReturnType<typeof visit>, number[], number]>([
    ['as planned while its hour is ahead', at(8), visit(at(9), 'assigned'), [], at(10)],
    ['an hour from now where nobody has begun it', at(9, 40), visit(at(9), 'assigned'), [], at(10, 40)],
    ['as planned where nobody began it before its end', at(10, 54), visit(at(9), 'assigned'), [], at(10)],
    [
      'an hour after it was given, where that was past its end',
      at(10, 54),
      visit(at(9), 'assigned', { confirmed: at(10, 40) }),
      [],
      at(11, 54),
    ],
    ['as late as its technician says', at(8), visit(at(9), 'assigned', { lateBy: 30 }), [], at(10, 30)],
    ['after the ride', at(9), visit(at(9), 'en_route', { setOut: at(9) }), [], at(10, 15)],
    ['as planned where it began early', at(9), visit(at(9), 'in_progress', { started: at(8) }), [], at(10)],
    [
      'as such visits do that took longer than it has',
      at(10, 30),
      visit(at(9), 'in_progress', { started: at(9) }),
      [40, 60, 95, 110, 150],
      at(10, 50),
    ],
    [
      'a quarter of an hour from now where it is longer than any other',
      at(12),
      visit(at(9), 'paused', { started: at(9) }),
      [40, 60],
      at(12, 15),
    ],
  ])('%s', (_words, now, one, usual, expected) => expect(ends(now, [one], usual)).toEqual([expected]))

  test('what comes after waits for it, with the way between', () => {
    const late = visit(at(9), 'in_progress', { started: at(9) })
    const next = visit(at(10, 30), 'assigned', {}, there)
    const last = visit(at(16), 'assigned')
    const way = 15 + travelBetween(travel, here, there)
    expect(ends(at(10, 45), [late, next, last])).toEqual([at(11), at(11) + way + 60, at(17)])
  })

  test('what is under way does not wait for one that was left out', () => {
    const left = visit(at(10), 'assigned')
    const now = visit(at(10, 30), 'in_progress', { started: at(10, 30) })
    expect(ends(at(10, 50), [left, now])).toEqual([at(11, 50), at(11, 30)])
  })

  test('lasts no longer than the day', () => {
    const paused = visit(at(9), 'paused', { started: at(9) })
    expect(ends(at(20), [paused, visit(at(21), 'assigned')], [60, 3_000])).toEqual([at(24), at(24)])
  })
})
