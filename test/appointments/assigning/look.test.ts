import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { toDate } from '../../../src/domain/shared/calendar.ts'
import { timeOff, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { slotOffers, slotWishes } from '../../../src/server/platform/database/schema/appointments.ts'
import { offeredDays } from '../../../src/server/scheduling/choose.ts'
import { zoneOf } from '../../../src/server/scheduling/roster.ts'
import { lookForEarlier, offerFreedSlot } from '../../../src/server/scheduling/waiting-list.ts'
import { assign, customerWithVisit, hour, visitOf } from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { at, workday } from '../../kit/users.ts'

const offersTo = async ({ id }: Person) => {
  const rows = await world.db
    .select({ startsAt: slotOffers.startsAt })
    .from(slotOffers)
    .innerJoin(slotWishes, eq(slotWishes.id, slotOffers.wishId))
    .where(eq(slotWishes.customerId, id))
    .orderBy(slotOffers.startsAt)
  return rows.map(({ startsAt }) => startsAt)
}
const letters = async () => {
  const { rows } = await world.db.execute(
    sql`select 1 from pgboss.job where name = 'letter' and data ->> 'letter' = 'slot_offer'`,
  )
  return rows.length
}

const late = workday(4)
/** A step: of two technicians the second is away for weeks, and the first works only on the late day: nothing else is open. */
const noon = () => at(workday(0), '12:00')
async function onlyLater() {
  const { technician, technician2, analyst } = people
  await world.db.update(users).set({ active: false }).where(eq(users.id, analyst.id))
  const away = (personId: string, from: Date, to: Date) =>
    world.db.insert(timeOff).values({
      personId,
      approvedAt: new Date(),
      approvedBy: people.manager.id,
      reason: 'Curso',
      during: `[${from.toISOString()},${to.toISOString()})`,
    })
  const far = new Date(noon().getTime() + 90 * 24 * hour)
  await away(technician2.id, new Date(Date.now() - hour), far)
  await away(technician.id, new Date(Date.now() - hour), at(late, '00:00'))
  world.at(noon())
}

openEach(onlyLater)
sendJobs()

/** Somebody who waits for an earlier visit than the one they have. */
async function waiting(time: string): Promise<Person> {
  const { customer } = await customerWithVisit(world, at(late, time).toISOString())
  expect((await world.post('/technics-visit', { intent: 'ask-earlier' }, customer)).status).toBe(303)
  return customer
}
const look = () => lookForEarlier(world.db, new Date())
const later = (minutes: number) => world.at(new Date(Date.now() + minutes * 60_000))
const open = (starts: readonly Date[]) => starts.map((start) => start.toISOString())

/** The first start that somebody new in Coyoacán could book. */
async function firstOpen(): Promise<string> {
  const days = await offeredDays(world.db, 'technical_visit', zoneOf('coyoacan'), new Date())
  return toDate(days.flatMap(({ starts }) => starts)[0]!).toISOString()
}
const comesBack = () => world.db.delete(timeOff).where(eq(timeOff.personId, people.technician2.id))

test('what was open all along is no news; time off taken back is, once, and at the next look nothing is', async () => {
  const customer = await waiting('12:00')
  expect([await look(), await look()]).toEqual([0, 0])
  await comesBack()
  const first = await firstOpen()
  expect(Date.parse(first)).toBeLessThan(at(late, '00:00').getTime())
  expect(await look()).toBe(1)
  expect(open(await offersTo(customer))).toEqual([first])
  later(40)
  expect([await look(), await letters()]).toEqual([0, 1])
})

test('a person released is heard of, and whoever is hired with hours of work', async () => {
  const { manager, technician } = people
  const { customer: first, visit } = await customerWithVisit(world, at(late, '09:00').toISOString())
  await assign(world, manager, visit, technician)
  const customer = await waiting('15:00')
  await look()
  const form = { intent: 'release', releaseReason: 'Se enfermó su hijo' }
  const { version } = await visitOf(world, first)
  const path = `/admin/assignations/${visit.id}`
  expect((await world.post(path, { ...form, version: String(version) }, manager)).status).toBe(303)
  expect(await look()).toBe(1)
  expect(await offersTo(customer)).toEqual([visit.startsAt])
  // An offer over, the next change is news again.
  later(40)
  await world.person({ kind: 'tecnician', name: 'Nora' })
  const earliest = await firstOpen()
  expect(await look()).toBe(1)
  expect(open(await offersTo(customer))).toEqual([earliest, visit.startsAt.toISOString()])
})

test('many starts open at once: each hears of one, the longest waiting first, and none is passed on', async () => {
  const all = []
  for (const time of ['09:00', '10:30', '12:00', '13:30']) all.push(await waiting(time))
  await look()
  await comesBack()
  expect(await look()).toBe(4)
  const heard = await Promise.all(all.map(offersTo))
  expect(heard.map(({ length }) => length)).toEqual([1, 1, 1, 1])
  expect(new Set(heard.flat().map(Number)).size).toBe(2)
  expect([await look(), await letters()]).toEqual([0, 4])
  const { rows } = await world.db.execute(sql`select 1 from pgboss.job where name = 'offer-freed-slot'`)
  expect(rows).toEqual([])
})

test('who thinks about one offer gets no other; a freed start waits for them', async () => {
  const customer = await waiting('12:00')
  await look()
  await comesBack()
  await look()
  const [offer] = await offersTo(customer)
  const startsAt = new Date(offer!.getTime() + hour).toISOString()
  expect(await offerFreedSlot(world.db, { service: 'technical_visit', startsAt }, new Date())).toBe(0)
  const { rows } = await world.db.execute<{ start_after: string }>(
    sql`select start_after from pgboss.job where name = 'offer-freed-slot'`,
  )
  expect(rows.map(({ start_after }) => Date.parse(start_after))).toEqual([Date.now() + hour / 2])
  later(31)
  expect(await offerFreedSlot(world.db, { service: 'technical_visit', startsAt }, new Date())).toBe(1)
})

test('at night nobody is written to: what opened is news in the morning', async () => {
  await waiting('12:00')
  await look()
  await comesBack()
  const evening = new Date()
  world.at(new Date(evening.getTime() + 10 * hour))
  expect(await look()).toBe(0)
  world.at(new Date(evening.getTime() + 21 * hour))
  expect([await look(), await letters()]).toEqual([1, 1])
})
