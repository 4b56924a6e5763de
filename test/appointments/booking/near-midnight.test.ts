import { transaction } from '../../../src/platform/database/client.ts'
import { lockAndCheck, lockAndCheckNow, type Placement, questionFor } from '../../../src/scheduling/choose.ts'
import { addDays, isHoliday, localDate, minuteAt, toDate, toMinutes } from '../../../src/shared/calendar.ts'
import { book, hour, occupy, visitsOf } from '../../kit/appointments.ts'
import { db, fixture, newPerson, openBareEach, runSql } from '../../kit/open.ts'
import { statusesOf } from '../../kit/reading.ts'

openBareEach()

const now = new Date('2026-11-23T16:00:00Z')
/** Half past midnight in Mexico City. */
const start = new Date('2026-12-02T06:30:00Z')
const after = (hours: number) => new Date(start.getTime() + hours * hour)
const placement: Placement = { service: 'technical_visit', zone: 3, start: toMinutes(start), promised: true }

test('a start near midnight is checked against appointments of both days', async () => {
  const technician = await newPerson({ kind: 'tecnician' })
  for (const hours of [-17, 20, 25, 30]) await occupy(technician, after(hours))
  const late = await occupy(technician, after(-3))
  const question = await questionFor(db, placement, now)
  // The whole day counts, and of its neighbours what can be reached; not -17 and 30.
  expect([...question.busy.starts].map((at) => (at - placement.start) / 60)).toEqual([-3, 20, 25])
  await db.$client.query('update appointments set minutes = 240 where id = $1', [late.id])
  const against = await transaction(db, (tx) =>
    lockAndCheck(tx, question.staffing, placement, technician.id, now),
  )
  expect(against?.map(({ code }) => code)).toContain('overlap')
})

test('a manager’s choice is checked by the staffing as it is by then, a booking by what it saw', async () => {
  const technician = await newPerson({ kind: 'tecnician' })
  const { staffing } = await questionFor(db, placement, now)
  await newPerson({ kind: 'tecnician' })
  const checked = (check: typeof lockAndCheck) =>
    transaction(db, (tx) => check(tx, staffing, placement, technician.id, now))
  expect(await checked(lockAndCheck)).toBeNull()
  expect(await checked(lockAndCheckNow)).toEqual(expect.any(Array))
})

test('Toluca at 23:00 and Milpa Alta at midnight booked at once: one technician gets one of them', async () => {
  const allDay = Array(7).fill({ from: 0, to: 1440 })
  await runSql`insert into settings (key, value) values ('service', ${JSON.stringify({ hours: allDay })})`
  const shifts = allDay.map((hours, weekday) => ({ weekday, ...hours }))
  const technician = await newPerson({ kind: 'tecnician', shifts })
  const today = localDate(toMinutes(new Date()))
  const nights = Array.from({ length: 16 }, (_, n) => addDays(today, 4 + n))
    .filter((date) => ![addDays(date, -1), date].some((one) => isHoliday(one, [])))
    .slice(0, 12)
  const bookAt = async (postalCode: string, minutes: number) => {
    const customer = await newPerson()
    await fixture.home(customer, { postalCode })
    return { customer, book: () => book(customer, toDate(minutes).toISOString()) }
  }
  for (const night of nights) {
    const midnight = minuteAt(night, '00:00')
    const pair = [await bookAt('50000', midnight - 60), await bookAt('12000', midnight)]
    expect(await statusesOf(...pair.map((one) => one.book())), night).toEqual([303, 409])
    const visits = (await Promise.all(pair.map(({ customer }) => visitsOf(customer)))).flat()
    expect(visits.map(({ assigneeId }) => assigneeId)).toEqual([technician.id])
  }
})
