import { timeOff } from '../../../src/platform/database/schema/accounts.ts'
import { moveOffers } from '../../../src/platform/database/schema/appointments.ts'
import { addDays, localDate, toMinutes } from '../../../src/shared/calendar.ts'
import { hour, occupy, type Visit } from '../../kit/appointments.ts'
import {
  customer,
  db,
  eventsAbout,
  expectEmails,
  expectScreen,
  fixture,
  gester,
  manager,
  openEach,
  people,
  rowsWhere,
  runSql,
  sentAbout,
  storeRows,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectPage, expectStatuses, expectWords, readable } from '../../kit/reading.ts'
import { absenceOf, bestOf, confirms } from '../../kit/scheduling.ts'
import { at, provisional, now as stored, visitFor, workday } from '../../kit/users.ts'

const day = workday()
let technician: Person
/** The technician's, at ten and at three; at ten the other technician has another one. */
let early: Visit
let late: Visit

openEach(async () => {
  technician = people.technician
  early = await visitFor(technician, at(day, '10:00'))
  late = await visitFor(technician, at(day, '15:00'))
  await occupy(technician2, at(day, '10:00'))
})

const shown = (dates = day, by = manager) => absenceOf(by, technician, dates)
const best = async (dates = day) => bestOf((await shown(dates)).plan)
const confirm = async (form: Record<string, string> = {}, dates = day, by = manager) =>
  confirms(by, technician, dates, { ...(await best(dates)), ...form })
const absences = () => rowsWhere(timeOff, { personId: technician.id })
const offers = () => rowsWhere(moveOffers)
const permit = async (from: Date, to: Date) => {
  const during = `[${from.toISOString()},${to.toISOString()})`
  await storeRows(timeOff, { personId: technician.id, during, approvedAt: new Date() })
}

test('proposes the least disruption first, explained, without changing anything', async () => {
  const { plan } = await shown()
  expect(plan.visits.map(({ id }) => id)).toEqual([late.id, early.id])
  expect(plan.visits[0]!.options[0]).toMatchObject({
    personId: technician2.id,
    isOffer: false,
    start: toMinutes(late.startsAt),
    harm: { total: 120 },
  })
  const { harm, isOffer } = plan.visits[1]!.options[0]!
  expect([isOffer, harm.total]).toEqual([true, harm.minutes + 120])
  expect(await absences()).toEqual([])
  expect(await eventsAbout(early.id, 'appointment')).toEqual([])
})

test('records the absence, reassigns what can keep its time and offers the customer of the rest another', async () => {
  const answer = await confirm({ reason: 'Gripe' })
  expect(answer.status).toBe(303)
  expect(await stored(late, fixture)).toMatchObject({ assigneeId: technician2.id, state: 'assigned' })
  expect(await sentAbout(late)).toContain('assigned to customer')
  const { startsAt } = early
  expect(await stored(early, fixture)).toMatchObject({ assigneeId: null, state: 'requested', startsAt })
  // The offer is the customer's e-mail, and no history says why the technician is away.
  await expectEmails(early, ['no_person to person'])
  expect(JSON.stringify(await eventsAbout(early.id, 'appointment'))).not.toContain('Gripe')
  expect(await absences()).toMatchObject([{ reason: 'Gripe', approvedBy: manager.id }])
  expect(await shown()).toMatchObject({
    plan: { recorded: { isOwn: true, reason: 'Gripe' }, visits: [] },
    offers: [{ appointmentId: early.id, standing: 'sent', customer: 'Camila Prueba' }],
  })
  await expectScreen(answer.location!, manager, 'Sin respuesta')
})

test('e-mails an offer made at night in the morning', async () => {
  const night = at(localDate(toMinutes(new Date())), '23:00')
  fixture.at(night)
  await confirm()
  const { rows } = await runSql<{
    start_after: string
  }>`select start_after from pgboss.job where data ->> 'letter' = 'move_offer'`
  expect(rows.map(({ start_after }) => new Date(start_after))).toEqual([new Date(night.getTime() + 9 * hour)])
})

test('records one absence and one offer when sent twice at once', async () => {
  expectStatuses(await Promise.all([confirm(), confirm()]), 303, 409)
  expect([(await absences()).length, (await offers()).length]).toEqual([1, 1])
})

test('refuses a second manager with who was first and what was offered, and keeps what they typed', async () => {
  const second = await fixture.person({ kind: 'manager', name: 'Marta' })
  const form = await best()
  await confirm({ reason: 'Gripe' })
  const lost = await confirms(second, technician, day, { ...form, reason: 'Fiebre' })
  expect(lost.status).toBe(409)
  expectWords(
    readable(lost),
    `${manager.name} Prueba la registró antes que tú`,
    'Esto escribiste: «Fiebre»',
    'Sin respuesta',
  )
  expect(await absences()).toMatchObject([{ reason: 'Gripe' }])
  const { recorded } = (await shown(day, second)).plan
  expect(recorded).toMatchObject({ by: `${manager.name} Prueba`, isOwn: false })
})

