import { expect, test } from 'vitest'
import { localDate, minuteAt, toDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { confirmProvisional } from '../../src/server/appointments/jobs.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import {
  agendaOf,
  around,
  book,
  bookVisit,
  customer,
  expectVisit,
  hour,
  minute,
  type Visit,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { expectScreen, expectTrail, openEach, people, sendJobs, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, expectAnswered, loaded } from '../kit/reading.ts'
import { changeActive } from '../kit/users.ts'

openEach(bookVisit)
sendJobs()

/** Six in the evening before a visit. */
const evening = ({ startsAt }: Visit) => toDate(minuteAt(localDate(toMinutes(startsAt) - 1440), '18:00'))
const confirm = (at: Date) => confirmProvisional(world.db, at)
const now = () => visitOf(world, customer)
const setActive = (id: string, active: boolean) =>
  world.db.$client.query('update users set active = $2 where id = $1', [id, active])
const others = () => {
  const { technician, technician2 } = people
  return visit.assigneeId === technician.id ? [technician, technician2] : [technician2, technician]
}

test('without a manager every booking of a week has a technician an hour before its start', async () => {
  await world.person({ kind: 'tecnician' })
  const from = Date.now()
  const newcomer = async () => {
    const customer = await world.person()
    await world.home(customer)
    return customer
  }
  const { days } = await agendaOf(world, await newcomer())
  const week = days.filter(({ free }) => free > 0).slice(0, 6)
  for (const { date } of week)
    for (const nth of [0, 3, 7]) {
      const customer = await newcomer()
      const { starts } = (await agendaOf(world, customer, date)).chosen
      await expectAnswered(book(world, customer, starts[nth % starts.length]!), 303)
    }
  const stored = (): Promise<Visit[]> => world.db.select().from(appointments)
  const last = Math.max(...(await stored()).map(({ startsAt }) => startsAt.getTime()))
  for (let now = from; now < last; now += hour) {
    await confirm(new Date(now))
    for (const { startsAt, state } of await stored())
      if (startsAt.getTime() <= now + hour) expect(state).toBe('assigned')
  }
  const booked = await stored()
  expect(booked).toHaveLength(week.length * 3 + 1)
  for (const visit of booked) {
    await expectTrail(visit, ['book', 'autoConfirm'])
    expect(visit.confirmedAt!.getTime()).toBeLessThanOrEqual(evening(visit).getTime() + hour)
  }
})

test('confirms at six in the evening before, once, with emails', async () => {
  const six = evening(visit)
  const none = { confirmed: 0, replaced: 0, withoutPerson: 0 }
  expect(await confirm(around({ startsAt: six }, -minute))).toEqual(none)
  expect(await now()).toEqual(visit)
  const runs = await Promise.all([1, 2, 3].map(() => confirm(six)))
  expect(runs.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBe(1)
  await expectVisit({ state: 'assigned', assigneeId: visit.assigneeId, confirmedAt: six })
  expect((await eventsOf(world, visit)).slice(1)).toMatchObject([
    { name: 'autoConfirm', actorId: null, fromState: 'requested', toState: 'assigned' },
  ])
  expect(await emailsAbout(world, visit)).toEqual([
    'booked to customer',
    'assigned to customer',
    'assigned to person',
  ])
  const [mine] = others()
  expect((await world.data('/admin/appointments-pending', mine)).text).toContain(visit.folio)
  await expectScreen('/technics-visit', customer, `${mine!.name} Prueba`)
  const board = await world.data('/admin/assignations', people.manager)
  expect(loaded<{ queue: unknown[] }>(board, 'scheduling/assignations').queue).toEqual([])
})

test('replaces a technician who is not available any more', async () => {
  await setActive(visit.assigneeId!, false)
  expect(await confirm(evening(visit))).toEqual({ confirmed: 0, replaced: 1, withoutPerson: 0 })
  const assigneeId = others()[1]!.id
  await expectVisit({ state: 'assigned', assigneeId })
  expect((await eventsOf(world, visit))[1]!.data).toEqual({ from: visit.assigneeId, assigneeId })
})

test('without an available technician notifies customer and managers once each time, and confirms one who appears', async () => {
  const { manager } = people
  for (const { id } of others()) await setActive(id, false)
  const six = evening(visit)
  expect(await confirm(six)).toMatchObject({ withoutPerson: 1 })
  expect(await confirm(around({ startsAt: six }, hour))).toMatchObject({ withoutPerson: 0 })
  await expectVisit({ state: 'requested', assigneeId: null, confirmedAt: null })
  expect((await emailsAbout(world, visit, 'no_person')).toSorted()).toEqual([
    'no_person to customer',
    'no_person to managers',
  ])
  await expectTrail(visit, ['book', 'without_person'])
  await expectScreen('/admin/assignations', manager, visit.folio, 'Sin persona')
  await expectScreen(`/admin/assignations/${visit.id}`, manager, 'Nadie puede tomarla a esa hora.')
  const [, second] = others()
  await setActive(second!.id, true)
  expect(await confirm(around(visit, -2 * hour))).toMatchObject({ replaced: 1 })
  await expectVisit({ state: 'assigned', assigneeId: second!.id })
  await expectAnswered(
    changeActive(world, manager, second!, 'no', { [`choice.${visit.id}`]: 'release' }),
    303,
  )
  for (let round = 0; round < 2; round++) await confirm(around(visit, -hour))
  expect((await emailsAbout(world, visit, 'no_person')).toSorted()).toEqual([
    'no_person to customer',
    'no_person to customer',
    'no_person to managers',
    'no_person to managers',
    'no_person to person',
  ])
})
