import {
  datesOfAge,
  daysOverdue,
  overdueWords,
  type ReceivableAge,
  receivableAges,
} from '../../src/payments/rules/receivable.ts'
import { addDays, minuteAt, toDate } from '../../src/shared/calendar.ts'

const at = (date: string, time = '12:00') => toDate(minuteAt(date, time))
const today = '2026-11-24'
const ages = Object.keys(receivableAges) as ReceivableAge[]

test.each<[overdue: number, ReceivableAge]>([
  [-400, 'ahead'],
  [0, 'ahead'],
  [1, 'week'],
  [7, 'week'],
  [8, 'month'],
  [30, 'month'],
  [31, 'older'],
  [4_000, 'older'],
])('a charge %i days overdue has the age %s', (overdue, age) => {
  const due = addDays(today, -overdue)
  const held = ages.filter((one) => {
    const { before, from } = datesOfAge(one, today)
    return (from === null || due >= from) && (before === null || due < before)
  })
  expect(held).toEqual([age])
  expect(daysOverdue({ dueAt: at(due), createdAt: at('2020-01-01') }, at(today))).toBe(overdue)
})

test('days are local: a minute before midnight is another day than a minute after', () => {
  const dueAt = at(today, '23:59')
  expect(daysOverdue({ dueAt, createdAt: dueAt }, at(today, '00:01'))).toBe(0)
  expect(daysOverdue({ dueAt, createdAt: dueAt }, at('2026-11-25', '00:01'))).toBe(1)
})

test('a charge without a date is due on the day it was made', () =>
  expect(daysOverdue({ dueAt: null, createdAt: at('2026-11-20') }, at(today))).toBe(4))

test.each([
  [-10, 'En 10 días'],
  [-1, 'En 1 día'],
  [0, 'Hoy'],
  [1, 'Hace 1 día'],
  [1_200, 'Hace 1,200 días'],
])('words %i days overdue as %s', (days, words) => expect(overdueWords(days)).toBe(words))
