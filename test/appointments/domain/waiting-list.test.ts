import { describe, expect, test } from 'vitest'
import type { Service } from '../../../src/domain/appointments/appointment.ts'
import {
  byPatience,
  helps,
  mayComeEarlier,
  slotOfferEndsAt,
  whyNotTaken,
} from '../../../src/domain/appointments/rules.ts'
import { defaultSettings } from '../../../src/domain/settings/settings-schema.ts'

const at = (time: string) => new Date(`2026-11-24T${time}:00-06:00`)

test.each([
  ['nothing booked', null, '10:00', true],
  ['a later appointment', '12:00', '10:00', true],
  ['the very same start', '10:00', '10:00', false],
  ['an earlier appointment', '09:00', '10:00', false],
])('whoever has %s', (_, has, freed, expected) => {
  expect(helps({ has: has === null ? null : at(has) }, at(freed))).toBe(expected)
})

test.each<[Service, number, boolean]>([
  ['videocall', 121, true],
  ['videocall', 120, false],
  ['technical_visit', 24 * 60 + 1, true],
  ['technical_visit', 24 * 60, false],
  ['installation', 71 * 60, false],
  ['technical_visit', -1, false],
])('something may open before a %s %i minutes ahead: %s', (service, ahead, expected) => {
  const startsAt = new Date(at('10:00').getTime() + ahead * 60_000)
  expect(mayComeEarlier({ service, startsAt }, defaultSettings, at('10:00'))).toBe(expected)
})

test('whoever waits longest comes first', () => {
  const waiting = ['12:00', '09:00', '10:30'].map((since) => ({ since: at(since), has: null }))
  expect(waiting.toSorted(byPatience).map(({ since }) => since)).toEqual(
    ['09:00', '10:30', '12:00'].map((since) => at(since)),
  )
})

test.each([
  ['half an hour', '10:00', '18:00', '10:30'],
  ['to its start where that is nearer', '10:00', '10:20', '10:20'],
])('a time is held out %s', (_, now, startsAt, until) => {
  expect(slotOfferEndsAt(at(now), at(startsAt))).toEqual(at(until))
})

describe('what is held out', () => {
  const open = { answer: null, has: null, startsAt: at('18:00'), expiresAt: at('10:30'), wishEnded: false }
  test.each([
    ['can be taken in time', open, '10:29', null],
    ['not at its end', open, '10:30', 'hasta las 10:30 a. m. Sigues en la lista'],
    [
      'not by whoever comes as early already',
      { ...open, has: at('18:00') },
      '10:01',
      'Tu cita ya es a esa hora',
    ],
    ['not once it began', { ...open, startsAt: at('10:10') }, '10:10', 'Sigues en la lista'],
    ['not when somebody else has it', { ...open, answer: 'gone' as const }, '10:01', 'Alguien más lo tomó'],
    ['not after "No, gracias"', { ...open, answer: 'declined' as const }, '10:01', 'Ya no esperas'],
    ['not by whoever stopped waiting', { ...open, wishEnded: true }, '10:01', 'Ya no esperas'],
  ])('%s', (_, offer, now, words) => {
    const why = whyNotTaken(offer, at(now))
    if (words === null) expect(why).toBeNull()
    else expect(why).toContain(words)
  })
})
