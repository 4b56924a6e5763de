import { expect, test } from 'vitest'
import { addDays, isHoliday, minuteAt, toDate } from '../../../src/domain/shared/calendar.ts'
import { dateTime, localDay, longDate, weekdayColumn } from '../../../src/domain/shared/format.ts'
import { nothingBooked, occupy, visitOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { eventsOf, readable } from '../../kit/reading.ts'
import { agendaFor, at, bookFor, startsFor } from './calling.ts'

openEach()

/** A Wednesday on which we work, a week from now or more. */
function workday(): string {
  const first = addDays(localDay(new Date()), 7)
  const dates = Array.from({ length: 21 }, (_, days) => addDays(first, days))
  return dates.find((date) => weekdayColumn(date) === 2 && !isHoliday(date, []))!
}
const clockOn = (date: string, time: string) => toDate(minuteAt(date, time))

async function neighbour() {
  const other = await world.person()
  await world.home(other)
  return other
}

test('with one person: theirs, confirmed; busy, the next hours are offered', async () => {
  const { customer, technician2 } = people
  await world.home(customer)
  const { slots: shown } = await agendaFor(customer, undefined, `&con=${technician2.id}`)
  expect(new Set(shown.map(({ personId }) => personId))).toEqual(new Set([technician2.id]))
  const start = shown.find(({ kind }) => kind === 'free')!.start
  await occupy(world, technician2, new Date(start))
  const form = { startsAt: start, assigneeId: technician2.id }
  const late = await bookFor(customer, form)
  expect([late.status, readable(late)]).toEqual([409, expect.stringContaining('Estos están libres')])
  const { slots: left } = await agendaFor(customer, undefined, `&con=${technician2.id}`)
  const next = left.find(({ kind }) => kind === 'free')!.start
  expect((await bookFor(customer, { ...form, startsAt: next })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ state: 'assigned', assigneeId: technician2.id })
})

test('urgent today: named first, and booked only with the box and a reason, which the history keeps', async () => {
  const { customer } = people
  await world.home(customer)
  const date = workday()
  world.at(clockOn(date, '08:10'))
  const agenda = await agendaFor(customer, undefined, `&dia=${date}`)
  const urgent = agenda.slots.find(({ kind }) => kind === 'urgent')!
  expect(localDay(new Date(urgent.start))).toBe(date)
  expect(agenda.urgent).toBe(urgent.start)
  const page = await world.visit(at(customer), people.manager)
  const hour = dateTime(new Date(urgent.start)).replace(/\s+/g, ' ')
  expect(readable(page)).toContain(`Urgente hoy ${hour}`)
  expect(page.text).toContain(`dia=${date}&amp;hora=${encodeURIComponent(urgent.start)}`)
  const form = { startsAt: urgent.start, overrideReason: 'Se quedó sin cargador' }
  expect((await bookFor(customer, form)).status).toBe(409)
  expect((await bookFor(customer, { ...form, override: 'on', overrideReason: 'x' })).status).toBe(400)
  await nothingBooked(world)
  expect((await bookFor(customer, { ...form, override: 'on' })).status).toBe(303)
  const visit = await visitOf(world, customer)
  expect(visit).toMatchObject({ state: 'assigned', overrideReason: 'Se quedó sin cargador' })
  expect(await eventsOf(world, visit.id, 'appointment')).toMatchObject([
    { name: 'book', reason: 'Se quedó sin cargador' },
  ])
})

test('nothing is urgent once the day is over', async () => {
  const { customer } = people
  await world.home(customer)
  world.at(clockOn(workday(), '22:00'))
  expect((await agendaFor(customer)).urgent).toBeNull()
})

test('a holiday and a day beyond the horizon can be opened, and booked with a reason', async () => {
  const { customer } = people
  await world.home(customer)
  const { days } = await agendaFor(customer)
  const horizon = days.findLast(({ free }) => free > 0)!.date
  const holiday = days.find(({ date, free, ruled }) => ruled && free === 0 && date < horizon)
  const beyond = days.find(({ date, ruled }) => ruled && date > horizon)!
  for (const day of [holiday, beyond].filter((one) => one !== undefined)) {
    const page = await world.visit(`${at(customer)}&dia=${day.date}`, people.manager)
    expect(page.text).toContain(`${longDate(day.date)}, sin horas libres, con un motivo`)
  }
  const { date, slots: shown } = await agendaFor(customer, undefined, `&dia=${beyond.date}`)
  expect(date).toBe(beyond.date)
  expect(shown.map(({ kind }) => kind)).not.toContain('free')
  const form = { startsAt: shown[0]!.start, overrideReason: 'Sale de viaje' }
  expect((await bookFor(customer, form)).status).toBe(409)
  expect((await bookFor(customer, { ...form, override: 'on' })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ overrideReason: 'Sale de viaje' })
})

test('any hour, off the grid and out of hours: with who could, against which rules, and only to come', async () => {
  const { customer } = people
  await world.home(customer)
  const date = workday()
  const agenda = await agendaFor(customer, undefined, `&dia=${date}&hora=05:07`)
  const start = clockOn(date, '05:07').toISOString()
  expect(agenda).toMatchObject({ asked: start, date })
  const slot = agenda.slots.find((one) => one.start === start)!
  expect(slot.reasons).toContain('No es una hora de la agenda')
  const page = await world.visit(`${at(customer)}&dia=${date}&hora=05:07`, people.manager)
  expect(page.text).toMatch(new RegExp(`value="${start}"[^>]*checked|checked=""[^>]*value="${start}"`))
  const form = { startsAt: start, override: 'on', overrideReason: 'Sale de viaje' }
  const past = await bookFor(customer, { ...form, startsAt: clockOn('2026-01-05', '10:00').toISOString() })
  expect([past.status, readable(past)]).toEqual([400, expect.stringContaining('Esa hora ya pasó')])
  const far = await bookFor(customer, { ...form, startsAt: clockOn('2126-01-05', '10:00').toISOString() })
  expect([far.status, readable(far)]).toEqual([
    400,
    expect.stringContaining('dentro de los próximos dos años'),
  ])
  await nothingBooked(world)
  expect((await bookFor(customer, form)).status).toBe(303)
  const taken = await agendaFor(await neighbour(), undefined, `&con=${slot.personId}&dia=${date}&hora=05:07`)
  expect(taken.slots.map((one) => one.start)).not.toContain(start)
})

test('nobody on leave, and nobody of another trade, whatever the reason', async () => {
  const { customer, analyst } = people
  await world.home(customer)
  const [startsAt] = await startsFor(customer)
  const form = { startsAt: startsAt!, override: 'on', overrideReason: 'Lo pide su cliente' }
  expect((await bookFor(customer, { ...form, assigneeId: analyst.id })).status).toBe(409)
  expect((await bookFor(customer, { ...form, assigneeId: 'nadie' })).status).toBe(400)
  await nothingBooked(world)
})
