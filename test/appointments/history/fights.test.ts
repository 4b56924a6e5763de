import { eq } from 'drizzle-orm'
import { moveTo } from '../../../src/appointments/reschedule.ts'
import type { Service } from '../../../src/appointments/rules/appointment.ts'
import { lockAppointment } from '../../../src/appointments/transition.ts'
import { transaction } from '../../../src/platform/database/client.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { lockingStaffing } from '../../../src/scheduling/choose.ts'
import { currentStaffing } from '../../../src/scheduling/roster.ts'
import { toMinutes } from '../../../src/shared/calendar.ts'
import { Refusal } from '../../../src/shared/refusal.ts'
import { type Visit, visitOf } from '../../kit/appointments.ts'
import { rounds } from '../../kit/dice.ts'
import { db, fixture, newPerson, openBare, sendJobsOnce } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import type { Answer } from '../../kit/visitor.ts'
import { makeReady } from '../booking/services.ts'
import { isDone, unexplained } from './answers.ts'
import { whatIsWrong } from './check.ts'
import { bookBy, startsOn, teamOf } from './town.ts'

vi.setConfig({ testTimeout: 120_000 * rounds(1) })

openBare()
sendJobsOnce()
let managers: Person[]
beforeAll(async () => {
  managers = [await newPerson({ kind: 'manager' }), await newPerson({ kind: 'manager' })]
})
afterEach(async () => expect(await whatIsWrong(db)).toEqual([]))

const starts = startsOn(1)
async function newCustomer() {
  const customer = await newPerson()
  await makeReady((await fixture.home(customer)).projectId)
  return customer
}
const newTechnician = async () => (await teamOf(fixture, 'tecnician', 1))[0]!
/** Each round has technicians of its own. */
async function inRounds(count: number, round: () => Promise<void>) {
  for (let n = 0; n < rounds(count); n++) {
    await db.update(users).set({ active: false }).where(eq(users.kind, 'tecnician'))
    await round()
  }
}
/** How many were done; the others must be refused in words. */
function doneOf(answers: Answer[]) {
  expect(answers.flatMap(unexplained)).toEqual([])
  return answers.filter(isDone).length
}

/** A customer with a visit at the nth start. */
async function booked(nth: number) {
  const customer = await newCustomer()
  expect(isDone(await bookBy(fixture, customer, 'technical_visit', starts[nth]!))).toBe(true)
  return { customer, visit: await visitOf(customer) }
}

const give = ({ id, version }: Visit, to: Person, by: Person, form = {}) =>
  fixture.post(
    `/admin/assignations/${id}.data`,
    { intent: 'give', version: String(version), assigneeId: to.id, ...form },
    by,
  )

/** Moves a visit to the nth start with a technician; whether that was done. */
async function moved({ customer, visit }: { customer: Person; visit: Visit }, nth: number, to: Person) {
  const staffing = await currentStaffing(db)
  const goal = { start: toMinutes(starts[nth]!), personId: to.id, staffing }
  try {
    const change = transaction(
      db,
      async (tx) =>
        moveTo(tx, customer.actor, await lockAppointment(tx, customer.actor, visit.id), goal, new Date()),
      lockingStaffing,
    )
    return !('against' in (await change))
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

// Half hours between the two starts that make them overlap or unreachable.
const shifts = [0, 1, 2]

test.each(shifts)(
  'of two visits confirmed for one technician at once, %i half hours apart, one is',
  (shift) =>
    inRounds(4, async () => {
      await teamOf(fixture, 'tecnician', 2)
      const both = [await booked(2), await booked(2 + shift)]
      const wanted = await newTechnician()
      const answers = both.map(({ visit }, n) => give(visit, wanted, managers[n]!))
      expect(doneOf(await Promise.all(answers))).toBe(1)
    }),
)

test.each(shifts)('a reassignment and a booking at once, %i half hours apart', (shift) =>
  inRounds(4, async () => {
    const first = await newTechnician()
    const { visit } = await booked(4)
    expect(visit.assigneeId).toBe(first.id)
    const free = await newTechnician()
    const customer = await newCustomer()
    const answers = await Promise.all([
      give(visit, free, managers[0]!, { overrideReason: 'Lo pidió el cliente' }),
      bookBy(fixture, customer, 'technical_visit', starts[4 + shift]!),
    ])
    expect(doneOf(answers)).toBeGreaterThan(0)
  }),
)

test.each(shifts)('of a move and a booking at once, %i half hours apart, one is done', (shift) =>
  inRounds(4, async () => {
    const only = await newTechnician()
    const early = await booked(0)
    const customer = await newCustomer()
    const [isMoved, answer] = await Promise.all([
      moved(early, 8, only),
      bookBy(fixture, customer, 'technical_visit', starts[8 + shift]!),
    ])
    expect(doneOf([answer]) + Number(isMoved)).toBe(1)
  }),
)

test('installations and visits with shifted starts booked at once for one technician', () =>
  inRounds(5, async () => {
    const bookings: [Service, number][] = [
      ...[0, 1, 3, 6, 10].map((nth): [Service, number] => ['installation', nth]),
      ...[2, 5, 7, 9, 12, 16].map((nth): [Service, number] => ['technical_visit', nth]),
    ]
    await newTechnician()
    const customers = await Promise.all(bookings.map(newCustomer))
    const answers = await Promise.all(
      bookings.map(([service, nth], n) => bookBy(fixture, customers[n]!, service, starts[nth]!)),
    )
    expect(doneOf(answers)).toBeGreaterThan(0)
  }))
