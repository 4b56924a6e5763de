import { expect, test } from 'vitest'
import { disruptionCost, moveOfferEndsAt } from '../../src/domain/scheduling/absence.ts'
import { minuteAt } from '../../src/domain/shared/calendar.ts'

const from = { start: minuteAt('2026-11-24', '10:00'), personId: 'tomas' }
const to = (date: string, time: string, personId = 'tomas') => ({ start: minuteAt(date, time), personId })

test.each([
  ['another person, at its time', to('2026-11-24', '10:00', 'tania'), 0, 120],
  ['another person at its time, moved before', to('2026-11-24', '10:00', 'tania'), 2, 120],
  ['half an hour later', to('2026-11-24', '10:30'), 0, 30],
  ['later, moved once before', to('2026-11-24', '11:00'), 1, 60 + 480],
  ['later, moved twice before, with another person', to('2026-11-24', '11:00', 'tania'), 2, 60 + 480 + 120],
  [
    'two days later, earlier, with another person',
    to('2026-11-26', '09:00', 'tania'),
    0,
    2 * 1440 - 60 + 480 + 120,
  ],
  ['over the end of a month', to('2026-12-01', '10:00'), 0, 7 * 1440 + 7 * 240],
])('counts the harm of %s', (_, place, moved, total) => {
  const harm = disruptionCost(from, place, moved)
  expect(harm.total).toBe(total)
  expect(harm.minutes + harm.days + harm.again + harm.person).toBe(total)
})

test.each([
  ['a day at most', '2026-11-20 10:00', '2026-11-24 10:00', '2026-11-24 12:00', '2026-11-21 10:00'],
  [
    'two hours before the start',
    '2026-11-24 08:00',
    '2026-11-24 16:00',
    '2026-11-25 10:00',
    '2026-11-24 14:00',
  ],
  [
    'two hours before the new one, where that is earlier',
    '2026-11-24 08:00',
    '2026-11-24 16:00',
    '2026-11-24 13:00',
    '2026-11-24 11:00',
  ],
  ['half an hour at least', '2026-11-24 09:00', '2026-11-24 10:00', '2026-11-24 16:00', '2026-11-24 09:30'],
])('an offer stands %s', (_, now, start, offered, end) => {
  const at = (text: string) => minuteAt(text.slice(0, 10), text.slice(11))
  expect(moveOfferEndsAt(at(now), at(start), at(offered))).toBe(at(end))
})
