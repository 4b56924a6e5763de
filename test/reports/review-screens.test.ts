import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { sheetAnswers, sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable, rowIn, rowsIn } from '../kit/reading.ts'
import { storeSheet } from './installed.ts'

let visit: Visit
let page: string

openEach()
beforeEach(async () => {
  const { customer, technician } = people
  const started = new Date(Date.now() - 2 * hour)
  visit = await storeVisit(world, customer, await world.home(customer, {}, people.ally.agencyId!), started, {
    state: 'done',
    outcome: 'completed',
    assigneeId: technician.id,
    closingNote: 'Todo bien.',
    startedAt: started,
    finishedAt: new Date(Date.now() - hour),
  })
  page = `/admin/appointments-done/${visit.id}`
  const answers = { feasibility: 'not_viable', feasibilityReason: 'Falta tierra física.', needsPermit: true }
  await storeSheet(world, 'visit', visit, technician, {}, { ...answers, notes: 'Nota para la oficina' })
})

const sheet = async () => (await rowIn(world, sheets, { appointmentId: visit.id }))!
const answer = async (name: string) => {
  const which = and(eq(sheetAnswers.appointmentId, visit.id), eq(sheetAnswers.name, name))
  return (await world.db.select().from(sheetAnswers).where(which))[0]!
}
const reads = async (who: Person, path = page) => readable(await world.visit(path, who))
const posts = (who: Person, form: Record<string, string>, path = page) => world.post(path, form, who)

