import { expect, test } from 'vitest'
import { whyNot } from '../../../src/domain/scheduling/eligibility.ts'
import { defaultTravel, travelBetween } from '../../../src/domain/scheduling/roster.ts'
import { defaultSettings } from '../../../src/domain/settings/settings-schema.ts'
import { localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { placementOf } from '../../../src/server/appointments/assign.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { candidates, questionFor } from '../../../src/server/scheduling/choose.ts'
import { zoneOf } from '../../../src/server/scheduling/roster.ts'
import { book, slots, type Visit } from '../../kit/appointments.ts'
import { openBareEach, world } from '../../kit/open.ts'
import { emailsAbout, trailOf } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openBareEach()

const technicians = (count: number) =>
  Promise.all(Array.from({ length: count }, () => world.person({ kind: 'tecnician' })))
/** Each of another municipality, from Álvaro Obregón to Toluca. */
const codes = ['01000', '04000', '06000', '09000', '11000', '14000', '16000', '53000', '50000', '07000']
const customers = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const customer = await world.person()
      await world.home(customer, { postalCode: codes[n % codes.length]! })
      return customer
    }),
  )
const stored = () => world.db.select().from(appointments)
const count = (answers: Answer[], wanted: number) => answers.filter(({ status }) => status === wanted).length

/** No technician has two visits at once, too little time to travel between them, or more than the daily maximum. */
function expectLawful(visits: Visit[]) {
  const travel = defaultTravel()
  const ofPerson = Map.groupBy(visits, ({ assigneeId }) => assigneeId)
  for (const list of ofPerson.values()) {
    const inOrder = list.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
    for (const [n, visit] of inOrder.slice(1).entries()) {
      const before = inOrder[n]!
      const ride = travelBetween(travel, zoneOf(before.municipality), zoneOf(visit.municipality))
      const gap = toMinutes(visit.startsAt) - toMinutes(before.startsAt) - before.minutes
      expect(gap).toBeGreaterThanOrEqual(defaultSettings.bufferMinutes + ride)
    }
    for (const day of Map.groupBy(list, ({ startsAt }) => localDate(toMinutes(startsAt))).values())
      expect(day.length).toBeLessThanOrEqual(defaultSettings.services.technical_visit.dailyMax)
  }
}

test('twenty customers book one slot of three technicians at once: three succeed, seventeen are refused', async () => {
  await technicians(3)
  const all = await customers(20)
  const start = (await slots(world, all[1]!))[4]!
  const answers = await Promise.all(all.map((customer) => book(world, customer, start)))
  expect([count(answers, 303), count(answers, 409)]).toEqual([3, 17])
  const visits = await stored()
  expect(new Set(visits.map(({ assigneeId }) => assigneeId)).size).toBe(3)
  for (const visit of visits) {
    expect(await trailOf(world, visit)).toEqual(['book'])
    expect(await emailsAbout(world, visit)).toEqual(['booked to customer'])
  }
})

test('forty bookings at once over two days and ten zones: each can be kept and no refusal was needless', async () => {
  const people = await technicians(3)
  const all = await customers(40)
  const days = [await slots(world, all[0]!), await slots(world, all[0]!, 1)]
  const wanted = all.map((_, n) => days[n % 2]![(n * 5) % 17]!)
  const answers = await Promise.all(all.map((customer, n) => book(world, customer, wanted[n]!)))
  const visits = await stored()
  expect(count(answers, 303)).toBe(visits.length)
  expect(count(answers, 303) + count(answers, 409)).toBe(40)
  expect(visits.length).toBeGreaterThan(people.length * 2)
  expectLawful(visits)
  const now = new Date()
  for (const visit of visits) {
    const { staffing, busy, ask } = await questionFor(world.db, placementOf(visit), now)
    const person = staffing.indexOf.get(visit.assigneeId!)!
    expect(whyNot(staffing.roster, busy, person, toMinutes(visit.startsAt), ask)).toEqual([])
  }
  for (const [n, { status }] of answers.entries()) {
    if (status === 303) continue
    const zone = [0, 3, 5, 8, 10, 13, 15, 18, 19, 6][n % codes.length]!
    const start = toMinutes(new Date(wanted[n]!))
    const question = await questionFor(world.db, { service: 'technical_visit', zone, start }, now)
    expect(candidates(question, start)).toEqual([])
  }
})

test('every slot of one technician’s day booked at once: no more than the day’s maximum', async () => {
  await technicians(1)
  const all = await customers(17)
  const day = await slots(world, all[1]!)
  const answers = await Promise.all(all.map((customer, n) => book(world, customer, day[n]!)))
  const visits = await stored()
  expectLawful(visits)
  expect(visits.length).toBeGreaterThan(1)
  expect([count(answers, 303), count(answers, 409)]).toEqual([visits.length, 17 - visits.length])
})

test('a technician deactivated during bookings gets none afterwards', async () => {
  const [gone, stays] = await technicians(2)
  const all = await customers(12)
  const day = await slots(world, all[1]!)
  const bookings = all.map((customer, n) => book(world, customer, day[n]!))
  await world.db.$client.query('update users set active = false where id = $1', [gone!.id])
  const committed = await world.db.$client.query('select clock_timestamp() as at')
  await Promise.all(bookings)
  const late = (await stored()).filter((visit) => visit.createdAt > committed.rows[0].at)
  expect(late.every(({ assigneeId }) => assigneeId === stays!.id)).toBe(true)
})
