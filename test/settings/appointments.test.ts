import { travelMinutes } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { currentStaffing, zoneOf } from '../../src/scheduling/roster.ts'
import { defaultTravel, travelBetween } from '../../src/scheduling/rules/roster.ts'
import { municipalities } from '../../src/shared/places.ts'
import { agenda, agendaOf } from '../kit/appointments.ts'
import {
  customer,
  db,
  expectRow,
  expectScreen,
  fixture,
  manager,
  markupOf,
  openEach,
  rowsWhere,
  technician,
} from '../kit/open.ts'
import { expectPage, expectStatus, expectWords } from '../kit/reading.ts'
import { at, expectSaved, save, stored, wordsOf } from '../kit/settings.ts'
import { at as moment, visitFor, workday } from '../kit/users.ts'

openEach()

const day = workday()
const hours = (opens: string) =>
  Object.assign({}, ...[0, 1, 2, 3, 4, 5, 6].map((n) => ({ [`from${n}`]: opens, [`to${n}`]: '18:00' })))

test('a holiday is added once, and removed; a wrong day is refused under its field', async () => {
  const add = (date: string) => save(manager, 'holidays.add', { date })
  const remove = () => save(manager, 'holidays.remove', { date: day })
  expectSaved(await add(day), 'festivos')
  expect((await stored()).holidays).toEqual([day])
  await expectScreen(at('festivos'), manager, `value="${day}"`)
  for (const [date, message] of [
    [day, 'Ese día ya está en la lista.'],
    ['2020-01-02', 'Elige un día de hoy en adelante.'],
    ['', 'Escribe la fecha como 2026-12-24.'],
  ] as const)
    expectPage(await add(date), 400, message)
  expectSaved(await remove(), 'festivos')
  expect((await stored()).holidays).toEqual([])
  // A second press finds nothing to remove.
  expectSaved(await remove(), 'festivos')
})

test('a holiday with visits is saved once each of them is settled', async () => {
  const visit = await visitFor(technician, moment(day, '10:00'))
  const add = (choices = {}) => save(manager, 'holidays.add', { date: day, ...choices })
  const refused = await add()
  expectWords(wordsOf(refused.text), 'Hay citas por resolver')
  expectPage(refused, 409, `choice.${visit.id}`)
  expect((await stored()).holidays).toEqual([])
  expectSaved(await add({ [`choice.${visit.id}`]: 'release' }), 'festivos')
  expect((await stored()).holidays).toEqual([day])
  await expectRow(appointments, { id: visit.id }, { state: 'requested', assigneeId: null })
})

test('shorter hours list the visits outside, with what was typed; longer ones save at once', async () => {
  const visit = await visitFor(technician, moment(day, '09:00'))
  expectPage(await save(manager, 'hours', hours('11:00')), 409, visit.folio, 'value="11:00"')
  expectSaved(await save(manager, 'hours', hours('8:00')), 'horario')
  expect((await stored()).hours[6]).toEqual({ from: 480, to: 1080 })
  await expectRow(
    appointments,
    { id: visit.id },
    { state: 'assigned', assigneeId: technician.id, version: 1 },
  )
})

test('a new number applies to the very next booking page', async () => {
  await fixture.home(customer)
  const visit = { minutes: '90', noticeHours: '24', horizonDays: '30', dailyMax: '4', freeChangeHours: '24' }
  expectSaved(await save(manager, 'technical_visit', visit), 'visita')
  await expectScreen(agenda, customer, 'Dura 1\u00a0h 30\u00a0min')
  expect((await agendaOf(customer)).days.map(({ date }) => date)).toContain(day)
  expectSaved(await save(manager, 'holidays.add', { date: day }), 'festivos')
  const { days } = await agendaOf(customer)
  expect(days.find(({ date }) => date === day)?.free ?? 0).toBe(0)
})

const usual = defaultTravel()
const minutesFrom = (travel: Uint16Array, from: string) =>
  Object.fromEntries(
    municipalities.map(({ slug }) => [slug, String(travelBetween(travel, zoneOf(from), zoneOf(slug)))]),
  )
const now = async (from: string, to: string) =>
  travelBetween((await currentStaffing(db)).travel, zoneOf(from), zoneOf(to))
const edits = () => rowsWhere(travelMinutes)
const form = (changes: Record<string, string>) => ({
  from: 'coyoacan',
  ...minutesFrom(usual, 'coyoacan'),
  ...changes,
})

test('stores only what differs from the distance, one way or both', async () => {
  const answer = await save(manager, 'travel', form({ toluca: '200' }))
  expect([answer.status, answer.location]).toEqual([303, `${at('traslados')}?desde=coyoacan`])
  expect(await edits()).toEqual([{ fromMunicipality: 'coyoacan', toMunicipality: 'toluca', minutes: 200 }])
  expect(await now('coyoacan', 'toluca')).toBe(200)
  expect(await now('toluca', 'coyoacan')).not.toBe(200)

  await save(manager, 'travel', form({ toluca: '210', bothWays: 'on' }))
  expect([await now('coyoacan', 'toluca'), await now('toluca', 'coyoacan')]).toEqual([210, 210])
  const text = await markupOf(`${at('traslados')}?desde=coyoacan`, manager)
  expect(wordsOf(text)).toMatch(/Coyoacán – Toluca: 200\u00a0min → 210\u00a0min/)
  expectWords(text, 'Por distancia: ')
})

test('returns to the minutes by distance, one way or both', async () => {
  await save(manager, 'travel', form({ toluca: '200', lerma: '180', bothWays: 'on' }))
  expect(await edits()).toHaveLength(4)
  await save(manager, 'travel.reset', { from: 'coyoacan' })
  expect((await edits()).map(({ fromMunicipality }) => fromMunicipality).sort()).toEqual(['lerma', 'toluca'])
  await save(manager, 'travel.reset', { from: 'coyoacan', bothWays: 'on' })
  expect(await edits()).toEqual([])
  expect((await currentStaffing(db)).travel).toEqual(usual)
})

test('refuses a wrong number, an unknown origin and a stale form', async () => {
  for (const [intent, sent, status] of [
    ['travel', form({ toluca: '601' }), 400],
    ['travel', form({ from: 'metepec' }), 400],
    ['travel', { from: 'coyoacan', toluca: '10' }, 400],
    ['travel', form({ toluca: '90', version: '7' }), 409],
    ['travel.reset', { from: '__proto__' }, 400],
  ] as const)
    expectStatus(await save(manager, intent, sent), status)
  expect(await edits()).toEqual([])
})

test('shows the first origin for an unknown one', async () =>
  expectWords(await markupOf(`${at('traslados')}?desde=metepec`, manager), 'Desde Álvaro Obregón'))
