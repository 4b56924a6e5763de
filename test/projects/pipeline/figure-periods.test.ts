import { changeOf, figurePeriodOf, workdaysIn } from '../../../src/customers/rules/figures.ts'
import { shiftMinutes } from '../../../src/scheduling/rules/roster.ts'
import { minuteAt } from '../../../src/shared/calendar.ts'

test.each([
  ['mes', '2025-03-31', ['2025-03-01', '2025-04-01'], ['2025-02-01', '2025-03-01']],
  ['mes', '2025-03-01', ['2025-03-01', '2025-03-02'], ['2025-02-01', '2025-02-02']],
  ['mes', '2025-02-28', ['2025-02-01', '2025-03-01'], ['2025-01-01', '2025-02-01']],
  ['mes', '2024-01-15', ['2024-01-01', '2024-01-16'], ['2023-12-01', '2023-12-16']],
  ['mes-anterior', '2025-01-05', ['2024-12-01', '2025-01-01'], ['2024-11-01', '2024-12-01']],
  ['trimestre', '2025-05-31', ['2025-04-01', '2025-06-01'], ['2025-01-01', '2025-03-01']],
  ['anio', '2024-02-29', ['2024-01-01', '2024-03-01'], ['2023-01-01', '2023-03-01']],
  ['2023', '2025-03-10', ['2023-01-01', '2024-01-01'], ['2022-01-01', '2023-01-01']],
])('the period: %s, seen on %s, has its dates and those before', (name, today, now, before) => {
  const period = figurePeriodOf(name, today)
  expect([period.name, period.now.from, period.now.to]).toEqual([name, ...now])
  expect([period.before.from, period.before.to]).toEqual(before)
})

test.each([null, '', 'siempre', '2026', 'constructor'])(
  'the period falls back to this month for %s',
  (asked) => {
    expect(figurePeriodOf(asked, '2025-03-10')).toEqual(figurePeriodOf('mes', '2025-03-10'))
  },
)

test('the period has trends of twelve months and thirteen weeks, until today', () => {
  const { months, weeks } = figurePeriodOf('mes', '2025-03-05')
  expect([months.length, months[0], months.at(-1)]).toEqual([
    12,
    { from: '2024-04-01', to: '2024-05-01' },
    { from: '2025-03-01', to: '2025-03-06' },
  ])
  expect([weeks.length, weeks[0], weeks.at(-1)]).toEqual([
    13,
    { from: '2024-12-09', to: '2024-12-16' },
    { from: '2025-03-03', to: '2025-03-06' },
  ])
  expect(figurePeriodOf('mes-anterior', '2025-03-05').weeks.at(-1)).toEqual({
    from: '2025-02-24',
    to: '2025-03-03',
  })
})

test('counts shifts on working days since the person came, less time off', () => {
  const worker = { shifts: [{ weekday: 0, from: 540, to: 1020 }], timeOff: [], since: 0 }
  const march = { from: '2025-03-01', to: '2025-04-01' }
  // Of five Mondays the 17th is a day of rest.
  expect(shiftMinutes(worker, workdaysIn(march, []))).toBe(4 * 480)
  expect(shiftMinutes(worker, workdaysIn(march, ['2025-03-31']))).toBe(3 * 480)
  expect(shiftMinutes(worker, workdaysIn({ from: march.from, to: march.from }, []))).toBe(0)
  const timeOff = [{ start: minuteAt('2025-03-24', '08:00'), end: minuteAt('2025-03-24', '13:00') }]
  expect(shiftMinutes({ ...worker, timeOff }, workdaysIn(march, []))).toBe(4 * 480 - 240)
  const since = minuteAt('2025-03-24', '15:00')
  expect(shiftMinutes({ ...worker, since }, workdaysIn(march, []))).toBe(2 * 480)
})

test.each([
  [150, 100, 50],
  [5, 0, null],
  [5, -3, null],
])('finds the change to %s from %s: %s percent', (now, before, change) => {
  expect(changeOf(now, before)).toBe(change)
})
