import fc from 'fast-check'
import { dueReminder, outsideQuietHours, remindAt, reminders } from '../../src/shared/calendar.ts'

const at = (text: string) => new Date(`${text}-06:00`)

test.each([
  // start, the day before, two hours before
  ['2026-11-24T17:30', '2026-11-23T17:30', '2026-11-24T15:30'],
  ['2026-11-24T10:00', '2026-11-23T10:00', '2026-11-24T08:00'],
  ['2026-11-24T09:59', '2026-11-23T09:59', '2026-11-23T20:30'],
  ['2026-11-24T09:30', '2026-11-23T09:30', '2026-11-23T20:30'],
  ['2026-11-24T08:00', '2026-11-23T08:00', '2026-11-23T20:30'],
  ['2026-11-24T07:59', '2026-11-22T20:30', '2026-11-23T20:30'],
  ['2026-11-24T20:59', '2026-11-23T20:59', '2026-11-24T18:59'],
  ['2026-11-24T21:00', '2026-11-23T20:30', '2026-11-24T19:00'],
  ['2026-11-24T23:00', '2026-11-23T20:30', '2026-11-24T20:30'],
  // Over the end of a month, of a year, of February.
  ['2026-12-01T09:00', '2026-11-30T09:00', '2026-11-30T20:30'],
  ['2027-01-01T09:00', '2026-12-31T09:00', '2026-12-31T20:30'],
  ['2028-03-01T09:00', '2028-02-29T09:00', '2028-02-29T20:30'],
])('%s', (start, dayBefore, hoursBefore) => {
  expect(remindAt(at(start), 'reminder_24h')).toEqual(at(dayBefore))
  expect(remindAt(at(start), 'reminder_2h')).toEqual(at(hoursBefore))
})

test.each([
  ['2026-11-24T08:00', '2026-11-24T08:00'],
  ['2026-11-24T20:59', '2026-11-24T20:59'],
  ['2026-11-24T21:00', '2026-11-25T08:00'],
  ['2026-11-24T23:59', '2026-11-25T08:00'],
  ['2026-11-24T00:00', '2026-11-24T08:00'],
  ['2026-11-24T07:59', '2026-11-24T08:00'],
  ['2026-11-30T22:00', '2026-12-01T08:00'],
])('an offer of %s leaves at %s', (moment, leaves) =>
  expect(outsideQuietHours(at(moment))).toEqual(at(leaves)),
)

describe('what is due', () => {
  const startsAt = at('2026-11-24T17:00')
  const long = at('2026-11-01T12:00')
  const none = { reminder_24h: false, reminder_2h: false }
  const due = (now: string, timeSetAt = long, reminded: Partial<typeof none> = {}) =>
    dueReminder({ startsAt, timeSetAt, reminded: { ...none, ...reminded } }, at(now))

  test.each([
    ['2026-11-23T16:59', null],
    ['2026-11-23T17:00', 'reminder_24h'],
    // Nobody worked for a while: it is still worth knowing.
    ['2026-11-24T10:00', 'reminder_24h'],
    // In the quiet hours it waits, and then goes if there is still time.
    ['2026-11-23T21:00', null],
    ['2026-11-24T07:59', null],
    ['2026-11-24T08:00', 'reminder_24h'],
    // Both are: one e-mail.
    ['2026-11-24T15:00', 'reminder_2h'],
    ['2026-11-24T16:59', 'reminder_2h'],
    ['2026-11-24T17:00', null],
  ])('at %s: %s', (now, kind) => expect(due(now)).toBe(kind))

  test('each once; after the nearer one not the other either', () => {
    expect(due('2026-11-24T10:00', long, { reminder_24h: true })).toBeNull()
    expect(due('2026-11-24T16:00', long, { reminder_24h: true })).toBe('reminder_2h')
    expect(due('2026-11-24T16:00', long, { reminder_2h: true })).toBeNull()
  })

  test('booked or moved after its moment, it is skipped, and the other one is not', () => {
    const late = at('2026-11-23T18:00')
    expect(due('2026-11-23T18:01', late)).toBeNull()
    expect(due('2026-11-24T15:00', late)).toBe('reminder_2h')
    expect(due('2026-11-24T16:30', at('2026-11-24T15:30'))).toBeNull()
    expect(due('2026-11-23T17:05', at('2026-11-23T17:00'))).toBeNull()
  })
})

test('never in the quiet hours, never after the start, in order, not earlier than said', () => {
  const starts = fc.date({ min: at('2026-01-01T00:00'), max: at('2030-01-01T00:00'), noInvalidDate: true })
  fc.assert(
    fc.property(starts, (date) => {
      const start = new Date(Math.floor(date.getTime() / 60_000) * 60_000)
      const [first, second] = reminders.map((kind) => remindAt(start, kind).getTime())
      expect(first).toBeLessThanOrEqual(second!)
      expect(second).toBeLessThanOrEqual(start.getTime() - 2 * 3_600_000)
      expect(start.getTime() - first!).toBeLessThanOrEqual(36 * 3_600_000)
      for (const moment of [first!, second!])
        expect(outsideQuietHours(new Date(moment)).getTime()).toBe(moment)
    }),
  )
})
