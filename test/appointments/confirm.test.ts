import { confirmProvisional } from '../../src/appointments/jobs.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../../src/shared/calendar.ts'
import {
  around,
  bookVisit,
  customer,
  expectVisit,
  hour,
  minute,
  occupy,
  type Visit,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import {
  db,
  eventsAbout,
  expectEmails,
  expectTrail,
  manager,
  openEach,
  sendJobs,
  sentAbout,
  setRow,
  technician,
  technician2,
} from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import { changeActive } from '../kit/users.ts'

openEach(bookVisit)
sendJobs()

/** Six in the evening before a visit. */
const evening = ({ startsAt }: Visit) => toDate(minuteAt(localDate(toMinutes(startsAt) - 1440), '18:00'))
const confirm = (at: Date) => confirmProvisional(db, at)
const now = () => visitOf(customer)
const setActive = (id: string, active: boolean) =>
  db.$client.query('update users set active = $2 where id = $1', [id, active])
const others = () => {
  return visit.assigneeId === technician.id ? [technician, technician2] : [technician2, technician]
}

test('confirms at six in the evening before, once, with emails', async () => {
  const six = evening(visit)
  const none = { confirmed: 0, replaced: 0, withoutPerson: 0 }
  expect(await confirm(around({ startsAt: six }, -minute))).toEqual(none)
  expect(await now()).toEqual(visit)
  const runs = await Promise.all([confirm(six), confirm(six), confirm(six)])
  expect(runs.map(({ confirmed }) => confirmed).toSorted()).toEqual([0, 0, 1])
  await expectVisit({ state: 'assigned', assigneeId: visit.assigneeId, confirmedAt: six })
  expect((await eventsAbout(visit)).slice(1)).toMatchObject([
    { name: 'autoConfirm', actorId: null, fromState: 'requested', toState: 'assigned' },
  ])
  await expectEmails(visit, ['booked to customer', 'assigned to customer', 'assigned to person'])
})

test('replaces a technician who is not available any more', async () => {
  await setActive(visit.assigneeId!, false)
  expect(await confirm(evening(visit))).toEqual({ confirmed: 0, replaced: 1, withoutPerson: 0 })
  const assigneeId = others()[1]!.id
  await expectVisit({ state: 'assigned', assigneeId })
  expect((await eventsAbout(visit))[1]!.data).toEqual({ from: visit.assigneeId, assigneeId })
})

test('confirms a technician who is only late with the visit before, where no one else is free', async () => {
  for (const person of others()) {
    const before = await occupy(person, around(visit, -2 * hour))
    await setRow(appointments, before.id, { state: 'in_progress', startedAt: before.startsAt })
  }
  expect(await confirm(around(visit, -20 * minute))).toEqual({ confirmed: 1, replaced: 0, withoutPerson: 0 })
  await expectVisit({ state: 'assigned', assigneeId: visit.assigneeId })
})

test('without an available technician notifies customer and managers once each time, and confirms one who appears', async () => {
  for (const { id } of others()) await setActive(id, false)
  const six = evening(visit)
  expect(await confirm(six)).toMatchObject({ withoutPerson: 1 })
  expect(await confirm(around({ startsAt: six }, hour))).toMatchObject({ withoutPerson: 0 })
  await expectVisit({ state: 'requested', assigneeId: null, confirmedAt: null })
  expect((await sentAbout(visit, 'no_person')).toSorted()).toEqual([
    'no_person to customer',
    'no_person to managers',
  ])
  await expectTrail(visit, ['book', 'without_person'])
  const [, second] = others()
  await setActive(second!.id, true)
  expect(await confirm(around(visit, -2 * hour))).toMatchObject({ replaced: 1 })
  await expectVisit({ state: 'assigned', assigneeId: second!.id })
  await expectAnswered(changeActive(manager, second!, 'no', { [`choice.${visit.id}`]: 'release' }), 303)
  for (let round = 0; round < 2; round++) await confirm(around(visit, -hour))
  expect((await sentAbout(visit, 'no_person')).toSorted()).toEqual([
    'no_person to customer',
    'no_person to customer',
    'no_person to managers',
    'no_person to managers',
    'no_person to person',
  ])
})
