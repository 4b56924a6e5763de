import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addDays, isHoliday, minuteAt, toDate } from '../../../src/domain/shared/calendar.ts'
import {
  agenda,
  agendaOf,
  book,
  customerWithVisit,
  nothingBooked,
  slots,
  visitsOf,
} from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { readable } from '../../kit/reading.ts'

openEach()

const at = (date: string, time: string) => toDate(minuteAt(date, time)).toISOString()

describe('a slot that is gone', () => {
  test('is refused with the three nearest that are really free, and the notes are kept', async () => {
    const { customer } = people
    await world.home(customer)
    const [, , , , start] = await slots(world, customer)
    const date = start!.slice(0, 10)
    await customerWithVisit(world, start)
    await customerWithVisit(world, start)
    const answer = await book(world, customer, start!, { notes: 'Tocar "fuerte" <b>' })
    expect(answer.status).toBe(409)
    expect(readable(answer)).toContain('Ese horario se acaba de ocupar.')
    expect(answer.text).toContain('Tocar &quot;fuerte&quot; &lt;b&gt;')
    const named = [...answer.text.matchAll(/hora=([^"&]+)/g)].map(([, hora]) => decodeURIComponent(hora!))
    const { chosen } = await agendaOf(world, customer, date)
    const distance = (one: string) => Math.abs(Date.parse(one) - Date.parse(start!))
    const nearest = chosen.starts
      .toSorted((a, b) => distance(a) - distance(b) || a.localeCompare(b))
      .slice(0, 3)
    expect(nearest.every((one) => named.includes(one))).toBe(true)
    expect(chosen.starts).not.toContain(start)
    expect(await visitsOf(world, customer)).toEqual([])
    expect((await book(world, customer, nearest[0]!)).status).toBe(303)
  })

  test('is refused the same to a form sent by the page’s own script', async () => {
    const { customer } = people
    await world.home(customer)
    const [start] = await slots(world, customer)
    await customerWithVisit(world, start)
    await customerWithVisit(world, start)
    const form = { startsAt: start!, requestKey: crypto.randomUUID(), notes: 'Aquí' }
    const answer = await world.post(`${agenda}.data`, form, customer)
    expect(answer.status).toBe(409)
    expect(answer.value).toMatchObject({
      data: {
        values: { notes: 'Aquí' },
        refusal: { code: 'already-exists', details: { nearest: Array(3).fill(expect.any(String)) } },
      },
    })
  })
})

/** The same weekday more than 30 days later, on a day that is no holiday: the house is open, only too late. */
const sameWeekday = (date: string) =>
  [35, 42].map((days) => addDays(date, days)).find((day) => !isHoliday(day, []))!

describe('a time that nobody offers', () => {
  test.each([
    ['the past', (date: string) => at(addDays(date, -40), '10:00'), 'Esa hora ya pasó'],
    ['beyond the horizon', (date: string) => at(sameWeekday(date), '10:00'), 'hasta 30 días adelante'],
    ['before the house opens', (date: string) => at(date, '08:30'), 'A esa hora no damos servicio'],
    ['ending after it closes', (date: string) => at(date, '17:30'), 'A esa hora no damos servicio'],
    ['at night', (date: string) => at(date, '23:00'), 'A esa hora no damos servicio'],
    ['between two slots', (date: string) => at(date, '10:10'), 'Elige uno de los horarios de la lista'],
    ['in the year 9999', () => '9999-12-31T16:00:00.000Z', 'hasta 30 días adelante'],
  ])('%s is refused', async (_when, startOn, words) => {
    const { customer } = people
    await world.home(customer)
    const [start] = await slots(world, customer)
    const answer = await book(world, customer, startOn(start!.slice(0, 10)), { notes: 'Se queda' })
    expect(answer.status).toBe(400)
    expect(readable(answer)).toContain('Ese horario no se puede agendar')
    expect(readable(answer)).toContain(words)
    expect(readable(answer)).toContain('Estos están libres y son los más cercanos')
    expect(answer.text).toContain('Se queda')
    await nothingBooked(world)
  })

  test('a Sunday, a holiday, with less than the notice, outside every shift: refused', async () => {
    const { customer, technician } = people
    await world.home(customer)
    const [nine, , ten] = await slots(world, customer)
    const date = nine!.slice(0, 10)
    const sunday = addDays(date, 7 - Temporal.PlainDate.from(date).dayOfWeek)
    expect((await book(world, customer, at(sunday, '10:00'))).status).toBe(400)
    world.at(new Date(Date.parse(ten!) - 23.5 * 3_600_000))
    const late = await book(world, customer, ten!)
    expect([late.status, readable(late)]).toEqual([400, expect.stringContaining('al menos 24 horas')])
    world.at(new Date(Date.parse(ten!) - 48 * 3_600_000))
    await world.db.execute(sql`update shifts set starts = 600 where person_id = ${technician.id}`)
    await world.db.execute(sql`delete from shifts where person_id <> ${technician.id}`)
    expect((await book(world, customer, nine!)).status).toBe(409)
    await world.db.execute(
      sql`insert into settings (key, value) values ('service', ${JSON.stringify({ holidays: [date] })})`,
    )
    const closed = await book(world, customer, ten!)
    expect([closed.status, readable(closed)]).toEqual([400, expect.stringContaining('Ese día es festivo')])
    await nothingBooked(world)
    await world.db.execute(sql`delete from settings`)
    expect((await book(world, customer, ten!)).status).toBe(303)
  })

  test.each(['', 'mañana', '2026-02-30T10:00:00Z', '2026-11-24T10:00', 'NaN', '-5', '9'.repeat(400)])(
    'startsAt %o is no time',
    async (startsAt) => {
      const { customer } = people
      await world.home(customer)
      const answer = await book(world, customer, startsAt, { notes: 'Se queda' })
      expect(answer.status).toBe(400)
      expect(readable(answer)).toContain('Elige un horario.')
      expect(answer.text).toContain('Se queda')
      await nothingBooked(world)
    },
  )
})

test('notes have a limit, a form needs its key, and a body that is no form is only a wrong form', async () => {
  const { customer } = people
  await world.home(customer)
  const [start] = await slots(world, customer)
  const long = await book(world, customer, start!, { notes: 'x'.repeat(501) })
  expect(long.status).toBe(400)
  expect(readable(long)).toContain('500')
  expect((await book(world, customer, start!, { requestKey: 'clave' })).status).toBe(400)
  const headers = { 'content-type': 'application/json' }
  expect((await world.post(agenda, {}, customer, { headers })).status).toBe(400)
  await nothingBooked(world)
})
