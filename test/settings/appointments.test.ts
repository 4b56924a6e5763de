import { expect, test } from 'vitest'
import { localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { openEach, people, world } from '../kit/open.ts'
import { expectPage } from '../kit/reading.ts'
import { at, expectSaved, save, stored, wordsOf } from '../kit/settings.ts'
import { at as moment, now, visitFor, workday } from '../kit/users.ts'

openEach()

const day = workday()
const hours = (opens: string) =>
  Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6].flatMap((n) => [
      [`from${n}`, opens],
      [`to${n}`, '18:00'],
    ]),
  )

test('a holiday is added, listed, and taken off again', async () => {
  const { manager } = people
  expectSaved(await save(world, manager, 'holidays.add', { date: day }), 'festivos')
  expect((await stored(world)).holidays).toEqual([day])
  expect((await world.visit(at('festivos'), manager)).text).toContain(`value="${day}"`)
  const again = await save(world, manager, 'holidays.add', { date: day })
  expect(again.status).toBe(400)
  expectSaved(await save(world, manager, 'holidays.remove', { date: day }), 'festivos')
  expect((await stored(world)).holidays).toEqual([])
  // A second press finds nothing to take off.
  expectSaved(await save(world, manager, 'holidays.remove', { date: day }), 'festivos')
})

test('a day that is past, of the law, or none at all is refused under its field', async () => {
  for (const [date, message] of [
    ['2020-01-02', 'Elige un día de hoy en adelante.'],
    ['2028-12-25', 'Ese día ya es festivo por ley.'],
    ['', 'Escribe la fecha como 2026-12-24.'],
  ] as const) {
    const answer = await save(world, people.manager, 'holidays.add', { date })
    expect(answer.status).toBe(400)
    expect((await world.visit(at('festivos'), people.manager)).text).not.toContain(message)
    expect(JSON.stringify(answer.text)).toContain(message)
  }
})

test('a holiday with visits is saved once each of them is settled', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, moment(day, '10:00'))
  const form = { intent: 'settings.holidays.add', version: '1', date: day }
  const refused = await world.post(at('festivos'), form, manager)
  expect(refused.status).toBe(409)
  expect(wordsOf(refused.text)).toContain('Hay citas por resolver')
  expect(refused.text).toContain(`choice.${visit.id}`)
  expect((await stored(world)).holidays).toEqual([])

  const settled = await world.post(at('festivos'), { ...form, [`choice.${visit.id}`]: 'release' }, manager)
  expectSaved(settled, 'festivos')
  expect((await stored(world)).holidays).toEqual([day])
  expect(await now(visit, world)).toMatchObject({ state: 'requested', assigneeId: null })
})

test('shorter hours list the visits outside; longer ones save at once', async () => {
  const { manager, technician } = people
  const visit = await visitFor(world, technician, moment(day, '09:00'))
  const shorter = await world.post(
    at('horario'),
    { intent: 'settings.hours', version: '1', ...hours('11:00') },
    manager,
  )
  expectPage(shorter, 409, visit.folio)
  // What was typed is still there to be sent again with the choices.
  expect(shorter.text).toContain('value="11:00"')
  expectSaved(await save(world, manager, 'hours', hours('8:00')), 'horario')
  expect((await stored(world)).hours[6]).toEqual({ from: 480, to: 1080 })
  expect(await now(visit, world)).toMatchObject({ state: 'assigned', assigneeId: technician.id, version: 1 })
})

test('a new number reaches the very next booking page', async () => {
  const { customer, manager } = people
  await world.home(customer)
  const visit = { minutes: '90', noticeHours: '24', horizonDays: '30', dailyMax: '4', freeChangeHours: '24' }
  expectSaved(await save(world, manager, 'technical_visit', visit), 'visita')
  expect((await world.visit('/agenda-technics-visit', customer)).text).toContain('Dura 1\u00a0h 30\u00a0min')
  expectSaved(await save(world, manager, 'holidays.add', { date: day }), 'festivos')
  const { value } = await world.data(`/agenda-technics-visit?dia=${day}`, customer)
  const { soonest } =
    (value as Record<string, { data: { soonest: string } }>)['appointments/book']?.data ?? {}
  expect(localDate(toMinutes(new Date(soonest ?? 0)))).not.toBe(day)
})
