import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Service } from '../../../src/domain/appointments/appointment.ts'
import { toMinutes } from '../../../src/domain/shared/calendar.ts'
import { Refusal } from '../../../src/domain/shared/refusal.ts'
import { moveTo } from '../../../src/server/appointments/reschedule.ts'
import { lockAppointment } from '../../../src/server/appointments/transition.ts'
import { transaction } from '../../../src/server/platform/database/client.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import { lockingStaffing } from '../../../src/server/scheduling/choose.ts'
import { currentStaffing } from '../../../src/server/scheduling/roster.ts'
import { type Visit, visitOf } from '../../kit/appointments.ts'
import { rounds } from '../../kit/dice.ts'
import { openBare, sendJobsOnce, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { isDone, unexplained } from './answers.ts'
import { whatIsWrong } from './check.ts'
import { bookBy, crewOf, startsOn } from './town.ts'

vi.setConfig({ testTimeout: 120_000 * rounds(1) })

openBare()
sendJobsOnce()
let managers: Person[]
beforeAll(async () => {
  managers = [await world.person({ kind: 'manager' }), await world.person({ kind: 'manager' })]
})
// Each round has people of its own.
beforeEach(() => world.db.update(users).set({ active: false }).where(eq(users.kind, 'tecnician')))

const starts = startsOn(1)
const newCustomer = async () => {
  const customer = await world.person()
  const { projectId } = await world.home(customer)
  const paid = new Date()
  await world.db
    .update(projects)
    .set({ quoteAcceptedAt: paid, depositPaidAt: paid })
    .where(eq(projects.id, projectId))
  return customer
}
const newPerson = async () => (await crewOf(world, 'tecnician', 1))[0]!

/** Somebody with a visit at the nth start. */
async function booked(nth: number) {
  const customer = await newCustomer()
  expect(isDone(await bookBy(world, customer, 'technical_visit', starts[nth]!))).toBe(true)
  return { customer, visit: await visitOf(world, customer) }
}

const give = (visit: Visit, to: Person, by: Person) =>
  world.post(
    `/admin/assignations/${visit.id}.data`,
    {
      intent: 'give',
      version: String(visit.version),
      assigneeId: to.id,
      overrideReason: 'Lo pidió el cliente',
    },
    by,
  )

/** Moves a visit to the nth start with a person; whether that was done. */
async function moved({ customer, visit }: { customer: Person; visit: Visit }, nth: number, to: Person) {
  const staffing = await currentStaffing(world.db)
  const goal = { start: toMinutes(starts[nth]!), personId: to.id, staffing }
  const change = transaction(
    world.db,
    async (tx) =>
      moveTo(tx, customer.actor, await lockAppointment(tx, customer.actor, visit.id), goal, new Date()),
    lockingStaffing,
  )
  return change.then(
    (outcome) => !('against' in outcome),
    (error: unknown) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )
}

/** Shifts of the second start against the first, in half hours, that make the two overlap or unreachable. */
const shifts = [0, 1, 2]

test.each(shifts)(
  'two provisional appointments confirmed for one person at once, %i half hours apart: one wins',
  async (shift) => {
    for (let round = 0; round < rounds(4); round++) {
      await crewOf(world, 'tecnician', 2)
      const both = [await booked(2), await booked(2 + shift)]
      const wanted = await newPerson()
      const answers = await Promise.all(
        both.map(({ visit }, n) => {
          const form = { intent: 'give', version: String(visit.version), assigneeId: wanted.id }
          return world.post(`/admin/assignations/${visit.id}.data`, form, managers[n])
        }),
      )
      expect(answers.flatMap(unexplained)).toEqual([])
      expect(answers.filter(isDone)).toHaveLength(1)
    }
    expect(await whatIsWrong(world.db)).toEqual([])
  },
)

test.each(shifts)('a reassignment and a booking at once, %i half hours apart', async (shift) => {
  for (let round = 0; round < rounds(4); round++) {
    const first = await newPerson()
    const taken = await booked(4)
    expect(taken.visit.assigneeId).toBe(first.id)
    const free = await newPerson()
    const customer = await newCustomer()
    const answers = await Promise.all([
      give(taken.visit, free, managers[0]!),
      bookBy(world, customer, 'technical_visit', starts[4 + shift]!),
    ])
    expect(answers.flatMap(unexplained)).toEqual([])
    expect(answers.filter(isDone).length).toBeGreaterThan(0)
    await world.db.update(users).set({ active: false }).where(eq(users.kind, 'tecnician'))
  }
  expect(await whatIsWrong(world.db)).toEqual([])
})

test.each(shifts)(
  'a visit moved to a time that is being booked, %i half hours apart: one wins',
  async (shift) => {
    for (let round = 0; round < rounds(4); round++) {
      const only = await newPerson()
      const early = await booked(0)
      const customer = await newCustomer()
      const [isMoved, answer] = await Promise.all([
        moved(early, 8, only),
        bookBy(world, customer, 'technical_visit', starts[8 + shift]!),
      ])
      expect(unexplained(answer)).toEqual([])
      expect([isMoved, isDone(answer)].filter(Boolean)).toHaveLength(1)
      await world.db.update(users).set({ active: false }).where(eq(users.kind, 'tecnician'))
    }
    expect(await whatIsWrong(world.db)).toEqual([])
  },
)

test('installations against visits with shifted starts, all at once for one person', async () => {
  const wishes: [Service, number][] = [
    ...[0, 1, 3, 6, 10].map((nth): [Service, number] => ['installation', nth]),
    ...[2, 5, 7, 9, 12, 16].map((nth): [Service, number] => ['technical_visit', nth]),
  ]
  for (let round = 0; round < rounds(5); round++) {
    await newPerson()
    const customers = await Promise.all(wishes.map(newCustomer))
    const answers = await Promise.all(
      wishes.map(([service, nth], n) => bookBy(world, customers[n]!, service, starts[nth]!)),
    )
    expect(answers.flatMap(unexplained)).toEqual([])
    expect(answers.filter(isDone).length).toBeGreaterThan(0)
    await world.db.update(users).set({ active: false }).where(eq(users.kind, 'tecnician'))
  }
  expect(await whatIsWrong(world.db)).toEqual([])
})
