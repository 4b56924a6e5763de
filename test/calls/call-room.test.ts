import { describe, expect, test } from 'vitest'
import { appointmentStates, isActive } from '../../src/domain/appointments/appointment.ts'
import { roomOpensAt, roomPhase, waitMoments } from '../../src/domain/calls/room.ts'

/** 11:00 of a Thursday in Mexico City. */
const startsAt = new Date('2026-11-19T17:00:00Z')
const at = (minutes: number) => new Date(startsAt.getTime() + minutes * 60_000)
const hour = 60

describe('the room of a call', () => {
  test.each([
    ['a day before', -24 * hour, 'early'],
    ['a moment before it opens', -15 - 1 / 60, 'early'],
    ['fifteen minutes before', -15, 'open'],
    ['at its time', 0, 'open'],
    ['long after its time, still that day', 12 * hour, 'open'],
    ['in the last minute of its day', 13 * hour - 1, 'open'],
    ['when its day is over', 13 * hour, 'over'],
    ['a day later', 24 * hour, 'over'],
  ])('%s', (_when, minutes, phase) => {
    expect(roomPhase({ state: 'assigned', startsAt }, at(minutes))).toBe(phase)
  })

  test.each(appointmentStates)('of a call that is %s', (state) => {
    expect(roomPhase({ state, startsAt }, at(5))).toBe(isActive(state) ? 'open' : 'over')
    expect(roomPhase({ state, startsAt }, at(-hour))).toBe(isActive(state) ? 'early' : 'over')
  })

  test('says when it opens', () => expect(roomOpensAt(startsAt)).toEqual(at(-15)))
})

describe('whoever waits', () => {
  const moments = (since: number, takenOver: number | null = null) =>
    waitMoments({
      startsAt,
      customerWaitingSince: at(since),
      takenOverAt: takenOver === null ? null : at(takenOver),
    })

  test.each([
    ['came early: from its time on', moments(-12), [3, 10, 30]],
    ['came late: from then on', moments(20), [23, 30, 50]],
    ['was taken over: whoever took it has three minutes as well', moments(-12, 5), [8, 10, 30]],
    ['was taken over before they came back', moments(9, 5), [12, 19, 39]],
  ])('%s', (_who, { apologyAt, takeOverAt, wayOutAt }, minutes) => {
    expect([takeOverAt, wayOutAt, apologyAt]).toEqual(minutes.map(at))
  })
})
