import { eq, sql } from 'drizzle-orm'
import { lookForEarlier, offerFreedSlot } from '../../../src/dispatch/waiting-list.ts'
import { timeOff, users } from '../../../src/platform/database/schema/accounts.ts'
import { slotOffers, slotWishes } from '../../../src/platform/database/schema/appointments.ts'
import { offeredDays } from '../../../src/scheduling/choose.ts'
import { zoneOf } from '../../../src/scheduling/roster.ts'
import { toDate } from '../../../src/shared/calendar.ts'
import { around, assign, customerWithVisit, hour, minute, visitOf } from '../../kit/appointments.ts'
import {
  ago,
  analyst,
  db,
  fixture,
  fromNow,
  manager,
  openEach,
  post,
  sendJobs,
  setRow,
  storeRows,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered } from '../../kit/reading.ts'
import { at, workday } from '../../kit/users.ts'

const late = workday(4)
const start = { startsAt: at(workday(0), '12:00') }

/** One technician is away for weeks, the other works on the late day only: nothing else is open. */
async function onlyLater() {
  await setRow(users, analyst.id, { active: false })
  const away = (personId: string, until: Date) => ({
    personId,
    approvedAt: new Date(),
    during: `[${ago(hour).toISOString()},${until.toISOString()})`,
  })
  await storeRows(timeOff, [
    away(technician2.id, around(start, 90 * 24 * hour)),
    away(technician.id, at(late, '00:00')),
  ])
  fixture.at(start.startsAt)
}
const comesBack = () => db.delete(timeOff).where(eq(timeOff.personId, technician2.id))

openEach(onlyLater)
sendJobs()

/** A customer who waits for an earlier visit than the one they have on the late day. */
async function waiting(time = '12:00'): Promise<Person> {
  const { customer } = await customerWithVisit(at(late, time).toISOString())
  await expectAnswered(post('/technics-visit', { intent: 'ask-earlier' }, customer), 303)
  return customer
}
const offersTo = async ({ id }: Person) => {
  const rows = await db
    .select({ startsAt: slotOffers.startsAt })
    .from(slotOffers)
    .innerJoin(slotWishes, eq(slotWishes.id, slotOffers.wishId))
    .where(eq(slotWishes.customerId, id))
    .orderBy(slotOffers.startsAt)
  return rows.map(({ startsAt }) => startsAt)
}
const jobs = async (condition: string) =>
  (
    await db.execute<{ start_after: string }>(
      sql.raw(`select start_after from pgboss.job where ${condition}`),
    )
  ).rows
const emails = async () => (await jobs(`data ->> 'letter' = 'slot_offer'`)).length
const freedJobs = () => jobs(`name = 'offer-freed-slot'`)
const look = () => lookForEarlier(db, new Date())
const later = (by: number) => fixture.at(fromNow(by * minute))

/** The first start that a new customer in Coyoacán could book. */
async function firstOpen(): Promise<Date> {
  const days = await offeredDays(db, 'technical_visit', zoneOf('coyoacan'), new Date())
  return toDate(days.flatMap(({ starts }) => starts)[0]!)
}

test('offers starts opened by withdrawn time off, once, and none that were open before', async () => {
  const customer = await waiting()
  expect([await look(), await look()]).toEqual([0, 0])
  await comesBack()
  const first = await firstOpen()
  expect(first < at(late, '00:00')).toBe(true)
  expect(await look()).toBe(1)
  expect(await offersTo(customer)).toEqual([first])
  later(40)
  expect([await look(), await emails()]).toEqual([0, 1])
})

test('offers the start of a released technician, and later those of a new one', async () => {
  const { customer: first, visit } = await customerWithVisit(at(late, '09:00').toISOString())
  await assign(manager, visit, technician)
  const customer = await waiting('15:00')
  await look()
  const { version } = await visitOf(first)
  const form = { intent: 'release', releaseReason: 'Se enfermó su hijo', version: String(version) }
  await expectAnswered(post(`/admin/assignations/${visit.id}`, form, manager), 303)
  expect(await look()).toBe(1)
  expect(await offersTo(customer)).toEqual([visit.startsAt])
  later(40)
  await fixture.person({ kind: 'tecnician', name: 'Nora' })
  const earliest = await firstOpen()
  expect(await look()).toBe(1)
  expect(await offersTo(customer)).toEqual([earliest, visit.startsAt])
})

test('offers each of four waiting customers one of two starts, and passes none on', async () => {
  const all = []
  for (const time of ['09:00', '10:30', '12:00', '13:30']) all.push(await waiting(time))
  await look()
  await comesBack()
  expect(await look()).toBe(4)
  const offers = await Promise.all(all.map(offersTo))
  expect(offers.map(({ length }) => length)).toEqual([1, 1, 1, 1])
  expect(new Set(offers.flat().map(Number)).size).toBe(2)
  expect([await look(), await emails(), await freedJobs()]).toEqual([0, 4, []])
})

test('offers a customer nothing else while one offer is open; a freed start waits for them', async () => {
  const customer = await waiting()
  await look()
  await comesBack()
  await look()
  const [startsAt] = await offersTo(customer)
  const freed = {
    service: 'technical_visit',
    startsAt: around({ startsAt: startsAt! }, hour).toISOString(),
  } as const
  const offer = () => offerFreedSlot(db, freed, new Date())
  expect(await offer()).toBe(0)
  expect((await freedJobs()).map(({ start_after }) => Date.parse(start_after))).toEqual([
    Date.now() + hour / 2,
  ])
  later(31)
  expect(await offer()).toBe(1)
})
