import { describe, expect, test } from 'vitest'
import { appointmentStates, isActive } from '../../src/domain/appointments/appointment.ts'
import { roomOpensAt, roomPhase } from '../../src/domain/calls/room.ts'

/** 11:00 of a Thursday in Mexico City. */
const startsAt = new Date('2026-11-19T17:00:00Z')
const at = (minutes: number) => new Date(startsAt.getTime() + minutes * 60_000)
const hour = 60

describe('the room of a call', () => {
  test.each([
    ['a moment before it opens', -15 - 1 / 60, 'early'],
    ['fifteen minutes before', -15, 'open'],
    ['in the last minute of its day', 13 * hour - 1, 'open'],
    ['when its day is over', 13 * hour, 'over'],
  ])('%s', (_when, minutes, phase) => {
    expect(roomPhase({ state: 'assigned', startsAt }, at(minutes))).toBe(phase)
  })

  test.each(appointmentStates)('is open by state: %s', (state) => {
    expect(roomPhase({ state, startsAt }, at(5))).toBe(isActive(state) ? 'open' : 'over')
    expect(roomPhase({ state, startsAt }, at(-hour))).toBe(isActive(state) ? 'early' : 'over')
  })

  test('opens 15 minutes before', () => expect(roomOpensAt(startsAt)).toEqual(at(-15)))
})
