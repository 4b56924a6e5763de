import { asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addDays, localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { personZones, shifts, timeOff, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { openEach, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, readable, rowIn, rowsIn, trailOf } from '../../kit/reading.ts'
import { at, now, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()
const screen = ({ id }: Person) => `/admin/users/${id}`
const versionOf = async ({ id }: Person) => String((await rowIn(world, users, { id }))!.version)

/** Sends one of the schedule cards' forms as the manager sees it now. */
async function send(person: Person, intent: string, form: Record<string, string> = {}, by = people.manager) {
  const version = await versionOf(person)
  return world.post(screen(person), { intent: `staffing.${intent}`, version, ...form }, by)
}

const hoursOf = async ({ id }: Person) =>
  (
    await world.db
      .select()
      .from(shifts)
      .where(eq(shifts.personId, id))
      .orderBy(asc(shifts.weekday), asc(shifts.starts))
  ).map(({ weekday, starts, ends }) => [weekday, starts / 60, ends / 60])
const zonesOf = async ({ id }: Person) =>
  (await rowsIn(world, personZones, { personId: id })).map(({ municipality }) => municipality)
const offOf = ({ id }: Person) => rowsIn(world, timeOff, { personId: id })
/** A field of a page's form by its name, as the browser would start it. */
const boxOf = (text: string, name: string) =>
  new RegExp(`<input[^>]*name="${name.replaceAll('.', '\\.')}"[^>]*>`).exec(text)?.[0] ?? ''

describe('shifts', () => {
  const week = {
    'shift.0.0.from': '08:00',
    'shift.0.0.to': '12:30',
    'shift.0.1.from': '14:00',
    'shift.0.1.to': '17:00',
  }

  test('the manager sees and replaces them; the history tells', async () => {
    const { manager, technician } = people
    const before = await world.visit(screen(technician), manager)
    expect(boxOf(before.text, 'shift.0.0.from')).toContain('value="09:00"')
    expect(boxOf(before.text, 'shift.6.0.from')).toContain('value=""')
    const answer = await send(technician, 'shifts', week)
    expect([answer.status, answer.location]).toEqual([303, screen(technician)])
    expect(await hoursOf(technician)).toEqual([
      [0, 8, 12.5],
      [0, 14, 17],
    ])
    expect(await trailOf(world, technician)).toEqual(['change_shifts'])
    const page = await world.visit(screen(technician), manager)
    expect(readable(page)).toContain('Guardamos sus turnos')
    expect(readable(page)).toContain('Cambio de turnos')
    expect(boxOf(page.text, 'shift.0.1.to')).toContain('value="17:00"')
  })

  test('what is wrong is said under its box, nothing typed is lost, nothing is written', async () => {
    const { technician } = people
    const before = await hoursOf(technician)
    const wrong = { ...week, 'shift.0.1.from': '12:00', 'shift.3.0.from': '09:10', 'shift.3.0.to': '10:00' }
    const answer = await send(technician, 'shifts', wrong)
    expect(answer.status).toBe(400)
    expect(readable(answer)).toContain('Se encima con otro horario del mismo día.')
    expect(readable(answer)).toContain('Escribe una hora en punto o y media')
    for (const [name, value] of Object.entries(wrong))
      expect(boxOf(answer.text, name)).toContain(`value="${value}"`)
    expect(boxOf(answer.text, 'shift.1.0.from')).toContain('value=""')
    expect(await hoursOf(technician)).toEqual(before)
  })

  test('somebody without any is said to be offered to nobody', async () => {
    await send(people.technician, 'shifts')
    expect(await hoursOf(people.technician)).toEqual([])
    expect(readable(await world.visit(screen(people.technician), people.manager))).toContain(
      'Todavía no tiene turnos',
    )
  })

  test('a shorter week asks about the visit it leaves out, in the same form; the person may keep it', async () => {
    const { technician, technician2 } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const asked = await send(technician, 'shifts', week)
    expect(asked.status).toBe(409)
    const text = readable(asked)
    for (const words of [
      '1 cita por resolver',
      visit.folio,
      'Camila Prueba',
      'Tomás Prueba: Queda fuera de su turno',
    ])
      expect(text).toContain(words)
    expect(boxOf(asked.text, 'shift.0.0.from')).toContain('value="08:00"')
    expect(asked.text).toContain(`<option value="${technician2.id}" selected="">Teresa Prueba</option>`)
    expect(asked.text).toContain('<option value="keep">')
    const keep = { ...week, [`choice.${visit.id}`]: 'keep', [`seen.${visit.id}`]: '1' }
    const bare = await send(technician, 'shifts', keep)
    expect(readable(bare)).toContain('Escribe por qué la conserva de todos modos.')
    expect(bare.text).toContain('<option value="keep" selected="">')
    expect((await send(technician, 'shifts', { ...keep, keepReason: 'Ya lo acordamos' })).status).toBe(303)
    expect(await now(visit, world)).toMatchObject({
      assigneeId: technician.id,
      overrideReason: 'Ya lo acordamos',
    })
  })
})

describe('zones', () => {
  test('some, and none again', async () => {
    const { manager, technician } = people
    expect(readable(await world.visit(screen(technician), manager))).toContain(
      'Ahora atiende todas las zonas',
    )
    const some = { 'zone.coyoacan': 'on', 'zone.toluca': 'on', 'zone.marte': 'on' }
    expect((await send(technician, 'zones', some)).status).toBe(303)
    expect((await zonesOf(technician)).toSorted()).toEqual(['coyoacan', 'toluca'])
    const page = await world.visit(screen(technician), manager)
    expect(readable(page)).toContain('Ahora atiende 2 de 20 zonas')
    expect(boxOf(page.text, 'zone.toluca')).toContain('checked')
    await send(technician, 'zones')
    expect(await zonesOf(technician)).toEqual([])
    expect(await trailOf(world, technician)).toEqual(['change_zones', 'change_zones'])
  })

  test('a visit out of them is asked about; what was ticked stays ticked', async () => {
    const { technician } = people
    const visit = await visitFor(world, technician, at(day, '10:00'))
    const answer = await send(technician, 'zones', { 'zone.lerma': 'on' })
    expect(answer.status).toBe(409)
    expect(readable(answer)).toContain('No atiende esta zona')
    expect(boxOf(answer.text, 'zone.lerma')).toContain('checked')
    const choices = { [`choice.${visit.id}`]: 'release' }
    expect((await send(technician, 'zones', { 'zone.lerma': 'on', ...choices })).status).toBe(303)
    expect(await now(visit, world)).toMatchObject({ state: 'requested', assigneeId: null })
  })

  test('an analyst has none: calls happen nowhere', async () => {
    const page = readable(await world.visit(screen(people.analyst), people.manager))
    expect(page).toContain('Turnos')
    expect(page).not.toContain('Ahora atiende')
  })
})

describe('time off', () => {
  const off = { from: day, to: addDays(day, 1), fromTime: '', toTime: '', reason: 'Vacaciones' }

  test('two days with two visits: the list, a choice for each, then it stands', async () => {
    const { manager, technician, technician2 } = people
    const one = await visitFor(world, technician, at(day, '10:00'))
    const other = await visitFor(world, technician, at(addDays(day, 1), '12:00'))
    const asked = await send(technician, 'timeOff', off)
    expect(asked.status).toBe(409)
    expect(readable(asked)).toContain('2 citas por resolver')
    expect(boxOf(asked.text, 'reason')).toContain('value="Vacaciones"')
    expect(await offOf(technician)).toEqual([])
    const choices = { [`choice.${one.id}`]: technician2.id, [`choice.${other.id}`]: 'release' }
    const answer = await send(technician, 'timeOff', { ...off, ...choices })
    expect(answer.status).toBe(303)
    expect(await now(one, world)).toMatchObject({ state: 'assigned', assigneeId: technician2.id })
    expect(await now(other, world)).toMatchObject({ state: 'requested', assigneeId: null })
    expect(await emailsAbout(world, one)).toEqual([
      'assigned to customer',
      'assigned to person',
      'no_person to person',
    ])
    expect(await emailsAbout(world, other)).toEqual(['no_person to customer', 'no_person to person'])
    const [row] = await offOf(technician)
    expect(row).toMatchObject({ reason: 'Vacaciones', approvedBy: manager.id })
    const page = readable(await world.visit(screen(technician), manager))
    expect(page).toContain('Guardamos su permiso')
    expect(page.match(/\S{3} \d+ \S{3} 2\d{3} a \S{3} \d+ \S{3} 2\d{3}/g)).toHaveLength(2)
  })

  test('taken back, and gone from the list', async () => {
    const { manager, technician } = people
    await send(technician, 'timeOff', off)
    const [row] = await offOf(technician)
    const answer = await send(technician, 'removeTimeOff', { timeOffId: row!.id })
    expect(answer.status).toBe(303)
    expect(await offOf(technician)).toEqual([])
    expect(readable(await world.visit(screen(technician), manager))).toContain('Permiso quitado: ')
    expect(await trailOf(world, technician)).toEqual(['add_time_off', 'remove_time_off'])
    expect((await send(technician, 'removeTimeOff', { timeOffId: row!.id })).status).toBe(404)
  })

  test('somebody else’s can’t be taken back through this screen', async () => {
    const { technician, technician2 } = people
    await send(technician, 'timeOff', off)
    const [row] = await offOf(technician)
    expect((await send(technician2, 'removeTimeOff', { timeOffId: row!.id })).status).toBe(404)
    expect(await offOf(technician)).toHaveLength(1)
  })

  const today = localDate(toMinutes(new Date()))
  test.each([
    [{ to: addDays(day, -1) }, 400, 'El final va después del inicio.'],
    [{ reason: '' }, 400, 'Escribe el motivo.'],
    [{ from: addDays(today, -9), to: addDays(today, -8) }, 400, 'Esas fechas ya pasaron.'],
    [{ from: addDays(today, 900), to: addDays(today, 901) }, 400, 'dentro de los próximos dos años'],
    [{ to: addDays(today, 900) }, 400, 'dentro de los próximos dos años'],
    [{ from: '9999-12-31', to: '9999-12-31' }, 400, 'dentro de los próximos dos años'],
  ])('%o is refused', async (changes, status, words) => {
    const answer = await send(people.technician, 'timeOff', { ...off, ...changes })
    expect([answer.status, readable(answer)]).toEqual([status, expect.stringContaining(words)])
    expect(await offOf(people.technician)).toEqual([])
  })

  test('twice the same days are refused; its reason is for the manager only', async () => {
    const { technician, technician2, analyst } = people
    await send(technician, 'timeOff', { ...off, reason: 'Cirugía de rodilla' })
    const again = await send(technician, 'timeOff', off)
    expect([again.status, readable(again)]).toEqual([
      409,
      expect.stringContaining('Ya tiene un permiso en esas fechas'),
    ])
    for (const person of [technician2, analyst]) {
      const { text } = await world.visit(screen(technician), person)
      expect(text).not.toContain('rodilla')
      expect(text).not.toContain('Permisos y vacaciones')
      expect(JSON.stringify((await world.data(screen(technician), person)).value)).not.toContain('rodilla')
    }
    const { rows } = await world.db.$client.query(`select * from events where data::text like '%rodilla%'`)
    expect(rows).toEqual([])
  })
})

describe('every form of the cards', () => {
  const forms: [string, Record<string, string>][] = [
    ['shifts', {}],
    ['zones', { 'zone.lerma': 'on' }],
    ['timeOff', { from: day, to: day, reason: 'Permiso' }],
    ['removeTimeOff', { timeOffId: crypto.randomUUID() }],
  ]

  test.each(forms)('%s is the manager’s only', async (intent, form) => {
    const { technician, technician2, analyst, gester, ally, customer } = people
    const before = await hoursOf(technician)
    for (const person of [technician, technician2, analyst, gester, ally, customer])
      expect((await send(technician, intent, form, person)).status).toBe(403)
    expect([await hoursOf(technician), await zonesOf(technician), await offOf(technician)]).toEqual([
      before,
      [],
      [],
    ])
    expect(await trailOf(world, technician)).toEqual([])
  })

  test.each(forms)('%s on a stale page, or sent twice, changes nothing more', async (intent, form) => {
    const { technician } = people
    const version = await versionOf(technician)
    await send(technician, 'zones', { 'zone.toluca': 'on' })
    for (const stale of [version, '', 'x', '-1', '9'.repeat(30)]) {
      const answer = await send(technician, intent, { ...form, version: stale })
      expect([answer.status, readable(answer)]).toEqual([
        409,
        expect.stringContaining('Alguien más actualizó este registro'),
      ])
    }
    expect(await trailOf(world, technician)).toEqual(['change_zones'])
    expect(await zonesOf(technician)).toEqual(['toluca'])
  })

  test.each(forms)('%s of somebody who carries nothing out, or does not exist', async (intent, form) => {
    const { gester, customer } = people
    for (const person of [gester, customer]) expect((await send(person, intent, form)).status).toBe(409)
    for (const id of [crypto.randomUUID(), 'nadie']) {
      const path = `/admin/users/${id}`
      expect(
        (await world.post(path, { intent: `staffing.${intent}`, version: '1', ...form }, people.manager))
          .status,
      ).toBe(404)
    }
  })
})
