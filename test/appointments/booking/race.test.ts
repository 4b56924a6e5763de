import { placementOf } from '../../../src/appointments/assign.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { candidates, questionFor } from '../../../src/scheduling/choose.ts'
import { whyNot } from '../../../src/scheduling/rules/eligibility.ts'
import { toMinutes } from '../../../src/shared/calendar.ts'
import { book, slots } from '../../kit/appointments.ts'
import { db, expectEmails, fixture, openBareEach, rowsWhere } from '../../kit/open.ts'
import type { Answer } from '../../kit/visitor.ts'
import { whatIsWrong } from '../history/check.ts'
import { customersOf, teamOf } from '../history/town.ts'

openBareEach()

const stored = () => rowsWhere(appointments)
const counts = (answers: Answer[]) =>
  [303, 409].map((wanted) => answers.filter(({ status }) => status === wanted).length)

test('forty bookings at once over two days and ten zones: each can be kept and no refusal was needless', async () => {
  await teamOf(fixture, 'tecnician', 3)
  const all = await customersOf(fixture, 40)
  const days = [await slots(all[0]!), await slots(all[0]!, 1)]
  const wanted = all.map((_, n) => days[n % 2]![(n * 5) % 17]!)
  const answers = await Promise.all(all.map((customer, n) => book(customer, wanted[n]!)))
  const visits = await stored()
  expect(counts(answers)).toEqual([visits.length, 40 - visits.length])
  expect(visits.length).toBeGreaterThan(6)
  expect(await whatIsWrong(db)).toEqual([])
  const now = new Date()
  for (const visit of visits) {
    await expectEmails(visit, ['booked to customer'])
    const { staffing, busy, ask } = await questionFor(db, placementOf(visit), now)
    const person = staffing.indexOf.get(visit.assigneeId!)!
    expect(whyNot(staffing.roster, busy, person, toMinutes(visit.startsAt), ask)).toEqual([])
  }
  const zones = [0, 3, 5, 8, 10, 13, 15, 18, 19, 6]
  for (const [n, { status }] of answers.entries()) {
    if (status === 303) continue
    const start = toMinutes(new Date(wanted[n]!))
    const placement = { service: 'technical_visit', zone: zones[n % zones.length]!, start } as const
    expect(candidates(await questionFor(db, placement, now), start)).toEqual([])
  }
})

test('a technician deactivated during bookings gets none afterwards', async () => {
  const [gone, stays] = await teamOf(fixture, 'tecnician', 2)
  const all = await customersOf(fixture, 12)
  const day = await slots(all[1]!)
  const bookings = all.map((customer, n) => book(customer, day[n]!))
  await db.$client.query('update users set active = false where id = $1', [gone!.id])
  const committed = await db.$client.query('select clock_timestamp() as at')
  await Promise.all(bookings)
  const late = (await stored()).filter(({ createdAt }) => createdAt > committed.rows[0].at)
  expect(late.every(({ assigneeId }) => assigneeId === stays!.id)).toBe(true)
})
