import type { Tx } from '../../../src/platform/database/client.ts'
import { assign, book, customerWithVisit, slots, visitsOf } from '../../kit/appointments.ts'
import { db, fixture, inParallel, newPerson, openBareEach, sendJobs } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { at, changes, type Outcome, tries, visitFor, workday } from '../../kit/users.ts'

openBareEach()
sendJobs()
let manager: Person
beforeEach(async () => {
  manager = await newPerson({ kind: 'manager' })
})

const technician = () => newPerson({ kind: 'tecnician' })
const crowd = (count: number) =>
  inParallel(count, async () => {
    const customer = await newPerson()
    await fixture.home(customer)
    return customer
  })

/** Appointments of people who are inactive or away. */
const unlawful = async () =>
  (
    await db.$client.query(`select folio from appointments join users on users.id = assignee_id
      where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused') and starts_at > now()
        and (not active or exists (select 1 from time_off where person_id = users.id and time_off.during && appointments.during))`)
  ).rows

/** Decides list by list until the change is accepted; returns how often it was refused. */
async function insists(
  change: (tx: Tx) => Promise<unknown>,
  choose: (one: Outcome['affected'][0]) => string,
) {
  let choices: Record<string, string> = {}
  for (let refusals = 0; refusals < 50; refusals++) {
    const { refused, affected } = await tries(manager.actor, change, { choices })
    if (!refused) return refusals
    choices = Object.fromEntries(affected.map((one) => [one.id, choose(one)]))
  }
  throw new Error('Never accepted.')
}

test('a deactivation while many book leaves no appointment with the inactive technician', async () => {
  await technician()
  const gone = await technician()
  const all = await crowd(30)
  const day = await slots(all[0]!)
  await visitFor(gone, at(workday(2), '10:00'))
  const bookings = all.map((customer, n) => book(customer, day[n % day.length]!))
  expect(await insists(changes.deactivate(gone), () => 'release')).toBeGreaterThan(0)
  expect(await unlawful()).toEqual([])
  for (const { status } of await Promise.all(bookings)) expect([303, 409]).toContain(status)
  expect(await unlawful()).toEqual([])
})

test('time off given while people book and the manager assigns keeps the day free, without a deadlock', async () => {
  const away = await technician()
  const stays = await technician()
  const all = await crowd(24)
  const day = await slots(all[0]!)
  const booked = await Promise.all([0, 6, 12].map((nth) => customerWithVisit(day[nth])))
  const deadlocks = async () => {
    const { rows } = await db.$client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return rows[0]!.deadlocks
  }
  const before = await deadlocks()
  const off = changes.off(away, at(day[0]!.slice(0, 10), '00:00'), at(day[0]!.slice(0, 10), '23:00'))
  await Promise.all([
    ...all.map((customer, n) => book(customer, day[n % day.length]!)),
    ...booked.map(({ visit }) => assign(manager, visit, away)),
    insists(off, ({ able }) => able[0]?.id ?? 'release'),
    ...booked.map(({ visit }) => assign(manager, visit, stays)),
  ])
  expect(await unlawful()).toEqual([])
  expect(await deadlocks()).toBe(before)
  expect((await Promise.all(booked.map(({ customer }) => visitsOf(customer)))).flat()).toHaveLength(3)
})

test('of two simultaneous changes the second is asked about what the first gave away', async () => {
  const one = await technician()
  const other = await technician()
  const third = await technician()
  const visit = await visitFor(one, at(workday(), '10:00'))
  const outcomes = await Promise.all([
    tries(manager.actor, changes.deactivate(one), { choices: { [visit.id]: other.id } }),
    tries(manager.actor, changes.deactivate(other), { choices: {} }),
  ])
  expect(outcomes.filter(({ refused }) => refused)).toHaveLength(1)
  expect(await unlawful()).toEqual([])
  await insists(changes.deactivate(other), () => third.id)
  expect(await unlawful()).toEqual([])
})
