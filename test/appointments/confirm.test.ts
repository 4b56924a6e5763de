import { expect, test } from 'vitest'
import { localDate, minuteAt, toDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { confirmProvisional } from '../../src/server/appointments/jobs.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import {
  agendaOf,
  around,
  book,
  customerWithVisit,
  hour,
  minute,
  type Visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, loaded, readable, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

const stored = (): Promise<Visit[]> => world.db.select().from(appointments)
/** Six in the evening before a visit. */
const evening = ({ startsAt }: Visit) => toDate(minuteAt(localDate(toMinutes(startsAt) - 1440), '18:00'))

test('a week without a manager: nobody is left without a person at the start', {
  timeout: 60_000,
}, async () => {
  await world.person({ kind: 'tecnician' })
  const from = new Date()
  const { days } = await agendaOf(world, await newcomer())
  const week = days.filter(({ free }) => free > 0).slice(0, 6)
  for (const { date } of week)
    for (const nth of [0, 3, 7]) {
      const customer = await newcomer()
      const { starts } = (await agendaOf(world, customer, date)).chosen
      expect((await book(world, customer, starts[nth % starts.length]!)).status).toBe(303)
    }
  const booked = await stored()
  expect(booked.length).toBe(week.length * 3)
  const last = Math.max(...booked.map(({ startsAt }) => startsAt.getTime()))
  for (let now = from.getTime(); now < last; now += hour) {
    await confirmProvisional(world.db, new Date(now))
    for (const { startsAt, state } of await stored())
      if (startsAt.getTime() <= now + hour) expect(state).toBe('assigned')
  }
  for (const visit of await stored()) {
    expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'autoConfirm'])
    expect(visit.confirmedAt!.getTime()).toBeLessThanOrEqual(evening(visit).getTime() + hour)
  }
})

async function newcomer() {
  const customer = await world.person()
  await world.home(customer)
  return customer
}

test('not before six in the evening; then by the system, with a letter, and once', async () => {
  const { customer, visit } = await customerWithVisit(world)
  const six = evening(visit)
  const none = { confirmed: 0, replaced: 0, withoutPerson: 0 }
  expect(await confirmProvisional(world.db, new Date(six.getTime() - minute))).toEqual(none)
  expect(await visitOf(world, customer)).toEqual(visit)
  const runs = await Promise.all([1, 2, 3].map(() => confirmProvisional(world.db, six)))
  expect(runs.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBe(1)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'assigned',
    assigneeId: visit.assigneeId,
    confirmedAt: six,
  })
  const [, event, ...more] = await eventsOf(world, visit.id, 'appointment')
  expect(event).toMatchObject({
    name: 'autoConfirm',
    actorId: null,
    fromState: 'requested',
    toState: 'assigned',
  })
  expect(more).toEqual([])
  expect(await emailsAbout(world, visit)).toEqual([
    'booked to customer',
    'assigned to customer',
    'assigned to person',
  ])
  const { technician, technician2 } = people
  const mine = visit.assigneeId === technician.id ? technician : technician2
  expect((await world.visit('/admin/appointments-pending', mine)).text).toContain(visit.folio)
  expect(readable(await world.visit('/technics-visit', customer))).toContain(`${mine.name} Prueba`)
  const board = await world.data('/admin/assignations', people.manager)
  expect(loaded<{ queue: unknown[] }>(board, 'scheduling/assignations').queue).toEqual([])
})

test('a person who cannot any more is replaced by the best other', async () => {
  const { technician, technician2 } = people
  const { customer, visit } = await customerWithVisit(world)
  await setActive(visit.assigneeId!, false)
  const outcome = await confirmProvisional(world.db, evening(visit))
  expect(outcome).toEqual({ confirmed: 0, replaced: 1, withoutPerson: 0 })
  const other = visit.assigneeId === technician.id ? technician2 : technician
  expect(await visitOf(world, customer)).toMatchObject({ state: 'assigned', assigneeId: other.id })
  const [, event] = await eventsOf(world, visit.id, 'appointment')
  expect(event!.data).toEqual({ from: visit.assigneeId, assigneeId: other.id })
})

const setActive = (id: string, active: boolean) =>
  world.db.$client.query('update users set active = $2 where id = $1', [id, active])

test('nobody can: letters once to both sides, shown to the manager; a person who appears gets it', async () => {
  const { technician, technician2, manager } = people
  const { customer, visit } = await customerWithVisit(world)
  for (const { id } of [technician, technician2]) await setActive(id, false)
  const six = evening(visit)
  expect(await confirmProvisional(world.db, six)).toMatchObject({ withoutPerson: 1 })
  expect(await confirmProvisional(world.db, new Date(six.getTime() + hour))).toMatchObject({
    withoutPerson: 0,
  })
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'requested',
    assigneeId: null,
    confirmedAt: null,
  })
  const letters = await emailsAbout(world, visit)
  expect(letters.slice(1).toSorted()).toEqual(['no_person to customer', 'no_person to managers'])
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'without_person'])
  const list = readable(await world.visit('/admin/assignations', manager))
  expect(list).toContain(visit.folio)
  expect(list).toContain('Sin persona')
  const page = readable(await world.visit(`/admin/assignations/${visit.id}`, manager))
  expect(page).toContain('Nadie puede tomarla a esa hora.')
  await setActive(technician2.id, true)
  expect(await confirmProvisional(world.db, around(visit, -2 * hour))).toMatchObject({ replaced: 1 })
  expect(await visitOf(world, customer)).toMatchObject({ state: 'assigned', assigneeId: technician2.id })
})

test('what the manager settled is left alone', async () => {
  const { manager, technician } = people
  const { customer, visit } = await customerWithVisit(world)
  const form = { intent: 'give', version: '1', assigneeId: technician.id }
  await world.post(`/admin/assignations/${visit.id}`, form, manager)
  const before = await visitOf(world, customer)
  expect(await confirmProvisional(world.db, evening(visit))).toMatchObject({ confirmed: 0, replaced: 0 })
  expect(await visitOf(world, customer)).toEqual(before)
})
