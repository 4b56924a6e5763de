import { asc, eq } from 'drizzle-orm'
import { personZones, shifts, timeOff, users } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { events } from '../../../src/platform/database/schema/projects.ts'
import { addDays, localDate, toMinutes } from '../../../src/shared/calendar.ts'
import {
  analyst,
  customer,
  db,
  eventsAbout,
  expectNotOnPage,
  expectRow,
  expectTrail,
  fixture,
  gester,
  manager,
  openEach,
  post,
  rowsWhere,
  rowWhere,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import {
  expectLocation,
  expectPage,
  expectStatus,
  expectWords,
  insertIn,
  readable,
} from '../../kit/reading.ts'
import { at, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()
const screen = ({ id }: Person) => `/admin/users/${id}`
const versionOf = async ({ id }: Person) => String((await rowWhere(users, { id }))!.version)

/** Sends a form of the schedule cards as the manager sees it now. */
async function send(person: Person, intent: string, form: Record<string, string> = {}) {
  const version = await versionOf(person)
  return post(screen(person), { intent: `staffing.${intent}`, version, ...form }, manager)
}

const hoursOf = async ({ id }: Person) =>
  (
    await db
      .select()
      .from(shifts)
      .where(eq(shifts.personId, id))
      .orderBy(asc(shifts.weekday), asc(shifts.starts))
  ).map(({ weekday, starts, ends }) => [weekday, starts / 60, ends / 60])
const zonesOf = async ({ id }: Person) =>
  (await rowsWhere(personZones, { personId: id })).map(({ municipality }) => municipality)
const offOf = ({ id }: Person) => rowsWhere(timeOff, { personId: id })
/** A field of a page's form by its name, as the browser would start it. */
const boxOf = (text: string, name: string) =>
  new RegExp(`<input[^>]*name="${name.replaceAll('.', '\\.')}"[^>]*>`).exec(text)?.[0] ?? ''

const shown = async (of = technician) => fixture.visit(screen(of), manager)

const week = {
  'shift.0.0.from': '08:00',
  'shift.0.0.to': '12:30',
  'shift.0.1.from': '14:00',
  'shift.0.1.to': '17:00',
}

test('shifts are shown, replaced and recorded; without any the person gets no appointments', async () => {
  const before = await shown()
  expect(boxOf(before.text, 'shift.0.0.from')).toContain('value="09:00"')
  expect(boxOf(before.text, 'shift.6.0.from')).toContain('value=""')
  expectLocation(await send(technician, 'shifts', week), screen(technician))
  expect(await hoursOf(technician)).toEqual([
    [0, 8, 12.5],
    [0, 14, 17],
  ])
  await expectTrail(technician, ['change_shifts'])
  const page = await shown()
  expectWords(readable(page), 'Guardamos sus turnos', 'Cambio de turnos')
  expect(boxOf(page.text, 'shift.0.1.to')).toContain('value="17:00"')
  await send(technician, 'shifts')
  expect(await hoursOf(technician)).toEqual([])
  expectWords(readable(await shown()), 'Todavía no tiene turnos')
})

test('wrong shifts are refused under their boxes, with what was typed', async () => {
  const before = await hoursOf(technician)
  const wrong = { ...week, 'shift.0.1.from': '12:00' }
  const answer = await send(technician, 'shifts', wrong)
  expectPage(answer, 400, 'Se encima con otro horario del mismo día.')
  for (const [name, value] of Object.entries(wrong))
    expect(boxOf(answer.text, name)).toContain(`value="${value}"`)
  expect(await hoursOf(technician)).toEqual(before)
})

test('shorter shifts ask in the same form about the visit outside; it may be kept', async () => {
  const visit = await visitFor(technician, at(day, '10:00'))
  const asked = await send(technician, 'shifts', week)
  expectStatus(asked, 409)
  const reason = 'Tomás Prueba: Queda fuera de su turno'
  expectWords(readable(asked), '1 cita por resolver', visit.folio, 'Camila Prueba', reason)
  expect(boxOf(asked.text, 'shift.0.0.from')).toContain('value="08:00"')
  expectWords(
    asked.text,
    `<option value="${technician2.id}" selected="">Teresa Prueba</option>`,
    '<option value="keep">',
  )
  const keep = { ...week, [`choice.${visit.id}`]: 'keep', [`seen.${visit.id}`]: '1' }
  const bare = await send(technician, 'shifts', keep)
  expectWords(readable(bare), 'Escribe por qué la conserva de todos modos.')
  expectWords(bare.text, '<option value="keep" selected="">')
  const keepReason = 'Ya lo acordamos'
  expectStatus(await send(technician, 'shifts', { ...keep, keepReason }), 303)
  await expectRow(appointments, { id: visit.id }, { assigneeId: technician.id, overrideReason: keepReason })
})

test('zones: none is all; those left ask about the visit outside; analysts have none', async () => {
  expectWords(readable(await shown()), 'Ahora atiende todas las zonas')
  const some = { 'zone.coyoacan': 'on', 'zone.toluca': 'on', 'zone.marte': 'on' }
  expectStatus(await send(technician, 'zones', some), 303)
  expect((await zonesOf(technician)).toSorted()).toEqual(['coyoacan', 'toluca'])
  const page = await shown()
  expectWords(readable(page), 'Ahora atiende 2 de 20 zonas')
  expect(boxOf(page.text, 'zone.toluca')).toContain('checked')

  const visit = await visitFor(technician, at(day, '10:00'))
  const form = { 'zone.lerma': 'on' }
  const answer = await send(technician, 'zones', form)
  expectPage(answer, 409, 'No atiende esta zona')
  expect(boxOf(answer.text, 'zone.lerma')).toContain('checked')
  expectStatus(await send(technician, 'zones', { ...form, [`choice.${visit.id}`]: 'release' }), 303)
  await expectRow(appointments, { id: visit.id }, { state: 'requested', assigneeId: null })
  await send(technician, 'zones')
  expect(await zonesOf(technician)).toEqual([])
  await expectTrail(technician, Array(3).fill('change_zones'))
  await expectNotOnPage(screen(analyst), manager, 'Ahora atiende')
})

const off = { from: day, to: addDays(day, 1), fromTime: '', toTime: '', reason: 'Vacaciones' }

// The e-mails: test/users/staffing/change.test.ts.
test('time off of two days asks about the two visits in them, and is shown once they are settled', async () => {
  const one = await visitFor(technician, at(day, '10:00'))
  const other = await visitFor(technician, at(addDays(day, 1), '12:00'))
  const asked = await send(technician, 'timeOff', off)
  expectPage(asked, 409, 'value="Vacaciones"')
  expectWords(readable(asked), '2 citas por resolver')
  expect(await offOf(technician)).toEqual([])
  const choices = { [`choice.${one.id}`]: technician2.id, [`choice.${other.id}`]: 'release' }
  expectStatus(await send(technician, 'timeOff', { ...off, ...choices }), 303)
  await expectRow(appointments, { id: one.id }, { state: 'assigned', assigneeId: technician2.id })
  await expectRow(appointments, { id: other.id }, { state: 'requested', assigneeId: null })
  expect(await offOf(technician)).toMatchObject([{ reason: 'Vacaciones', approvedBy: manager.id }])
  const page = readable(await shown())
  expectWords(page, 'Guardamos su permiso')
  expect(page.match(/\S{3} \d+ \S{3} 2\d{3} a \S{3} \d+ \S{3} 2\d{3}/g)).toHaveLength(2)
})

test('time off is removed once, on the screen of its person; the same days are refused twice', async () => {
  await send(technician, 'timeOff', off)
  expectPage(await send(technician, 'timeOff', off), 409, 'Ya tiene un permiso en esas fechas')
  const [row] = await offOf(technician)
  const remove = (of: Person) => send(of, 'removeTimeOff', { timeOffId: row!.id })
  expectStatus(await remove(technician2), 404)
  expect(await offOf(technician)).toHaveLength(1)
  expectStatus(await remove(technician), 303)
  expect(await offOf(technician)).toEqual([])
  expectWords(readable(await shown()), 'Permiso quitado: ')
  await expectTrail(technician, ['add_time_off', 'remove_time_off'])
  expectStatus(await remove(technician), 404)
})

const today = localDate(toMinutes(new Date()))
test.each([
  [{ from: addDays(today, -9), to: addDays(today, -8) }, 'Esas fechas ya pasaron.'],
  [{ to: addDays(today, 900) }, 'dentro de los próximos dos años'],
  [{ from: '9999-12-31', to: '9999-12-31' }, 'dentro de los próximos dos años'],
])('time off refuses %o', async (changes, words) => {
  expectPage(await send(technician, 'timeOff', { ...off, ...changes }), 400, words)
  expect(await offOf(technician)).toEqual([])
})

test('time off shows its reason to the manager only, and keeps it out of the history', async () => {
  await send(technician, 'timeOff', { ...off, reason: 'Cirugía de rodilla' })
  for (const { text } of [
    await fixture.visit(screen(technician), technician2),
    await fixture.data(screen(technician), technician2),
  ])
    expect(text).not.toMatch(/rodilla|Permisos y vacaciones/)
  expect(JSON.stringify(await eventsAbout(technician))).not.toContain('rodilla')
})

// That only the manager may: test/security/actions/people.ts and time-off.ts.
describe.each<[string, Record<string, string>]>([
  ['shifts', {}],
  ['zones', { 'zone.lerma': 'on' }],
  ['timeOff', { from: day, to: day, reason: 'Permiso' }],
  ['removeTimeOff', { timeOffId: crypto.randomUUID() }],
])('the form of %s', (intent, form) => {
  test('changes nothing on a stale page', async () => {
    const version = await versionOf(technician)
    await send(technician, 'zones', { 'zone.toluca': 'on' })
    for (const stale of [version, '', '-1', '9'.repeat(30)]) {
      const answer = await send(technician, intent, { ...form, version: stale })
      expectPage(answer, 409, 'Revisa lo que cambió')
    }
    await expectTrail(technician, ['change_zones'])
    expect(await zonesOf(technician)).toEqual(['toluca'])
  })

  test('is refused for people without appointments, and unknown ones', async () => {
    for (const person of [gester, customer]) expectStatus(await send(person, intent, form), 409)
    for (const id of [crypto.randomUUID(), 'nadie']) {
      const fields = { intent: `staffing.${intent}`, version: '1', ...form }
      expectStatus(await post(`/admin/users/${id}`, fields, manager), 404)
    }
  })
})

test('a form that is overtaken names who saved, not who did something else since', async () => {
  const version = await versionOf(technician)
  await send(technician, 'zones', { 'zone.coyoacan': 'on' })
  const { id } = technician
  for (const name of ['change_day_start', 'change_visit_card'])
    await insertIn(fixture, events, { entity: 'user', entityId: id, actorId: id, name })
  const form = { intent: 'staffing.zones', version, 'zone.tlalpan': 'on' }
  expectPage(await post(screen(technician), form, manager), 409, 'Guardaste en otra ventana')
})