test('refuses the whole form when a time was taken, an offer is gone or a visit was added meanwhile', async () => {
  const { plan } = await shown()
  const send = () => confirms(manager, technician, day, bestOf(plan))
  await occupy(technician2, late.startsAt)
  expectPage(await send(), 409, 'Ya tiene otra cita a esa hora')
  const { personId, start } = plan.visits[1]!.options[0]!
  await occupy({ id: personId } as Person, new Date(start * 60_000))
  expectPage(await send(), 409, 'Ese horario ya no se puede')
  const added = await visitFor(technician, at(day, '12:00'))
  await expectAnswered(send(), 409)
  for (const visit of [early, late, added])
    expect((await stored(visit, fixture)).assigneeId).toBe(technician.id)
  expect([await absences(), await offers()]).toEqual([[], []])
})

test('an absence begins when an appointment under way is over', async () => {
  fixture.at(at(day, '09:45'))
  await db.$client.query(`update appointments set state = 'en_route' where id = $1`, [early.id])
  expect((await shown()).plan).toMatchObject({ visits: { length: 1 }, underWay: { length: 1 } })
  await expectAnswered(confirm(), 303)
  expect((await absences())[0]!.during).toContain(at(day, '11:00').toISOString().slice(11, 16))
})

test('an absence is refused while a permit covers part of the day, and recorded by one that covers the rest', async () => {
  await permit(at(day, '15:00'), at(addDays(day, 1), '00:00'))
  expect((await shown()).plan.recorded).toBeNull()
  for (const dates of [day, `${day}..${workday(1)}`])
    expectPage(await confirm({}, dates), 409, 'Quítalo primero')
  expect(await stored(early, fixture)).toEqual(early)
  expect(await absences()).toHaveLength(1)
  fixture.at(at(day, '16:00'))
  expect((await shown()).plan.recorded).not.toBeNull()
})

test('an absence of several days covers all their appointments, and none after', async () => {
  const next = workday(1)
  const dates = `${day}..${next}`
  const second = await visitFor(technician, at(next, '10:00'), provisional)
  const after = await visitFor(technician, at(workday(2), '10:00'))
  const { plan } = await shown(dates)
  expect(plan.visits.map(({ id }) => id).toSorted()).toEqual([early.id, late.id, second.id].toSorted())
  expect(plan.boards.map((board) => board.day.date)).toEqual([day, next])
  const from = at(day, '00:00')
  const to = at(addDays(next, 1), '00:00')
  expect(
    plan.visits
      .flatMap(({ options }) => options.filter((one) => one.personId === technician.id))
      .every(({ start }) => start < toMinutes(from) || start >= toMinutes(to)),
  ).toBe(true)

  const location = expect.stringContaining(`hasta=${next}`)
  expect(await confirm({ reason: 'Cirugía' }, dates)).toMatchObject({ status: 303, location })
  for (const visit of [late, second])
    expect(await stored(visit, fixture)).toMatchObject({
      assigneeId: technician2.id,
      state: 'assigned',
      confirmedAt: expect.any(Date),
    })
  expect(await stored(early, fixture)).toMatchObject({ assigneeId: null, state: 'requested' })
  expect(await stored(after, fixture)).toEqual(after)
  const [absence, ...more] = await absences()
  expect(more).toEqual([])
  for (const moment of [from, to])
    expect(absence!.during).toContain(moment.toISOString().slice(0, 16).replace('T', ' '))
  for (const [seen, settled] of [
    [dates, [late, second]],
    [next, [second]],
  ] as const)
    expect(await shown(seen)).toMatchObject({
      plan: { recorded: { reason: 'Cirugía' }, visits: [] },
      settled: settled.map(({ id }) => ({ id, assignee: expect.stringContaining(technician2.name!) })),
    })
  expect((await shown(dates)).offers.map(({ appointmentId }) => appointmentId)).toEqual([early.id])
})

test.each([
  ['one day', -3, 0],
  ['31 days', 300, 30],
])('an absence with an end out of range is one of %s', async (_, until, days) => {
  const { plan } = await shown(`${day}..${addDays(day, until)}`)
  expect(plan).toMatchObject({ date: day, until: addDays(day, days) })
})

test('refuses an absence of people without appointments, and an unknown choice', async () => {
  for (const id of ['x', gester.id, customer.id])
    await expectAnswered(fixture.data(`/admin/assignations/ausencia?persona=${id}`, manager), 404)
  expectPage(await confirm({ [`choice.${early.id}`]: 'keep' }), 400, 'Elige qué hacer con esta cita')
  expect(await absences()).toEqual([])
})
