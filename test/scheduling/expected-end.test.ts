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
  progress: { state, setOut: null, started: null, lateBy: null, ...own },
})
const ends = (now: number, visits: ReturnType<typeof visit>[], usual: number[] = []) =>
  expectedEnds(visits, { now, bufferMinutes: 15, travel, usual: () => usual })

describe('when an appointment is expected to end', () => {
  test.each<[string, number, ReturnType<typeof visit>, number[], number]>([
    ['as planned while its hour is ahead', at(8), visit(at(9), 'assigned'), [], at(10)],
    ['an hour from now where nobody has begun it', at(10, 54), visit(at(9), 'assigned'), [], at(11, 54)],
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
    const left = visit(at(9), 'assigned')
    const now = visit(at(11), 'in_progress', { started: at(11) })
    expect(ends(at(11, 30), [left, now])).toEqual([at(12, 30), at(12)])
  })
})