describe('a report that was sent', () => {
  test('is read with its words, units, formulas, pictures and who sent it', async () => {
    for (const who of [people.analyst, people.manager, people.technician]) {
      const shown = await reads(who)
      for (const words of [
        'Reporte de visita',
        'Por revisar',
        'Lo envió Tomás Prueba',
        'Bifásico 220 V',
        '22.5 m',
        'Aire acondicionado: 2 × 1,800 W',
        '8 AWG',
        '1.68 %',
        'Medidor de CFE',
        'Firma del técnico',
      ])
        expect(shown).toContain(words)
    }
  })

  test('is nothing to an ally and to a gester, and other technicians find nobody', async () => {
    expect(await reads(people.manager)).toContain('Nota para la oficina')
    const { status, text } = await world.visit(page, people.ally)
    expect([status, /Reporte de visita|Nota para la oficina|files\//.test(text)]).toEqual([200, false])
    for (const who of [people.gester, people.technician2])
      expect((await world.visit(page, who)).status).toBe(404)
  })

  test('is approved from its screen, and no longer listed as waiting', async () => {
    const waiting = '/admin/appointments-done?view=por-revisar'
    expect(await reads(people.analyst, waiting)).toContain(visit.folio)
    const { version } = await sheet()
    const answered = await posts(people.analyst, { intent: 'approve-sheet', version: String(version) })
    expect([answered.status, answered.location]).toEqual([303, page])
    expect(await sheet()).toMatchObject({ state: 'approved', reviewedBy: people.analyst.id })
    expect(await reads(people.analyst, waiting)).not.toContain(visit.folio)
    expect(await reads(people.analyst)).not.toContain('Devolver a su técnico')
  })

  test('is approved and quoted by one press, where it is viable', async () => {
    const pressed = { intent: 'approve-sheet', version: String((await sheet()).version), next: 'quote' }
    expect(await reads(people.analyst)).not.toContain('Aprobar y cotizar')
    await world.db
      .update(sheetAnswers)
      .set({ value: 'viable' })
      .where(and(eq(sheetAnswers.appointmentId, visit.id), eq(sheetAnswers.name, 'feasibility')))
    const shown = await reads(people.analyst)
    // The decision stands after the evidence.
    expect(shown.indexOf('Aprobar y cotizar')).toBeGreaterThan(shown.indexOf('Nombre de quien te recibió'))
    const answered = await posts(people.analyst, pressed)
    expect([answered.status, answered.location]).toEqual([303, `/admin/cotizations/add-quote/${visit.id}`])
    expect(await sheet()).toMatchObject({ state: 'approved', reviewedBy: people.analyst.id })
    expect((await world.visit(answered.location!, people.analyst)).status).toBe(200)
  })

  test('shows what it contradicts to its reviewers, and to nobody else', async () => {
    await world.db.execute(sql`update appointments set address = address || '{"dwelling": "apartment"}'`)
    const words = 'El domicilio dice «Departamento» y el reporte, «Casa».'
    for (const who of [people.analyst, people.manager]) expect(await reads(who)).toContain(words)
    expect(await reads(people.technician)).not.toContain(words)
  })

  test('goes back with what is ticked, and its technician may write again', async () => {
    const { version } = await sheet()
    const form = { intent: 'return-sheet', version: String(version), reason: 'El medidor no se lee.' }
    const bare = await posts(people.manager, { ...form, reason: '' })
    expect([bare.status, bare.text.includes('Escribe qué falta o qué está mal.')]).toEqual([400, true])
    const boxes = { 'redo.meter': 'on', 'redo.meterNumber': 'on', 'redo.nada': 'on' }
    expect((await posts(people.manager, { ...form, ...boxes })).status).toBe(303)
    expect(Object.keys((await sheet()).redo)).toEqual(['meter', 'meterNumber'])
    expect(await reads(people.manager)).toContain('Falta rehacer Medidor de CFE, Número de medidor')
    const shown = await reads(people.technician)
    expect(shown).toContain('El medidor no se lee.')
    expect((await world.visit(`${page}?seccion=medidor`, people.technician)).text).toContain(
      'name="meterNumber"',
    )
  })
})

describe('one answer', () => {
  const correct = (who: Person, value: string, base = '1') =>
    posts(
      who,
      { intent: 'correct-answer', name: 'mainBreaker', base, mainBreaker: value },
      `${page}?corregir=mainBreaker`,
    )

  test('is put right where it stands, and the history tells it', async () => {
    const open = await world.visit(`${page}?corregir=mainBreaker`, people.analyst)
    expect(open.text).toMatch(/name="mainBreaker"[^>]*value="100"|value="100"[^>]*name="mainBreaker"/)
    const corrected = await correct(people.analyst, '125')
    // Back to where it stands, so that a keyboard's focus isn't lost.
    expect([corrected.status, corrected.location]).toEqual([303, `${page}#mainBreaker`])
    expect(await answer('mainBreaker')).toMatchObject({
      value: 125,
      revision: 2,
      changedBy: people.analyst.id,
    })
    expect(await reads(people.manager)).toContain('Pastilla principal: de 100 A a 125 A')
    expect(await rowsIn(world, events, { name: 'correct' })).toHaveLength(1)
  })

  test('out of its range is refused with the range, and what was typed stays', async () => {
    const refused = await correct(people.analyst, '1000')
    expect([refused.status, refused.text.includes('de 15 a 400\u00a0A')]).toEqual([400, true])
    expect(refused.text).toContain('value="1000"')
    expect(await answer('mainBreaker')).toMatchObject({ value: 100, revision: 1 })
  })

  test('changed by somebody else meanwhile is told, and overwritten only knowingly', async () => {
    await correct(people.manager, '125')
    const overtaken = await correct(people.analyst, '150')
    expect(overtaken.status).toBe(409)
    expect(readable(overtaken)).toContain('ahora dice «125 A»')
    expect(overtaken.text).toContain('value="150"')
    expect(overtaken.text).toMatch(/name="base" value="2"/)
    expect(await answer('mainBreaker')).toMatchObject({ value: 125, revision: 2 })
    expect((await correct(people.analyst, '150', '2')).status).toBe(303)
    expect(await answer('mainBreaker')).toMatchObject({ value: 150, revision: 3 })
  })
})

test('refuses an office correction of a measurement, and offers to ask its technician for it', async () => {
  const { status, text } = await world.visit(`${page}?corregir=voltsL1N`, people.analyst)
  expect(status).toBe(200)
  expect(text).toMatch(/<input[^>]*name="redo\.voltsL1N"[^>]*checked=""|checked=""[^>]*name="redo\.voltsL1N"/)
  expect(text).toContain('aria-label="Pedir otra vez Voltaje L1 a neutro"')
  for (const none of ['name="voltsL1N"', 'aria-label="Corregir Voltaje L1 a neutro"'])
    expect(text).not.toContain(none)
  const form = { intent: 'correct-answer', name: 'voltsL1N', base: '1', voltsL1N: '127' }
  const refused = await posts(people.analyst, form)
  expect(refused.status).toBe(409)
  expect(readable(refused)).toContain('Lo que se midió solo lo corrige quien lo midió.')
  expect(await answer('voltsL1N')).toMatchObject({ value: 126.4, revision: 1 })
})

describe('its customer', () => {
  const own = '/technics-visit'

  test('reads what was found, why not, what is needed and whom to talk to', async () => {
    const shown = await reads(people.customer, own)
    // Nobody reviewed it yet.
    for (const words of [
      'Por confirmar: hoy no se puede instalar tu cargador',
      'Falta tierra física.',
      'Hablar con un analista',
      'El permiso de tu condominio',
      'Fotos de tu casa',
      'Tu suministro de CFE Bifásico 220 V',
    ])
      expect(shown).toContain(words)
    const data = JSON.stringify((await world.data(own, people.customer)).value)
    for (const text of [(await world.visit(own, people.customer)).text, data])
      expect(text).not.toContain('Nota para la oficina')
    expect(shown).not.toContain('Firma del técnico')
  })

  test('reads nothing of a draft, and nobody reads another’s', async () => {
    expect(await reads(people.customer2, own)).not.toContain('Fotos de tu casa')
    await world.db.update(sheets).set({ state: 'draft' })
    expect(await reads(people.customer, own)).not.toContain('Fotos de tu casa')
  })
})
