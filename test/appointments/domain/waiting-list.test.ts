import type { Service } from '../../../src/appointments/rules/appointment.ts'
import {
  byPatience,
  helps,
  mayComeEarlier,
  slotOfferEndsAt,
  whyNotTaken,
} from '../../../src/appointments/rules/rules.ts'
import { defaultSettings } from '../../../src/settings/rules/settings-schema.ts'

const at = (time: string) => new Date(`2026-11-24T${time}:00-06:00`)

test.each([
  ['nothing booked', null, true],
  ['a later appointment', at('12:00'), true],
  ['the same start', at('10:00'), false],
  ['an earlier appointment', at('09:00'), false],
])('a start at ten helps a customer with %s: %s', (_, has, expected) =>
  expect(helps({ has }, at('10:00'))).toBe(expected),
)

test.each<[Service, number, boolean]>([
  ['videocall', 121, true],
  ['videocall', 120, false],
  ['technical_visit', 24 * 60 + 1, true],
  ['technical_visit', 24 * 60, false],
  ['installation', 71 * 60, false],
])('a start may open before a %s %i minutes ahead: %s', (service, ahead, expected) => {
  const startsAt = new Date(at('10:00').getTime() + ahead * 60_000)
  expect(mayComeEarlier({ service, startsAt }, defaultSettings, at('10:00'))).toBe(expected)
})

test('the longest waiting comes first', () => {
  const waiting = ['12:00', '09:00', '10:30'].map((since) => ({ since: at(since), has: null }))
  const [last, first, second] = waiting
  expect(waiting.toSorted(byPatience)).toEqual([first, second, last])
})

test.each([
  ['18:00', '10:30'],
  ['10:20', '10:20'],
])('a start at %s is offered at ten until %s', (startsAt, until) =>
  expect(slotOfferEndsAt(at('10:00'), at(startsAt))).toEqual(at(until)),
)

const open = { answer: null, has: null, startsAt: at('18:00'), expiresAt: at('10:30'), wishEnded: false }
test.each([
  ['before its end', {}, '10:29', null],
  ['at its end', {}, '10:30', 'hasta las 10:30 a.\u00a0m. Sigues en la lista'],
  ['by a customer booked as early', { has: at('18:00') }, '10:01', 'Tu cita ya es a esa hora'],
  ['once its start passed', { startsAt: at('10:10') }, '10:10', 'Sigues en la lista'],
  ['once it is taken', { answer: 'gone' as const }, '10:01', 'Alguien más lo tomó'],
  ['once declined', { answer: 'declined' as const }, '10:01', 'Ya no esperas'],
  ['by a customer who stopped waiting', { wishEnded: true }, '10:01', 'Ya no esperas'],
])('an offer claimed %s', (_, offer, now, words) => {
  const why = whyNotTaken({ ...open, ...offer }, at(now))
  if (words === null) expect(why).toBeNull()
  else expect(why).toContain(words)
})
