import { expect, test } from 'vitest'
import { addDays, minuteAt, toDate } from '../../../src/domain/shared/calendar.ts'
import { dateTime, localDay, longDate } from '../../../src/domain/shared/format.ts'
import { expectVisit, nothingBooked, visitOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { eventsOf, expectAnswered, expectShown } from '../../kit/reading.ts'
import { workday } from '../../kit/users.ts'
import { agendaFor, at, bookFor, startsFor } from './calling.ts'

openEach(() => world.home(people.customer))

const date = workday()
const clockOn = (date: string, time: string) => toDate(minuteAt(date, time))

test('an urgent hour of today is offered first and booked only with the box and a reason', async () => {
  const { customer } = people
  world.at(clockOn(date, '08:10'))
  const agenda = await agendaFor(customer, undefined, `&dia=${date}`)
  const urgent = agenda.slots.find(({ kind }) => kind === 'urgent')!.start
  expect(localDay(new Date(urgent))).toBe(date)
  expect(agenda.urgent).toBe(urgent)
  const hour = dateTime(new Date(urgent)).replace(/\s+/g, ' ')
  const link = `dia=${date}&amp;hora=${encodeURIComponent(urgent)}`
  expectShown(await world.visit(at(customer), people.manager), 200, `Urgente hoy ${hour}`, link)
  const form = { startsAt: urgent, overrideReason: 'Se quedó sin cargador' }
  await expectAnswered(bookFor(customer, form), 409)
  await expectAnswered(bookFor(customer, { ...form, override: 'on', overrideReason: 'x' }), 400)
  await nothingBooked(world)
  await expectAnswered(bookFor(customer, { ...form, override: 'on' }), 303)
  const visit = await visitOf(world, customer)
  expect(visit).toMatchObject({ state: 'assigned', overrideReason: 'Se quedó sin cargador' })
  expect(await eventsOf(world, visit)).toMatchObject([{ name: 'book', reason: 'Se quedó sin cargador' }])
})

test('offers nothing urgent once the day is over', async () => {
  world.at(clockOn(date, '22:00'))
  expect((await agendaFor(people.customer)).urgent).toBeNull()
})

test('a holiday and a day beyond the horizon open, and are booked with a reason', async () => {
  const { customer } = people
  const { days } = await agendaFor(customer)
  const horizon = days.findLast(({ free }) => free > 0)!.date
  const holiday = days.find(({ date, free, ruled }) => ruled && free === 0 && date < horizon)
  const beyond = days.find(({ date, ruled }) => ruled && date > horizon)!
  for (const { date } of holiday ? [holiday, beyond] : [beyond])
    expectShown(
      await world.visit(`${at(customer)}&dia=${date}`, people.manager),
      200,
      `${longDate(date)}, sin horas libres, con un motivo`,
    )
  const { date, slots } = await agendaFor(customer, undefined, `&dia=${beyond.date}`)
  expect(date).toBe(beyond.date)
  expect(slots.map(({ kind }) => kind)).not.toContain('free')
  const form = { startsAt: slots[0]!.start, overrideReason: 'Sale de viaje' }
  await expectAnswered(bookFor(customer, form), 409)
  await expectAnswered(bookFor(customer, { ...form, override: 'on' }), 303)
  await expectVisit({ overrideReason: 'Sale de viaje' }, customer)
})

test('any hour off the grid can be asked for, with who could and the rules against it, neither past nor years ahead', async () => {
  const { customer } = people
  const query = `&dia=${date}&hora=05:07`
  const agenda = await agendaFor(customer, undefined, query)
  const start = clockOn(date, '05:07').toISOString()
  expect(agenda).toMatchObject({ asked: start, date })
  const slot = agenda.slots.find((one) => one.start === start)!
  expect(slot.reasons).toContain('No es una hora de la agenda')
  const { text } = await world.visit(`${at(customer)}${query}`, people.manager)
  expect(text).toMatch(new RegExp(`value="${start}"[^>]*checked|checked=""[^>]*value="${start}"`))
  const form = {
    startsAt: start,
    assigneeId: slot.personId,
    override: 'on',
    overrideReason: 'Sale de viaje',
  }
  const on = (date: string) => bookFor(customer, { ...form, startsAt: clockOn(date, '10:00').toISOString() })
  expectShown(await on('2026-01-05'), 400, 'Esa hora ya pasó')
  expectShown(await on(addDays(date, 3 * 365)), 400, 'dentro de los próximos dos años')
  await nothingBooked(world)
  await expectAnswered(bookFor(customer, form), 303)
  await expectVisit({ assigneeId: slot.personId }, customer)
  await world.home(people.customer2)
  const taken = await agendaFor(people.customer2, undefined, `&con=${slot.personId}${query}`)
  expect(taken.slots.map((one) => one.start)).not.toContain(start)
})

test('refuses a person of another trade and an unknown one, whatever the reason', async () => {
  const { customer, analyst } = people
  const [startsAt] = await startsFor(customer)
  const form = { startsAt: startsAt!, override: 'on', overrideReason: 'Lo pide su cliente' }
  await expectAnswered(bookFor(customer, { ...form, assigneeId: analyst.id }), 409)
  await expectAnswered(bookFor(customer, { ...form, assigneeId: 'nadie' }), 400)
  await nothingBooked(world)
})
