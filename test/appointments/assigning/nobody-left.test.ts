import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, daysFrom, isHoliday, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { confirmProvisional } from '../../../src/server/appointments/jobs.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import {
  around,
  assign,
  bookVisit,
  customer,
  customerWithVisit,
  hour,
  visit,
  visitOf,
} from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, readable, rowIn, trailOf } from '../../kit/reading.ts'
import { at } from '../../kit/users.ts'

/** Before a story moves the clock. */
const realNow = Date.now()

openEach(bookVisit)
sendJobs()

const now = () => visitOf(world, customer)
const versionOf = async ({ id }: Person) => (await rowIn(world, users, { id }))!.version

/** The manager's form that ends somebody's account here, with what becomes of the visit. */
const dismiss = async (who: Person, choice: Record<string, string> = {}) =>
  world.post(
    `/admin/users/${who.id}`,
    { intent: 'active', version: String(await versionOf(who)), active: 'no', ...choice },
    people.manager,
  )

test('a technician dismissed with visits: each is settled in the same form, and the customer hears of it', async () => {
  await assign(world, people.manager, visit, people.technician)
  const asked = await dismiss(people.technician)
  expect([asked.status, readable(asked).includes('1 cita por resolver')]).toEqual([409, true])
  expect((await now()).assigneeId).toBe(people.technician.id)
  expect((await dismiss(people.technician, { [`choice.${visit.id}`]: people.technician2.id })).status).toBe(
    303,
  )
  expect(await now()).toMatchObject({ state: 'assigned', assigneeId: people.technician2.id })
  expect((await world.visit('/admin', people.technician)).location).toBe('/signin')
  expect(
    (await emailsAbout(world, visit)).filter((letter) => letter === 'assigned to customer'),
  ).toHaveLength(2)
})

test('nobody left: the visit stands red without a person, both sides hear it once, and the manager still has a way', async () => {
  const { manager, technician, technician2 } = people
  await assign(world, manager, visit, technician)
  expect((await dismiss(technician2)).status).toBe(303)
  expect((await dismiss(technician, { [`choice.${visit.id}`]: 'release' })).status).toBe(303)
  expect(await now()).toMatchObject({ state: 'requested', assigneeId: null, confirmedAt: null })
  expect(await emailsAbout(world, visit)).toContain('no_person to customer')
  expect(readable(await world.visit('/admin/assignations', manager))).toContain('Sin persona')
  expect(readable(await world.visit('/technics-visit', customer))).toContain('Te avisamos quién te visita')

  world.at(around(visit, -hour / 2))
  for (let round = 0; round < 3; round++) await confirmProvisional(world.db, new Date())
  expect(await now()).toMatchObject({ state: 'requested', assigneeId: null })
  expect(
    (await trailOf(world, visit, 'appointment')).filter((name) => name === 'without_person'),
  ).toHaveLength(1)
  const noPerson = async () =>
    (await emailsAbout(world, visit)).filter((letter) => /^no_person to (customer|managers)$/.test(letter))
  // The customer heard it when the manager took the technician off.
  expect(await noPerson()).toEqual(['no_person to customer', 'no_person to managers'])

  // Somebody new is all it takes.
  const hired = await world.person({ kind: 'tecnician', name: 'Nora' })
  await confirmProvisional(world.db, new Date())
  expect(await now()).toMatchObject({ state: 'assigned', assigneeId: hired.id })

  // Taken off again, it is a new time without anybody: told again, once.
  expect((await dismiss(hired, { [`choice.${visit.id}`]: 'release' })).status).toBe(303)
  for (let round = 0; round < 2; round++) await confirmProvisional(world.db, new Date())
  expect((await noPerson()).toSorted()).toEqual([
    'no_person to customer',
    'no_person to customer',
    'no_person to managers',
    'no_person to managers',
  ])
})

test('a booking nobody touches is confirmed before its start, whoever was chosen for it', async () => {
  await world.db.update(users).set({ active: false }).where(eq(users.id, visit.assigneeId!))
  world.at(around(visit, -hour))
  await confirmProvisional(world.db, new Date())
  const confirmed = await now()
  expect(confirmed.state).toBe('assigned')
  expect(confirmed.assigneeId).not.toBe(visit.assigneeId)
  expect(await emailsAbout(world, visit)).toContain('assigned to customer')
})

test('booked on a Friday night for Monday, and touched by nobody: somebody goes', async () => {
  const { customer: late, visit: booked } = await fridayNight()
  const monday = at(fridayAhead(3), '00:00')
  const round = async (hours: number) => {
    world.at(around({ startsAt: monday }, hours * hour))
    await confirmProvisional(world.db, new Date())
    return visitOf(world, late)
  }
  // Saturday noon, Sunday noon, and Sunday at six in the evening.
  expect((await round(-36)).state).toBe('requested')
  expect((await round(-12)).state).toBe('requested')
  expect(await round(-6)).toMatchObject({ state: 'assigned', startsAt: booked.startsAt })
  expect((await trailOf(world, booked, 'appointment')).at(-1)).toBe('autoConfirm')
})

test('the same with nobody who could: it stands without a person, and customer and managers know', async () => {
  const { customer: late, visit: booked } = await fridayNight()
  await world.db.update(users).set({ active: false }).where(eq(users.kind, 'tecnician'))
  world.at(around(booked, -12 * hour))
  for (let round = 0; round < 3; round++) await confirmProvisional(world.db, new Date())
  expect(await visitOf(world, late)).toMatchObject({ state: 'requested', assigneeId: null })
  expect((await emailsAbout(world, booked)).filter((letter) => letter.startsWith('no_person'))).toEqual([
    'no_person to customer',
    'no_person to managers',
  ])
  expect(readable(await world.visit('/admin/assignations', people.manager))).toContain('Sin persona')
  expect((await world.visit(`/admin/assignations/${booked.id}`, people.manager)).status).toBe(200)
})

/** A Friday without a holiday on the Monday after it, some days ahead; `later` counts days from it. */
function fridayAhead(later = 0): string {
  const friday = daysFrom(toMinutes(new Date(realNow)), 40).find(
    ({ date, weekday }, ahead) => ahead > 3 && weekday === 4 && !isHoliday(addDays(date, 3), []),
  )!
  return addDays(friday.date, later)
}

async function fridayNight() {
  world.at(at(fridayAhead(), '22:00'))
  return customerWithVisit(world, at(fridayAhead(3), '10:00').toISOString())
}
