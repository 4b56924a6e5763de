import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  addDays,
  isHoliday,
  localDate,
  minuteAt,
  toDate,
  toMinutes,
} from '../../../src/domain/shared/calendar.ts'
import { transaction } from '../../../src/server/platform/database/client.ts'
import { lockAndCheck, type Placement, questionFor } from '../../../src/server/scheduling/choose.ts'
import { book, hour, occupy, visitsOf } from '../../kit/appointments.ts'
import { openBareEach, world } from '../../kit/open.ts'

openBareEach()

const now = new Date('2026-11-23T16:00:00Z')
/** Just after midnight in Mexico City. */
const start = new Date('2026-12-02T06:30:00Z')
const after = (hours: number) => new Date(start.getTime() + hours * hour)
const placement: Placement = { service: 'technical_visit', zone: 3, start: toMinutes(start), promised: true }

test('what is near over midnight counts, and the whole day does; what is farther is not read', async () => {
  const { technician } = await world.people()
  // Until two hours before; in the evening of the day; the next morning; and two that nothing can reach.
  for (const hours of [-3, 20, 25]) await occupy(world, technician, after(hours))
  for (const hours of [-17, 30]) await occupy(world, technician, after(hours))
  const { busy } = await questionFor(world.db, placement, now)
  expect([...busy.starts].map((at) => (at - placement.start) / 60)).toEqual([-3, 20, 25])
})

test('one that lasts over midnight is in the way', async () => {
  const { technician } = await world.people()
  const late = await occupy(world, technician, after(-10))
  await world.db.$client.query('update appointments set minutes = 660 where id = $1', [late.id])
  const question = await questionFor(world.db, placement, now)
  const against = await transaction(world.db, (tx) =>
    lockAndCheck(tx, question.staffing, placement, technician.id, now),
  )
  expect(against?.map(({ code }) => code)).toContain('overlap')
})

test('Toluca at 23:00 and Milpa Alta at midnight, sent at once to one technician: never both', async () => {
  const allDay = Array(7).fill({ from: 0, to: 1440 })
  await world.db.execute(
    sql`insert into settings (key, value) values ('service', ${JSON.stringify({ hours: allDay })})`,
  )
  const shifts = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from: 0, to: 1440 }))
  const technician = await world.person({ kind: 'tecnician', shifts })
  const today = localDate(toMinutes(new Date()))
  const nights = Array.from({ length: 16 }, (_, n) => addDays(today, 4 + n))
    .filter((date) => ![addDays(date, -1), date].some((one) => isHoliday(one, [])))
    .slice(0, 12)
  for (const night of nights) {
    const midnight = minuteAt(night, '00:00')
    const pair = await Promise.all(
      [
        { postalCode: '50000', start: midnight - 60 },
        { postalCode: '12000', start: midnight },
      ].map(async ({ postalCode, start }) => {
        const customer = await world.person()
        await world.home(customer, { postalCode })
        return { customer, startsAt: toDate(start).toISOString() }
      }),
    )
    const answers = await Promise.all(pair.map(({ customer, startsAt }) => book(world, customer, startsAt)))
    expect(answers.map(({ status }) => status).sort(), night).toEqual([303, 409])
    const visits = (await Promise.all(pair.map(({ customer }) => visitsOf(world, customer)))).flat()
    expect(visits.map(({ assigneeId }) => assigneeId)).toEqual([technician.id])
  }
})
